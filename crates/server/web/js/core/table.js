/**
 * A table as the page knows it: the fold of what the server says of it.
 *
 * Recorded events of a game are numbered without a gap by `seq`. One that is known already is
 * ignored; when one is missing, the table is `stale` until the server has sent the rest.
 */

import { PHRASES, SAID_MS } from './phrases.js';
import { reading, readingAsked, readingMoved, readingOn, stopped } from './clocks.js';

/**
 * @import {Color, GameState, LegalMove, Message, OfferKind, OpenOffer, TableInfo} from '../protocol.js'
 * @import {ClockReading} from '../game/clock.js'
 *
 * @typedef {GameState & {offers: OpenOffer[], started?: boolean, started_ms?: number}} Game
 *
 * @typedef {object} Table
 * @property {string} id
 * @property {TableInfo | null} info
 * @property {Game | null} game the running game or the last one
 * @property {number} seq the number of the last event known of it
 * @property {boolean} stale whether events are missing
 * @property {Color | null} you
 * @property {{ply: number, moves: LegalMove[]} | null} legal what you may play, if it is your turn
 * @property {ClockReading | null} reading
 * @property {{[color in Color]: {connected: boolean, claimAt: number | null}}} presence
 *   `claimAt`: the local time from which the opponent may claim the game
 * @property {number} watchers
 * @property {string[]} onlookers the names of the first who look on, as far as they are told
 * @property {Color | null} rematch who offers to play again
 * @property {{offer: OfferKind, by: Color} | null} declined what was turned down last, and by whom
 * @property {{[color in Color]?: {phrase: string, until: number}}} said what a player said last, and the local time until
 *   which it is shown
 * @property {string | null} closed why the table is no more
 * @property {{[name: string]: string}} bots names of bots that the server plays, and what each is
 * @property {boolean} stored whether what happens can be kept at the moment
 */

/** @param {string} id @returns {Table} */
export function emptyTable(id) {
  const here = { connected: true, claimAt: null };
  return {
    id, info: null, game: null, seq: 0, stale: false, you: null, legal: null, reading: null,
    presence: { white: here, black: here }, watchers: 0, onlookers: [], rematch: null, declined: null,
    said: {}, closed: null, bots: {}, stored: true,
  };
}

/** Whether a game runs there. @param {Table} table */
export function isRunning(table) {
  return table.game != null && table.game.result == null;
}

/** Whether you have a seat there, in a game or for one that is to begin. @param {Table} table */
export function holdsSeat(table) {
  return table.you != null && table.closed == null && table.game?.result == null;
}

/** @param {Color} color @returns {Color} */
export function other(color) {
  return color === 'white' ? 'black' : 'white';
}

/** What is on offer by a side, or by the other. @param {Table} table @param {OfferKind} kind @returns {Color | null} */
export function offerBy(table, kind) {
  if (kind === 'rematch') return table.rematch;
  return table.game?.offers.find((open) => open.offer === kind)?.by ?? null;
}

/**
 * The table after a message about it.
 * @param {Table} table
 * @param {Message} message
 * @param {{now: number, me: string}} world the local time in milliseconds, and the own name
 * @returns {Table}
 */
export function reduceTable(table, message, world) {
  const isEvent = message.seq != null && message.type !== 'table_state' && message.type !== 'game_started'
    && message.type !== 'game_state' && message.type !== 'acknowledged';
  if (isEvent && table.game && message.game === table.game.game) {
    if (message.seq <= table.seq) return table;
    if (message.seq > table.seq + 1 && table.seq > 0) return { ...table, stale: true };
  }
  const handler = REDUCERS[message.type];
  if (!handler) return table;
  const next = handler(table, message, world);
  return isEvent && next !== table ? { ...next, seq: message.seq } : next;
}

/** @typedef {(table: Table, message: any, world: {now: number, me: string}) => Table} Handler */
/** @type {{[type: string]: Handler}} */
const REDUCERS = {
  table_state: snapshot,
  game_state: (table, message, world) => started(table, message, world),
  game_started: (table, message, world) => started({ ...table, rematch: null, declined: null }, message, world),
  your_turn: yourTurn,
  clocks: (table, message, world) => ({ ...table, reading: readingOn(table, message, world.now) }),
  moved,
  offered,
  declined: (table, message) => ({
    ...withoutOffer(table, message.offer),
    declined: { offer: message.offer, by: message.by },
  }),
  lapsed: (table, message) => withoutOffer(table, message.offer),
  took_back: tookBack,
  game_over: gameOver,
  players,
  presence,
  said,
  watchers: (table, message) => ({ ...table, watchers: message.count }),
  storage: (table, message) => ({ ...table, stored: message.ok }),
  table_closed: (table, message) => ({ ...table, closed: message.reason }),
};

/** @type {Handler} */
function snapshot(table, message, world) {
  const seats = message.info?.seats ?? {};
  const base = {
    ...emptyTable(table.id),
    info: message.info ?? table.info,
    you: message.you ?? null,
    watchers: message.info?.watchers ?? 0,
    rematch: rematchOf(message),
    stored: table.stored,
    onlookers: table.onlookers,
    bots: botsOf(table.bots, [seats.white, seats.black]),
  };
  const game = message.state;
  const next = game ? started(base, game, world) : base;
  const legal = game && message.legal_moves ? { ply: game.ply, moves: message.legal_moves } : null;
  const presence = { white: seatPresence(seats.white, world), black: seatPresence(seats.black, world) };
  return { ...next, you: base.you, presence, legal };
}

