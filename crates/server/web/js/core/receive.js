/** What a message of the server changes, and what the page does about it. */

import { withClockRunning } from './clocks.js';
import { emptyTable, isRunning, reduceTable } from './table.js';
import { noteEnd } from './unfinished.js';
import { freshBoard, viewedId, viewedTable } from './state.js';

/**
 * @import {Message} from '../protocol.js'
 * @import {BoardState, State} from './state.js'
 * @import {Table} from './table.js'
 *
 * @typedef {{kind: 'send', message: Message}
 *   | {kind: 'sound', sound: 'move' | 'capture' | 'king' | 'start' | 'end' | 'notify'}
 *   | {kind: 'say', key: string, params?: {[name: string]: any}, urgent?: boolean}
 *   | {kind: 'go', path: string}
 *   | {kind: 'remember', token: string, name: string}
 *   | {kind: 'join', anew?: boolean, later?: boolean}
 *   | {kind: 'archive', id: string}} Effect
 * @typedef {{state: State, effects: Effect[]}} Step
 * @typedef {(state: State, message: any, now: number) => Step} Handler
 */

/** Refusals that are about the move that was sent. */
const MOVE_CODES = new Set(['bad_move', 'illegal_move', 'ambiguous_move', 'wrong_ply', 'not_your_turn',
  'no_game', 'not_seated', 'not_stored']);
/** Refusals that answer a request whose moment has passed: nothing to tell. */
const QUIET_CODES = new Set(['no_offer', 'not_joined', 'already_joined']);

/** @type {{[type: string]: Handler}} */
const HANDLERS = {
  joined(state, { name, token, seats = [], account = false, registration = null, quick_clock: quickClock }) {
    const { recovery } = state.me.name === name ? state.me : {};
    const me = { name, joined: true, token: token ?? null, wish: null, account, registration, recovery, quickClock };
    const tables = { ...state.tables };
    for (const { table, color } of seats) tables[table] ??= { ...emptyTable(table), you: color };
    const settings = state.me.wish === name ? { ...state.settings, name } : state.settings;
    /** @type {Effect[]} */
    const effects = token ? [{ kind: 'remember', token, name }] : [];
    // Who has waited when the connection was lost goes on, unless a game has begun meanwhile.
    if (state.queue && seats.length === 0) effects.push({ kind: 'send', message: { type: 'quick', ...queuedAgain(state.queue) } });
    return { state: { ...state, me, tables, settings, queue: null }, effects };
  },
  name_kept: (state, { name, token, recovery }) => ({
    state: { ...state, me: { ...state.me, token, account: true, recovery } },
    effects: [{ kind: 'remember', token, name }],
  }),
  lobby: (state, message) => plain(state, { lobby: { ...message, known: true } }),
  tv(state, { table }) {
    if ((table ?? null) === state.tv) return { state, effects: [] };
    if (state.route.name === 'tv' && isBrowsed(state)) return plain(state, { tv: table ?? null, held: viewedTable(state) });
    const isShown = state.route.name === 'lobby' || state.route.name === 'tv';
    return plain(state, { tv: table ?? null, board: isShown ? freshBoard() : state.board });
  },
  table_created: (state, { table }) => ({
    state: { ...state, dialog: null, queue: null },
    effects: [{ kind: 'go', path: `/g/${table}` }],
  }),
  paired: (state, { table }) => ({
    state: { ...state, queue: null },
    effects: [{ kind: 'go', path: `/g/${table}` }, { kind: 'sound', sound: 'start' }],
  }),
  queued: (state, { clock, rated, tournament }) => plain(state, { queue: { clock: clock ?? null, rated: rated === true, tournament } }),
  unqueued: (state) => plain(state, { queue: null }),
  challenged(state, { table, by, info }) {
    const challenges = [...state.challenges.filter((open) => open.table !== table), { table, by, info }];
    return {
      state: { ...state, challenges },
      effects: [{ kind: 'sound', sound: 'notify' }, { kind: 'say', key: 'say.challenged', params: { name: by } }],
    };
  },
  challenge_withdrawn: (state, { table }) =>
    plain(state, { challenges: state.challenges.filter((open) => open.table !== table) }),
  challenge_declined: (state, { by }) => plain(state, { notice: notice(state, 'notice.challengeDeclined', { name: by }) }),
  restarting(state, { in_ms: ms }) {
    if (ms == null) return { state, effects: [] };
    return plain(state, { notice: notice(state, 'notice.restartsSoon', { n: Math.ceil(ms / 1000) }) });
  },
  unwatched(state, { table }) {
    const tables = { ...state.tables };
    delete tables[table];
    return plain(state, { tables });
  },
  error: refused,
};

