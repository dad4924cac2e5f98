/** What is told of a game to who does not see it: for a key on the board, or for a typed command. */

import { ownMoves, viewedTable } from '../core/state.js';
import { other } from '../core/table.js';
import { clockText, remaining } from './clock.js';
import { candidates } from './input.js';
import { latin } from './typed.js';
import { boardView, cellLabel } from './view.js';

/**
 * @import {Color} from '../protocol.js'
 * @import {State} from '../core/state.js'
 * @import {Cell} from './view.js'
 * @import {Translate} from '../i18n/words.js'
 *
 * @typedef {object} Listener
 * @property {State} state
 * @property {Translate} t
 * @property {number} now local time in milliseconds
 *
 * @typedef {'square' | 'last' | 'captured' | 'clocks' | 'moves' | 'captures' | 'pieces' | 'scan'} Told
 * @typedef {Told | 'resign' | 'draw' | 'takeback'} Command
 */

/** @type {{[name: string]: Command}} */
const COMMANDS = { c: 'clocks', l: 'last', p: 'pieces', scan: 'scan', resign: 'resign', draw: 'draw', takeback: 'takeback' };

/** @type {{[what in Told]: (listener: Listener, of: string) => string}} */
const TELLERS = { square, last, captured, clocks, moves: movesFrom, captures: capturesFrom, pieces, scan };

/**
 * What a text means that begins with a slash, such as `/scan c`.
 * @param {string} text
 * @returns {{command: Command | null, of: string} | null} `null` for what is no command; its
 *   `command` is `null` if there is none of that name
 */
export function readCommand(text) {
  const [, name = '', of = ''] = /^\s*\/(\w*)\s*(\S*)\s*$/.exec(latin(text)) ?? [];
  if (!text.trim().startsWith('/')) return null;
  return { command: COMMANDS[name] ?? null, of };
}

/** Whether a command asks to be told something. @param {Command} command @returns {command is Told} */
export function isTold(command) {
  return command in TELLERS;
}

/** @param {Told} what @param {Listener} listener @param {string} of a square; for `scan`, a file or a row */
export function aloud(what, listener, of) {
  return TELLERS[what](listener, of);
}

/** @param {Listener} listener @returns {Cell[]} */
function cellsOf({ state }) {
  return boardView(state, null).rows.flat();
}

/** @param {Listener} listener @param {string} of */
function square(listener, of) {
  const cell = cellsOf(listener).find((candidate) => candidate.square === of);
  return cell ? cellLabel(cell, listener.t) : '';
}

/** The moves that led to the position in view. @param {State} state */
function before(state) {
  const game = viewedTable(state)?.game;
  return game?.moves.slice(0, state.board.viewPly ?? game.ply) ?? [];
}

/** @param {Listener} listener */
function last({ state, t }) {
  const move = before(state).pop();
  return move ? t('say.lastMove', { move: move.move }) : t('game.noMoves');
}

/** @param {Listener} listener */
function captured({ state, t }) {
  const move = before(state).reverse().find(({ captures: taken }) => taken.length > 0);
  if (!move) return t('say.noCapture');
  return t('say.lastCapture', { color: other(move.color), squares: move.captures.join(', ') });
}

/** @param {Listener} listener */
function clocks({ state, t, now }) {
  const table = viewedTable(state);
  const side = table?.you ?? 'white';
  const text = (/** @type {Color} */ color) => {
    const ms = table?.reading ? remaining(table.reading, color, now) : null;
    return ms == null ? null : clockText(ms);
  };
  const [mine, theirs] = [text(side), text(other(side))];
  return mine ?? theirs ? t('say.clocks', { mine: mine ?? '–', theirs: theirs ?? '–' }) : t('say.noClocks');
}

/** @param {Listener} listener @param {string} from */
function movesFrom({ state, t }, from) {
  return movesText(state, from, t, () => true);
}

/** @param {Listener} listener @param {string} from */
function capturesFrom({ state, t }, from) {
  return movesText(state, from, t, (taken) => taken.length > 0);
}

/** @param {State} state @param {string} from @param {Translate} t @param {(captures: string[]) => boolean} isWanted */
function movesText(state, from, t, isWanted) {
  const { path } = state.board;
  const open = candidates(ownMoves(state) ?? [], path.length > 0 ? path : [from]);
  const texts = new Set(open.filter(({ move }) => isWanted(move.captures)).map(({ move }) => move.move));
  return texts.size > 0 ? [...texts].join(', ') : t('say.noMoves');
}

/** @param {Listener} listener */
function pieces(listener) {
  const { t } = listener;
  return /** @type {Color[]} */ (['white', 'black']).map((color) => {
    const squares = (/** @type {boolean} */ king) => cellsOf(listener)
      .filter(({ occupied }) => occupied?.color === color && occupied.king === king).map((cell) => cell.square).join(', ');
    const kings = squares(true);
    return [`${t(`color.${color}`)}: ${squares(false) || '–'}`, kings && t('say.kings', { squares: kings })].filter(Boolean).join('; ');
  }).join('. ');
}

/** @param {Listener} listener @param {string} of */
function scan(listener, of) {
  const found = cellsOf(listener).filter(({ occupied, square: name }) => occupied && name.includes(of));
  return found.length > 0 ? found.map((cell) => cellLabel(cell, listener.t)).join('; ') : listener.t('say.nothingThere');
}
