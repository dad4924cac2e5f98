/** The page of a game, for its players and for those who watch. */

import { LOCAL } from '../core/local.js';
import { isRunning, other } from '../core/table.js';
import { isJudged, ownMoves, sideBelow } from '../core/state.js';
import { boardView } from '../game/view.js';
import { thinkingSeconds } from '../game/clock.js';
import { mustCapture } from '../game/input.js';
import { h } from '../ui/dom.js';
import { boardNode } from './board.js';
import { actionRow } from './actions.js';
import { moveKeys, moveList } from './moves.js';
import { noticeSlot } from './offers.js';
import { button, clockLabel, icon, link } from './parts.js';
import { talkButton } from './phrases.js';
import { playerName, playerRow } from './player.js';
import { isPlayed, resultText } from './result.js';
import { waitingRoom } from './waiting.js';

/**
 * @import {Color} from '../protocol.js'
 * @import {Context} from './context.js'
 * @import {Table} from '../core/table.js'
 */

/** From here on it is told how long a computer has been thinking. */
const SHOWN_SECONDS = 2;

/** @param {Context} context */
export function gamePage(context) {
  const { table } = context;
  if (!table || (!table.game && !table.info)) return waiting(context);
  if (!table.game) return waitingRoom(context, table);
  return h('main.game', { id: 'main', key: 'game' }, gameTitle(context, table), boardColumn(context, table), side(context, table));
}

/** Who plays: the heading for those who do not see the board. @param {Context} context @param {Table} table */
export function gameTitle({ t }, table) {
  return h('h1.unseen', { key: 'title' }, `${playerName(table, 'white', t)} – ${playerName(table, 'black', t)}`);
}

/** @param {Context} context */
function waiting({ state, t, act }) {
  const { id } = state.route;
  const isMissing = id != null && state.archive[id] === 'missing';
  return h('main.message', { id: 'main', key: 'wait' }, h('h1', null, t(isMissing ? 'game.missing' : 'game.loading')),
    isMissing && link('/', t('app.home'), act.go, { class: 'button primary' }));
}

/** Board, players and what to do now. @param {Context} context @param {Table} table */
export function boardColumn(context, table) {
  const { state, t, now, frame, boardEvents } = context;
  const below = sideBelow(state);
  return h('section.board-column', { key: 'board', 'aria-label': t('board.label') },
    playerRow(state, table, other(below), t, now, talkButton(context, table, other(below))),
    boardNode(boardView(state, frame), t, boardEvents),
    playerRow(state, table, below, t, now, talkButton(context, table, below)),
    statusLine(context, table));
}

/** @param {Context} context @param {Table} table */
function statusLine(context, table) {
  const { text, kind } = statusOf(context, table);
  return h('p', { class: `status ${kind}`, key: 'status' }, text);
}

/**
 * What there is to do or to wait for, in one line.
 * @param {Context} context @param {Table} table
 * @returns {{text: string, kind: string}}
 */
function statusOf({ state, t, now }, table) {
  const { game } = table;
  const { board } = state;
  if (!game) return { text: '', kind: 'plain' };
  if (game.result != null) return { text: resultText(table, t), kind: 'over' };
  if (board.refused && !board.pending) return { text: refusal(board.refused.code, t), kind: 'refused' };
  if (board.pending) return { text: t('game.sending'), kind: 'plain' };
  const away = table.id === LOCAL ? null : linkText(state, t);
  if (away) return { text: away, kind: 'refused' };
  const legal = ownMoves(state);
  if (legal && board.path.length > 1) return { text: t('game.choose'), kind: 'yours' };
  if (legal) return { text: t(mustCapture(legal) ? 'game.mustCapture' : 'game.yourMove'), kind: 'yours' };
  if (table.you === game.turn) return { text: t('game.yourMove'), kind: 'yours' };
  if (board.premove) return { text: t('game.premove', { move: board.premove.join('-') }), kind: 'plain' };
  if (table.bots[game[game.turn]]) return { text: thinking(table, game.turn, t, now), kind: 'plain' };
  return { text: t('game.theirMove', { color: game.turn }), kind: 'plain' };
}