/**
 * @param {State} state
 * @param {Message} message
 * @param {number} now local time in milliseconds
 * @returns {Step}
 */
export function receive(state, message, now) {
  const handler = HANDLERS[message.type];
  if (handler) return handler(state, message, now);
  return message.table == null ? { state, effects: [] } : atTable(state, message, now);
}

/** @param {NonNullable<State['queue']>} queue what to ask for again */
function queuedAgain({ clock, rated, tournament }) {
  return tournament ? { tournament } : { ...(clock && { clock }), ...(rated && { rated }) };
}

/** @param {State} state @param {Partial<State>} changes @returns {Step} */
function plain(state, changes) {
  return { state: { ...state, ...changes }, effects: [] };
}

/** @param {State} state @param {string} key @param {{[name: string]: any}} [params] */
export function notice(state, key, params) {
  return { key, params, times: (state.notice?.times ?? 0) + 1 };
}

/** @param {State} state @param {Message} message @param {number} now @returns {Step} */
function atTable(state, message, now) {
  const id = /** @type {string} */ (message.table);
  const known = state.tables[id] ?? emptyTable(id);
  const table = reduceTable(known, message, { now, me: state.me.name });
  let next = { ...state, tables: { ...state.tables, [id]: table } };
  if (id === viewedId(state) && !state.held) next = inView(next, known, table, message);
  next = noteEnd(dialogAfter(next, table, message), table);
  return { state: next, effects: effectsOf(state, known, table, message) };
}

/** Whether somebody who looks on has gone back in the game in view. @param {State} state */
function isBrowsed(state) {
  return state.board.viewPly != null && viewedTable(state)?.you == null;
}

/** Who browses in a game is left there when the next one begins. @param {State} state @param {Table} was @param {Table} table @param {Message} message */
function inView(state, was, table, message) {
  const isNext = was.game?.result != null && was.game.game !== table.game?.game;
  if (isNext && state.board.viewPly != null && table.you == null) return { ...state, held: was };
  return { ...state, board: boardAfter(state.board, was, table, message) };
}

/**
 * How the board in view is touched by a message about its table.
 * @param {BoardState} board @param {Table} was @param {Table} table @param {Message} message
 * @returns {BoardState}
 */
function boardAfter(board, was, table, message) {
  if (was.game?.game !== table.game?.game) {
    const isFirst = was.game == null;
    return { ...freshBoard(), flipped: board.flipped, viewPly: isFirst ? board.viewPly : null };
  }
  const { pending } = board;
  const isConfirmed = pending != null
    && ((table.game?.ply ?? 0) > pending.ply || table.game?.result != null || message.type === 'took_back');
  const changed = was.game?.ply !== table.game?.ply || table.game?.result != null;
  // A piece in the hand stays there when the opponent has moved.
  const isHeld = message.type === 'moved' && message.played.color !== table.you && board.path.length === 1;
  const drops = message.type === 'took_back' || table.game?.result != null;
  const viewPly = board.viewPly != null && board.viewPly > (table.game?.ply ?? 0) ? null : board.viewPly;
  return {
    ...board,
    viewPly,
    pending: isConfirmed ? null : pending,
    path: changed && !isHeld ? [] : board.path,
    premove: drops ? null : board.premove,
    premoves: changed ? null : board.premoves,
    refused: changed ? null : board.refused,
  };
}

/** @param {State} state @param {Table} table @param {Message} message @returns {State} */
function dialogAfter(state, table, message) {
  if (table.id !== viewedId(state) || state.route.name !== 'game') return state;
  if (message.type === 'game_over' && table.you && message.game === table.game?.game) {
    return { ...state, dialog: { name: 'over' } };
  }
  const isOver = state.dialog?.name === 'over' || state.dialog?.name === 'resign';
  return message.type === 'game_started' && isOver ? { ...state, dialog: null } : state;
}

/** @param {State} state @param {Table} was @param {Table} table @param {Message} message @returns {Effect[]} */
function effectsOf(state, was, table, message) {
  /** @type {Effect[]} */
  const effects = [];
  if (table.stale && !was.stale) effects.push({ kind: 'send', message: { type: 'sync', table: table.id, since: since(was) } });
  if (table.id !== viewedId(state) || state.held) return effects;
  const isLoud = state.route.name === 'game' || state.route.name === 'tv';
  const isMuted = message.type === 'said' && !state.settings.phrases;
  if (isLoud && was !== table && !isMuted) effects.push(...heard(table, message));
  return effects;
}

/** Whether you play there. @param {Table} table */
export function isMine(table) {
  return table.you != null && isRunning(table);
}