/** Who is a bot stays true. @param {Table['bots']} known @param {({name: string, bot?: string} | undefined)[]} here */
function botsOf(known, here) {
  const told = here.flatMap((one) => (one?.bot ? [[one.name, one.bot]] : []));
  return { ...known, ...Object.fromEntries(told) };
}

/** @param {any} message @returns {Color | null} */
function rematchOf(message) {
  return message.rematch?.by ?? message.rematch ?? null;
}

/** @param {any} seat @param {{now: number}} world */
function seatPresence(seat, world) {
  if (!seat || seat.connected) return { connected: true, claimAt: null };
  return { connected: false, claimAt: claimAt(seat.claim_in_ms, world) };
}

/** @param {number | undefined} inMs @param {{now: number}} world */
function claimAt(inMs, world) {
  return inMs == null ? null : world.now + inMs;
}

/** @type {Handler} */
function started(table, state, world) {
  const game = { ...state, offers: state.offers ?? [] };
  delete game.type;
  delete game.table;
  const here = { connected: true, claimAt: null };
  const isNew = table.game?.game !== game.game;
  const next = {
    ...table,
    game,
    seq: state.seq ?? 0,
    stale: false,
    you: seatOf(game, world.me),
    legal: null,
    presence: isNew ? { white: here, black: here } : table.presence,
  };
  return { ...next, reading: reading(next, game, world.now) };
}

/** @param {Game} game @param {string} me @returns {Color | null} */
function seatOf(game, me) {
  if (game.white === me) return 'white';
  return game.black === me ? 'black' : null;
}

/** @type {Handler} */
function yourTurn(table, message, world) {
  if (!table.game || message.game !== table.game.game) return table;
  const legal = message.legal_moves ? { ply: message.ply, moves: message.legal_moves } : null;
  return { ...table, legal, reading: readingAsked(table, message, world.now) };
}

/** @type {Handler} */
function moved(table, message, world) {
  const game = table.game;
  if (!game || message.game !== game.game || message.played.ply !== game.ply) {
    return game && message.played.ply > game.ply ? { ...table, stale: true } : table;
  }
  const after = {
    ...game,
    moves: [...game.moves, message.played],
    fen: message.fen,
    turn: message.turn,
    ply: game.ply + 1,
  };
  const next = { ...table, game: after, legal: null, declined: null };
  return { ...next, reading: readingMoved(next, message, world.now) };
}

/** @type {Handler} */
function offered(table, message) {
  if (message.offer === 'rematch') return { ...table, rematch: message.by, declined: null };
  if (!table.game) return table;
  const rest = table.game.offers.filter((open) => open.offer !== message.offer);
  const offers = [...rest, { offer: message.offer, by: message.by }];
  return { ...table, game: { ...table.game, offers }, declined: null };
}

/** @param {Table} table @param {OfferKind} kind @returns {Table} */
function withoutOffer(table, kind) {
  if (kind === 'rematch') return { ...table, rematch: null };
  if (!table.game) return table;
  const offers = table.game.offers.filter((open) => open.offer !== kind);
  return { ...table, game: { ...table.game, offers } };
}

/** @type {Handler} */
function tookBack(table, message, world) {
  if (!table.game || message.game !== table.game.game) return table;
  const game = {
    ...table.game,
    moves: table.game.moves.slice(0, message.ply),
    ply: message.ply,
    fen: message.fen,
    turn: message.turn,
    offers: [],
  };
  const next = { ...table, game, legal: null };
  return { ...next, reading: readingOn(next, message, world.now) };
}

/** @type {Handler} */
function gameOver(table, message, world) {
  if (!table.game || message.game !== table.game.game) return table;
  const { result, reason, article, left, fen, ply } = message;
  const game = { ...table.game, result, reason, article, left, fen, ply, offers: [] };
  if (message.id) game.id = message.id;
  const last = table.reading && stopped(table.reading, world.now, table.game.turn, reason);
  return { ...table, game, legal: null, declined: null, reading: last };
}

/** @type {Handler} */
function players(before, message, world) {
  const table = { ...before, bots: botsOf(before.bots, message.players) };
  const role = (/** @type {Color} */ color) => message.players.find((/** @type {any} */ p) => p.role === color)?.name;
  const mine = message.players.find((/** @type {any} */ player) => player.name === world.me)?.role;
  const seated = { white: role('white'), black: role('black') };
  const info = table.info && { ...table.info, seats: seatsFrom(table, seated) };
  // A finished game's seats are free again; whose game it was stays known.
  const you = mine === 'white' || mine === 'black' ? mine : isOver(table) ? table.you : null;
  const onlookers = message.players.flatMap((/** @type {any} */ player) => (player.role === 'spectator' ? [player.name] : []));
  return { ...table, info, you, onlookers, watchers: message.watchers ?? table.watchers };
}

/** @param {Table} table */
function isOver(table) {
  return table.game?.result != null;
}

/** @param {Table} table @param {{white?: string, black?: string}} seated */
function seatsFrom({ info, bots }, seated) {
  const seat = (/** @type {Color} */ color) => {
    const name = seated[color];
    if (name == null) return undefined;
    const old = info?.seats[color];
    return old?.name === name ? old : { name, connected: true, bot: bots[name] };
  };
  return { white: seat('white'), black: seat('black') };
}

/** @type {Handler} */
function said(table, { by, phrase }, world) {
  if (!PHRASES.includes(phrase)) return table;
  return { ...table, said: { ...table.said, [by]: { phrase, until: world.now + SAID_MS } } };
}

/** @type {Handler} */
function presence(table, message, world) {
  const seat = { connected: message.connected, claimAt: message.connected ? null : claimAt(message.claim_in_ms, world) };
  return { ...table, presence: { ...table.presence, [message.color]: seat } };
}
