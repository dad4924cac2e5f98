/** Draws the board: a grid of cells for hands, keys and screen readers, under a drawing for eyes. */

import { other } from '../core/table.js';
import { cellLabel } from '../game/view.js';
import { isDark, middle, rows } from '../game/squares.js';
import { h } from '../ui/dom.js';

/**
 * @import {BoardView, Cell, SeenPiece} from '../game/view.js'
 * @import {Translate} from '../i18n/words.js'
 * @import {VElement} from '../ui/dom.js'
 *
 * @typedef {{[event: string]: (event: any) => void}} BoardEvents listeners for the grid
 */

/**
 * @param {BoardView} view
 * @param {Translate} t
 * @param {BoardEvents} [on]
 * @returns {VElement}
 */
export function boardNode(view, t, on = {}) {
  const classes = ['board', view.live && 'live', view.own && 'own', view.refusals % 2 ? 'refused-odd' : view.refusals > 0 && 'refused-even'];
  return h('div', { class: classes.filter(Boolean).join(' '), 'data-below': view.flipped ? 'black' : 'white' },
    grid(view, t, on), drawing(view));
}

/** @param {BoardView} view @param {Translate} t @param {BoardEvents} on */
function grid(view, t, on) {
  const stop = tabStop(view);
  return h('div.grid', { role: 'grid', 'aria-label': t('board.label'), on },
    view.rows.map((row) => h('div.row', { role: 'row', key: `row${row[0]?.square.charAt(1)}` },
      row.map((cell) => cellNode(cell, t, cell.square === stop)))));
}

/** The one cell that the tab key reaches. @param {BoardView} view */
function tabStop(view) {
  const all = view.rows.flat();
  const first = (/** @type {(cell: Cell) => unknown} */ wanted) => all.find(wanted)?.square;
  return view.focus ?? first((cell) => cell.canMove) ?? first((cell) => view.own && cell.occupied?.color === view.own) ?? first((cell) => cell.dark);
}

/** @param {Cell} cell @param {Translate} t @param {boolean} isStop */
function cellNode(cell, t, isStop) {
  const { square } = cell;
  return h('div', {
    key: square,
    class: `cell ${cell.dark ? 'dark' : 'light'}${cell.canMove ? ' can-move' : ''}${cell.last ? ' last' : ''}`,
    role: 'gridcell',
    'data-sq': square,
    'data-target': cell.target,
    'aria-label': cellLabel(cell, t),
    'aria-selected': cell.chosen ? 'true' : 'false',
    tabindex: isStop ? '0' : '-1',
  });
}

/** @param {BoardView} view */
function drawing(view) {
  const cells = view.rows.flat();
  const targets = cells.filter((cell) => cell.target).map((cell) => cell.square);
  const must = cells.filter((cell) => cell.must).map((cell) => cell.square);
  const chosen = view.path.length > 0 ? view.path[view.path.length - 1] : null;
  const at = (/** @type {string} */ square) => middle(square, view.flipped);
  return h('svg.drawing', { viewBox: '0 0 800 800', 'aria-hidden': 'true' },
    h('g.coordinates', { key: 'coordinates' }, coordinateTexts(view)),
    h('g.under', { key: 'under' },
      polyline('trail', view.trail, at),
      view.crosses.map((square) => taken(square, view, at)),
      view.premove && [polyline('premove', view.premove, at), ring('premove', view.premove[1], at)],
      must.map((square) => ring('must', square, at))),
    h('g.pieces', { key: 'pieces' }, view.pieces.map((piece) => pieceNode(piece, at))),
    h('g.over', { key: 'over' },
      view.crosses.map((square) => isOccupied(view, square) && cross(square, at)),
      polyline('path', view.path, at),
      chosen != null && ring('chosen', chosen, at),
      view.path.slice(1).map((square, i) => number(square, i + 1, at)),
      targets.map((square) => dot(square, at)),
      view.shapes.map((shape) => shapeNode(shape, at))));
}

/** Rows at the left, files below, numbers at the right: in the corners of their cells. @param {BoardView} view */
function coordinateTexts({ rows, squares }) {
  const numbers = squares === 'numbers' || squares === 'both' ? rows.flatMap((row, down) => row.map(({ square, dark }, across) => dark && h('text', {
    key: `number${square}`, class: 'on-dark number', x: across * 100 + 97, y: down * 100 + 16, 'text-anchor': 'end',
  }, String(NUMBERED.indexOf(square) + 1)))) : [];
  if (squares === 'numbers' || squares === 'none') return numbers;
  const left = rows.map(([cell], down) => cell && h('text', {
    key: `rank${cell.square}`, class: cell.dark ? 'on-dark' : 'on-light', x: 5, y: down * 100 + 19,
  }, cell.square.charAt(1)));
  const below = (rows[7] ?? []).map((cell, across) => h('text', {
    key: `file${cell.square}`, class: cell.dark ? 'on-dark' : 'on-light', x: across * 100 + 95, y: 793, 'text-anchor': 'end',
  }, cell.square.charAt(0)));
  return [...numbers, ...left, ...below];
}