/** That a computer thinks and, if it takes long, for how long already. @param {Table} table @param {Color} color @param {Context['t']} t @param {number} now */
function thinking(table, color, t, now) {
  const seconds = thinkingSeconds(table.reading, now);
  const text = t('game.thinking', { name: playerName(table, color, t) });
  return seconds < SHOWN_SECONDS ? text : `${text} ${t('game.seconds', { n: seconds })}`;
}

/** Why the server cannot be spoken to, once it could. @param {Context['state']} state @param {Context['t']} t */
function linkText({ connection: { status, attempt } }, t) {
  if (status === 'replaced' || status === 'restarting' || status === 'outdated' || status === 'off') return t(`link.${status}`);
  return status === 'lost' || status === 'full' || (status === 'connecting' && attempt > 0) ? t('link.trying') : null;
}

/** @param {string} code @param {Context['t']} t */
function refusal(code, t) {
  return code.includes('.') ? t(code) : code === 'forced' ? t('game.mustCapture') : t(`error.${code}`);
}

/** Moves, offers and buttons. @param {Context} context @param {Table} table */
function side(context, table) {
  const { state, t, act } = context;
  const game = /** @type {NonNullable<Table['game']>} */ (table.game);
  const ply = state.board.viewPly ?? game.ply;
  const live = isJudged(table) && isPlayed(table) ? context.live?.(context, table) : null;
  const list = { moves: game.moves, ply, result: game.result == null ? null : resultText(table, t), marks: live?.marks };
  return h('section.side', { key: 'side', 'aria-label': t('game.moves') },
    h('div.about', { key: 'about' },
      h('span', null, [clockLabel(table.info, t), table.info?.rated ? t('game.rated') : table.info?.casual && t('game.casual')].filter(Boolean).join(' · ')),
      h('span.watchers', { title: table.onlookers.join(', ') || null }, icon('eye'), t('game.watchers', { n: table.watchers }),
        table.onlookers.length > 0 && h('span.unseen', null, `: ${table.onlookers.join(', ')}`))),
    h('div.keys-row', { key: 'keys' }, moveKeys(ply, game.ply, t, act.view), context.tools()),
    moveList(list, t, act.view),
    live?.chart,
    browsing(context, table),
    noticeSlot(context, table),
    isRunning(table) && table.you ? typedMove(context) : null,
    actionRow(context, table));
}

/** @param {Context} context @param {Table} table */
function browsing({ state, t, act }, table) {
  const { viewPly } = state.board;
  const last = table.game?.ply ?? 0;
  const isBack = viewPly != null && viewPly < last;
  if (state.held) {
    return h('div.browsing', { key: 'browsing', role: 'status' },
      h('span', null, t('game.nextOn')), button(t('game.toNext'), act.nextGame, { class: 'link-button', id: 'next-game' }));
  }
  return h('div', { class: `browsing${isBack ? '' : ' idle'}`, key: 'browsing' }, isBack && [
    h('span', null, t('game.browsing', { n: viewPly, all: last })),
    button(t(isRunning(table) ? 'game.toLive' : 'game.toEnd'), () => act.view(last), { class: 'link-button' }),
  ]);
}

/** @param {Context} context */
export function typedMove({ state, t, act }) {
  const problem = state.form.typedProblem ?? null;
  return h('form', {
    class: `typed${state.form.typing ? ' open' : ''}`,
    key: 'typed',
    on: {
      submit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const input = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.currentTarget).elements.namedItem('move'));
        if (act.type(input.value)) input.value = '';
      },
    },
  },
  h('label', { for: 'typed-move' }, t('game.typeMove')),
  h('input', {
    id: 'typed-move', name: 'move', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: '40',
    placeholder: t('game.typeHint'), 'aria-invalid': problem ? 'true' : null, 'aria-describedby': 'typed-problem',
  }),
  h('p.problem', { id: 'typed-problem', role: 'status' }, problem));
}
