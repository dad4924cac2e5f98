/** Keys: on the board for playing without a mouse, elsewhere for going through the game. */

import { clockText, remaining } from '../game/clock.js';
import { candidates } from '../game/input.js';
import { neighbour } from '../game/squares.js';
import { boardView, cellLabel } from '../game/view.js';
import { ownMoves, sideBelow, viewedTable } from '../core/state.js';
import { other } from '../core/table.js';
import { translator } from '../i18n/words.js';
import { announce } from './announcer.js';

/**
 * @import {App} from '../app.js'
 */

/** @type {{[key: string]: [right: number, down: number]}} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

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
  const isOwnKing = (/** @type {any} */ { occupied }) => occupied?.king && occupied.color === viewedTable(state)?.you;
  if (step) {
    focusSquare(app, neighbour(square, step[0], step[1], flipped));
    return true;
  }
  switch (event.key) {
    case 'Enter': case ' ': app.act.click(square); return true;
    case 'Escape': app.act.clear(); return true;
    case 'Backspace': app.act.stepBack(); return true;
    case 'n': focusNext(app, square, (cell) => cell.canMove, 1); return true;
    case 'k': case 'K': focusNext(app, square, isOwnKing, event.key === 'k' ? 1 : -1); return true;
    case 'o': case 'l': case 't': case 'm': readAloud(app, event.key, square); return true;
    default: return false;
  }
}

/** @param {App} app @param {string} square */
export function focusSquare(app, square) {
  app.act.focus(square);
  const cell = /** @type {HTMLElement | null} */ (document.querySelector(`[data-sq="${square}"]`));
  cell?.focus();
}

/** @param {App} app @param {string} square @param {(cell: any) => unknown} wanted @param {1 | -1} way */
function focusNext(app, square, wanted, way) {
  const all = boardView(app.store.state, null).rows.flat();
  const at = all.findIndex((cell) => cell.square === square);
  for (let i = 1; i <= all.length; i += 1) {
    const cell = all[(at + way * i + all.length * 2) % all.length];
    if (cell && wanted(cell)) return focusSquare(app, cell.square);
  }
}

/** Reads something aloud. @param {App} app @param {string} what @param {string} square */
function readAloud(app, what, square) {
  const { state } = app.store;
  const t = translator(state.settings.lang);
  const table = viewedTable(state);
  if (what === 'o') {
    const cell = boardView(state, null).rows.flat().find((candidate) => candidate.square === square);
    if (cell) announce(cellLabel(cell, t), true);
  } else if (what === 'l') {
    const move = table?.game?.moves[(state.board.viewPly ?? table.game.ply) - 1];
    announce(move ? t('say.lastMove', { move: move.move }) : t('game.noMoves'), true);
  } else if (what === 't') {
    const side = table?.you ?? 'white';
    const text = (/** @type {'white' | 'black'} */ color) => {
      const ms = table?.reading ? remaining(table.reading, color, performance.now()) : null;
      return ms == null ? '–' : clockText(ms);
    };
    announce(table?.reading ? t('say.clocks', { mine: text(side), theirs: text(other(side)) }) : t('say.noClocks'), true);
  } else {
    const legal = ownMoves(state) ?? [];
    const { path } = state.board;
    const from = path.length > 0 ? path : [square];
    const ends = new Set(candidates(legal, from).map(({ move }) => move.move));
    announce(ends.size > 0 ? [...ends].join(', ') : t('say.noMoves'), true);
  }
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
  const isButton = /** @type {HTMLElement} */ (event.target).closest('button, a, summary');
  switch (event.key) {
    case 'ArrowLeft': app.act.view(ply - 1); return true;
    case 'ArrowRight': app.act.view(ply + 1); return true;
    case 'ArrowUp': case 'Home': app.act.view(0); return true;
    case 'ArrowDown': case 'End': app.act.view(Infinity); return true;
    case 'f': app.act.flip(); return true;
    case '/': document.getElementById('typed-move')?.focus(); return true;
    case ' ': return !isButton && name === 'analysis' && app.study?.playBest() === true;
    case 'Escape': app.act.clear(); return true;
    default: return false;
  }
}