/** What is known of a table's game, for the server to send the rest. @param {Table} table */
export function since(table) {
  return table.game && table.seq > 0 ? { game: table.game.game, seq: table.seq } : undefined;
}

/** @param {Table} table @param {Message} message @returns {Effect[]} */
function heard(table, message) {
  switch (message.type) {
    case 'moved': {
      const { played } = message;
      const sound = played.promotes ? 'king' : played.captures.length > 0 ? 'capture' : 'move';
      const key = played.captures.length > 0 ? 'say.took' : 'say.moved';
      const from = played.squares[0];
      const to = played.squares[played.squares.length - 1];
      const params = { color: played.color, from, to, n: played.captures.length };
      /** @type {Effect[]} */
      const effects = [{ kind: 'sound', sound }];
      return played.color === table.you ? effects : [...effects, { kind: 'say', key, params }];
    }
    case 'game_started':
      return [{ kind: 'sound', sound: 'start' }, { kind: 'say', key: 'say.started' }];
    case 'game_over':
      return [{ kind: 'sound', sound: 'end' }, { kind: 'say', key: `result.${message.result}`, urgent: true }];
    case 'offered':
      if (!table.you || message.by === table.you) return [];
      return [{ kind: 'sound', sound: 'notify' }, { kind: 'say', key: `say.offered.${message.offer}` }];
    case 'declined':
      return table.you && message.by !== table.you ? [{ kind: 'say', key: `say.declined.${message.offer}` }] : [];
    case 'said':
      if (!table.you || message.by === table.you) return [];
      return [{ kind: 'sound', sound: 'notify' }, { kind: 'say', key: `phrase.${message.phrase}` }];
    default:
      return [];
  }
}

/** @type {Handler} */
function refused(state, { code, table, candidates, message }, now) {
  if (!state.me.joined && (code === 'name_taken' || code === 'bad_name')) {
    if (state.me.wish != null) {
      // Who was somebody before still is.
      const told = withRefusal(state, code === 'name_taken' ? 'name_kept' : code);
      return { state: { ...told, me: { ...state.me, wish: null } }, effects: [{ kind: 'join' }] };
    }
    const isChosen = state.settings.name === state.me.name;
    const name = isChosen ? '' : state.settings.name;
    const next = { ...state, settings: { ...state.settings, name } };
    // Who did not choose the name gets another one, and need not know.
    return {
      state: isChosen ? { ...next, notice: notice(state, `error.${code}`) } : next,
      effects: [{ kind: 'join', anew: true }],
    };
  }
  // The server could not read its store.
  if (!state.me.joined && code === 'not_stored') return { state: { ...state, notice: notice(state, `error.${code}`) }, effects: [{ kind: 'join', later: true }] };
  if (!state.me.joined && code === 'bad_token') {
    const settings = state.settings.name === state.me.name ? { ...state.settings, name: '' } : state.settings;
    return { state: { ...state, settings, notice: notice(state, 'error.bad_token') }, effects: [{ kind: 'join', anew: true }] };
  }
  if (code === 'no_such_table') return lookInArchive(state, table ?? state.route.id);
  const { pending } = state.board;
  if (pending && MOVE_CODES.has(code) && (table == null || table === pending.table)) {
    const times = (state.board.refused?.times ?? 0) + 1;
    const board = { ...state.board, pending: null, path: [], refused: { code, times } };
    return { state: { ...withClockRunning(state, pending.table, now), board }, effects: [{ kind: 'say', key: `error.${code}`, urgent: true }] };
  }
  if (QUIET_CODES.has(code)) return { state, effects: [] };
  const until = /until (\S+Z)/.exec(message ?? '')?.[1];
  const params = {
    moves: candidates?.join(', '),
    until: until && new Intl.DateTimeFormat(state.settings.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(until)),
  };
  return { state: withRefusal(state, code, params), effects: [{ kind: 'say', key: `error.${code}`, params }] };
}

/** Guests who choose a name for an account read beside its field why they cannot have it. @param {State} state @param {string} code @param {{[name: string]: any}} [params] */
function withRefusal(state, code, params) {
  if (state.route.name === 'account' && !state.me.account) return { ...state, page: { ...state.page, refused: code } };
  return { ...state, notice: notice(state, `error.${code}`, params) };
}

/**
 * A table that is not there may be a game that is over.
 * @param {State} state @param {string | null} id @returns {Step}
 */
function lookInArchive(state, id) {
  if (id == null || id !== state.route.id || state.archive[id]) return { state, effects: [] };
  const archive = { ...state.archive, [id]: /** @type {const} */ ('loading') };
  return { state: { ...state, archive }, effects: [{ kind: 'archive', id }] };
}
