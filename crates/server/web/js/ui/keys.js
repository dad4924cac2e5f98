/** Keys: on the board for playing without a mouse, elsewhere for going through the game. */

import { aloud } from '../game/aloud.js';
import { jump, neighbour } from '../game/squares.js';
import { boardView } from '../game/view.js';
import { sideBelow, viewedTable } from '../core/state.js';
import { translator } from '../i18n/words.js';
import { announce } from './announcer.js';
import { playSound } from './sound.js';

/**
 * @import {App} from '../app.js'
 * @import {Told} from '../game/aloud.js'
 * @import {Cell} from '../game/view.js'
 */

/** @type {{[key: string]: [right: number, down: number]}} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** What a key on the board reads aloud. @type {{[key: string]: Told}} */
const READ = { o: 'square', l: 'last', c: 'captured', t: 'clocks', m: 'moves', M: 'captures' };

/** @param {App} app */
export function boardKeys(app) {
  return (/** @type {KeyboardEvent} */ event) => {
    const square = /** @type {HTMLElement} */ (event.target).closest('[data-sq]')?.getAttribute('data-sq');
    if (!square || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!onBoard(app, event, square)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

/** @param {App} app @param {KeyboardEvent} event @param {string} square @returns {boolean} whether the key means something */
function onBoard(app, event, square) {
  const { state } = app.store;
  const flipped = sideBelow(state) === 'black';
  const step = STEPS[event.key];
  const told = READ[event.key];
  const digit = /^Digit([1-8])$/.exec(event.code)?.[1];
  if (step) go(app, square, neighbour(square, step[0], step[1], flipped));
  else if (told) readAloud(app, told, square);
  else if (digit) focusSquare(app, jump(square, Number(digit), event.shiftKey));
  else return acts(app, event.key, square);
  return true;
}

/** @param {App} app @param {string} key @param {string} square @returns {boolean} whether the key means something */
function acts(app, key, square) {
  const own = viewedTable(app.store.state)?.you;
  const isOwn = (/** @type {boolean} */ king) => (/** @type {Cell} */ { occupied }) => occupied?.king === king && (own == null || occupied.color === own);
  switch (key) {
    case 'Enter': case ' ': app.act.click(square); return true;
    case 'Escape': app.act.clear(); return true;
    case 'Backspace': app.act.stepBack(); return true;
    case 'n': focusNext(app, square, (cell) => cell.canMove, 1); return true;
    case 'k': case 'K': focusNext(app, square, isOwn(true), key === 'k' ? 1 : -1); return true;
    case 'p': case 'P': focusNext(app, square, isOwn(false), key === 'p' ? 1 : -1); return true;
    default: return false;
  }
}

/** To the next square; at the edge of the board that is heard. @param {App} app @param {string} from @param {string} to */
function go(app, from, to) {
  if (from === to && app.store.state.settings.sound) playSound('edge');
  focusSquare(app, to);
}

/** @param {App} app @param {string} square */
export function focusSquare(app, square) {
  app.act.focus(square);
  const cell = /** @type {HTMLElement | null} */ (document.querySelector(`[data-sq="${square}"]`));
  cell?.focus();
}

/** @param {App} app @param {string} square @param {(cell: Cell) => unknown} wanted @param {1 | -1} way */
function focusNext(app, square, wanted, way) {
  const all = boardView(app.store.state, null).rows.flat();
  const at = all.findIndex((cell) => cell.square === square);
  for (let i = 1; i <= all.length; i += 1) {
    const cell = all[(at + way * i + all.length * 2) % all.length];
    if (cell && wanted(cell)) return focusSquare(app, cell.square);
  }
}

/** Reads something aloud. @param {App} app @param {Told} what @param {string} square */
function readAloud(app, what, square) {
  const { state } = app.store;
  announce(aloud(what, { state, t: translator(state.settings.lang), now: performance.now() }, square), true);
}

/** Keys that work everywhere but in fields. @param {App} app */
export function pageKeys(app) {
  return (/** @type {KeyboardEvent} */ event) => {
    document.documentElement.classList.add('kbd');
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest('input, select, textarea, dialog') || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!inGame(app, event)) return;
    event.preventDefault();
  };
}

/** @param {App} app @param {KeyboardEvent} event */
function inGame(app, event) {
  const { state } = app.store;
  if (event.key === '?') {
    app.act.open('keys');
    return true;
  }
  const game = viewedTable(state)?.game;
  const { name } = state.route;
  if (name === 'editor') return app.study?.editor.key(event.key) ?? false;
  if (!game || (name !== 'analysis' && name !== 'game' && name !== 'tv' && name !== 'embed')) return false;
  const ply = state.board.viewPly ?? game.ply;
  if (name === 'analysis' && inAnalysis(app, event)) return true;
  switch (event.key) {
    case 'ArrowRight': case 'j': case 'l': app.act.view(ply + 1); return true;
    case 'ArrowLeft': case 'h': case 'k': app.act.view(ply - 1); return true;
    case 'ArrowUp': case 'Home': case '0': app.act.view(0); return true;
    case 'ArrowDown': case 'End': case '$': app.act.view(Infinity); return true;
    case 'f': app.act.flip(); return true;
    case 'z': app.act.zen(); return true;
    case '/': document.getElementById('typed-move')?.focus(); return true;
    case 'Escape': app.act.clear(); return true;
    default: return false;
  }
}

/** @param {App} app @param {KeyboardEvent} event */
function inAnalysis({ study }, event) {
  const isButton = /** @type {HTMLElement} */ (event.target).closest('button, a, summary');
  // By their place, since other letters are there on a Cyrillic keyboard.
  if (event.code === 'Comma' || event.code === 'Period') return study?.mistake(event.code === 'Comma' ? -1 : 1) === true;
  switch (event.key) {
    case ' ': return !isButton && study?.playBest() === true;
    case 'l': study?.toggle(); return true;
    case 'x': study?.threat(); return true;
    default: return false;
  }
}