/** The dark squares in the order of their numbers: 1 is b8, 32 is g1. */
const NUMBERED = rows(false).flat().filter(isDark);

/** @typedef {(square: string) => {x: number, y: number}} At */

/** @param {SeenPiece} piece @param {At} at */
function pieceNode(piece, at) {
  const { x, y } = at(piece.square);
  return h('g', {
    key: piece.id,
    class: `piece ${piece.color}${piece.king ? ' king' : ''} ${piece.look}${piece.canMove ? ' can-move' : ''}`,
    'data-piece': piece.id,
    'data-at': piece.square,
    style: { transform: `translate(${x}px, ${y}px)` },
  }, disc(), piece.king && crown());
}

/** A man from above: a turned disc with two grooves. */
function disc() {
  return [
    h('ellipse.shade', { cx: 0, cy: 5, rx: 40, ry: 39 }),
    h('circle.rim', { r: 39 }),
    h('circle.face', { r: 34 }),
    h('circle.groove', { r: 27 }),
    h('circle.groove', { r: 18 }),
  ];
}

function crown() {
  return h('g.crown', null,
    h('circle.plate', { r: 23 }),
    h('path', { d: 'M-16 9 L-18 -9 L-8 0 L0 -14 L8 0 L18 -9 L16 9 Z' }),
    h('path', { d: 'M-15 14 H15' }));
}

/** @param {string} name @param {string[]} squares @param {At} at */
function polyline(name, squares, at) {
  if (squares.length < 2) return null;
  const points = squares.map(at).map(({ x, y }) => `${x},${y}`).join(' ');
  return h('polyline', { key: name, class: name, points });
}

/** @param {string} name @param {string} square @param {At} at */
function ring(name, square, at) {
  const { x, y } = at(square);
  return h('circle', { key: `${name}-${square}`, class: name, cx: x, cy: y, r: 44 });
}

/** @param {string} square @param {At} at */
function dot(square, at) {
  const { x, y } = at(square);
  return h('circle.target', { key: `target-${square}`, cx: x, cy: y, r: 15 });
}

/** @param {string} square @param {At} at */
function cross(square, at) {
  const { x, y } = at(square);
  return h('path.cross', { key: `cross-${square}`, d: `M${x - 20} ${y - 20} l40 40 m0 -40 l-40 40` });
}

/** @param {BoardView} view @param {string} square */
function isOccupied({ pieces }, square) {
  return pieces.find((piece) => piece.square === square);
}

/** Where a piece was captured: a small one of its colour. @param {string} square @param {BoardView} view @param {At} at */
function taken(square, view, at) {
  const mover = isOccupied(view, view.trail[view.trail.length - 1] ?? '');
  if (!mover || isOccupied(view, square)) return null;
  const { x, y } = at(square);
  return h('circle', { key: `taken-${square}`, class: `taken ${other(mover.color)}`, cx: x, cy: y, r: 13 });
}

/** A circle, or an arrow from one square to another. @param {string} shape @param {At} at */
function shapeNode(shape, at) {
  const [from, to] = [shape.slice(0, 2), shape.slice(2)];
  if (!to) return ring('shape', from, at);
  const [a, b] = [at(from), at(to)];
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [x, y] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const neck = { x: b.x - x * 34, y: b.y - y * 34 };
  const points = [b, { x: neck.x - y * 18, y: neck.y + x * 18 }, { x: neck.x + y * 18, y: neck.y - x * 18 }];
  return h('g', { key: `shape-${shape}`, class: 'shape' },
    h('path', { d: `M${a.x} ${a.y}L${neck.x} ${neck.y}` }),
    h('polygon', { points: points.map((point) => `${point.x},${point.y}`).join(' ') }));
}

/** @param {string} square @param {number} n @param {At} at */
function number(square, n, at) {
  const { x, y } = at(square);
  return h('g', { key: `step-${n}-${square}`, class: 'step' },
    h('circle', { cx: x + 28, cy: y - 28, r: 15 }),
    h('text', { x: x + 28, y: y - 22 }, String(n)));
}
