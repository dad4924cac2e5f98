/** What the board shows: a function of the state, without any element of the document. */

import { candidates, endSquares, movable, mustCapture, nextSquares } from './input.js';
import { crownedAt, positions } from './pieces.js';
import { isDark, rows } from './squares.js';
import { ownMoves, sideBelow, viewedTable } from '../core/state.js';

/**
 * @import {Color, LegalMove, PlayedMove} from '../protocol.js'
 * @import {Piece} from './pieces.js'
 * @import {Choice} from './input.js'
 * @import {State} from '../core/state.js'
 *
 * @typedef {{ply: number, moving: boolean}} Frame
 *   the position that is drawn, and whether the move that led to it is still on its way
 *
 * @typedef {Piece & {look: 'still' | 'ghost' | 'origin' | 'sent', canMove: boolean}} SeenPiece
 *   `ghost`: captured, to be taken off when the move is over; `origin`: where the piece that is
 *   being moved came from; `sent`: moved, and not confirmed yet
 * @typedef {{square: string, dark: boolean, target: boolean, step: number | null, chosen: boolean,
 *   canMove: boolean, must: boolean, last: boolean, occupied: Piece | null, ghost: boolean}} Cell
 * @typedef {object} BoardView
 * @property {boolean} flipped
 * @property {boolean} live whether the own side may choose a move now
 * @property {Color | null} own the side whose pieces may be touched, for a move or beforehand
 * @property {Cell[][]} rows
 * @property {SeenPiece[]} pieces
 * @property {string[]} path squares of the move that is being chosen, or has been sent
 * @property {string[]} trail squares of the move before this position
 * @property {string[]} crosses squares on which that move captured
 * @property {[string, string] | null} premove
 * @property {string | null} focus
 * @property {string[]} shapes arrows and circles, as `BoardState` has them
 * @property {State['settings']['squares']} squares how squares are named
 * @property {number} refusals counts tries that were no move, so that each can be shown
 */

/** @type {Piece[]} */
const NOBODY = [];

/**
 * @param {State} state
 * @param {Frame | null} frame
 * @returns {BoardView}
 */
export function boardView(state, frame) {
  return { ...playedView(state, frame), squares: state.settings.squares, shapes: seenShapes(state) };
}

/** How many moves led to the position in view. @param {State} state */
export function seenPly(state) {
  return state.board.viewPly ?? viewedTable(state)?.game?.ply ?? 0;
}

/** What is drawn on the position in view. @param {State} state */
export function seenShapes(state) {
  const { ply, squares } = state.board.shapes;
  return ply === seenPly(state) ? squares : [];
}

/** @param {State} state @param {Frame | null} frame @returns {BoardView} */
function playedView(state, frame) {
  const table = viewedTable(state);
  const flipped = sideBelow(state) === 'black';
  const game = table?.game;
  if (!game) return stillView(flipped, NOBODY);
  const all = positions(game.start_fen, game.moves);
  const ply = Math.min(frame?.ply ?? state.board.viewPly ?? game.ply, all.length - 1);
  const pieces = all[ply] ?? NOBODY;
  const last = game.moves[ply - 1] ?? null;
  if (frame?.moving && last) return movingView(flipped, pieces, all[ply - 1] ?? NOBODY, last);
  const isLatest = ply === game.ply && state.board.viewPly == null;
  const legal = isLatest ? ownMoves(state) : null;
  const { pending } = state.board;
  const mayPrepare = isLatest && table.you != null && game.result == null && state.route.name === 'game';
  const view = pending && isLatest && pending.table === table.id && pending.ply === game.ply
    ? pathView(stillView(flipped, pieces), pending.choice.route.squares, pending.choice, 'sent')
    : legal ? choosingView(stillView(flipped, pieces), legal, state.board.path) : stillView(flipped, pieces);
  const showsTrail = last && view.path.length === 0;
  return finished({
    ...view,
    live: legal != null,
    own: mayPrepare ? table.you : state.route.name === 'analysis' && legal ? game.turn : null,
    trail: showsTrail ? last.squares : [],
    crosses: showsTrail ? last.captures : [],
    premove: mayPrepare && !legal ? state.board.premove : null,
    ...(mayPrepare && !legal && !pending && state.board.path.length > 0 && { path: state.board.path }),
    focus: state.board.focus,
    refusals: state.board.refused?.times ?? 0,
  }, legal, mayPrepare ? state.board.premoves?.moves : []);
}

/**
 * Pieces and nothing else.
 * @param {boolean} flipped
 * @param {Piece[]} pieces
 * @returns {BoardView}
 */
export function stillView(flipped, pieces) {
  /** @type {BoardView} */
  const view = {
    flipped, live: false, own: null, rows: [], path: [], trail: [], crosses: [], premove: null,
    focus: null, refusals: 0, shapes: [], squares: 'letters',
    pieces: pieces.map((piece) => ({ ...piece, look: 'still', canMove: false })),
  };
  return { ...view, rows: cells(view, null) };
}

/**
 * The position after a move whose piece is still on its way: what it captures is still there.
 * @param {boolean} flipped @param {Piece[]} after @param {Piece[]} before @param {PlayedMove} move
 */
function movingView(flipped, after, before, move) {
  const wasKing = before.find((piece) => piece.square === move.squares[0])?.king ?? false;
  const to = move.squares[move.squares.length - 1];
  const view = stillView(flipped, after);
  const pieces = view.pieces.map((piece) => (piece.square === to ? { ...piece, king: wasKing } : piece));
  const taken = before.filter((piece) => move.captures.includes(piece.square))
    .map((piece) => ({ ...piece, look: /** @type {const} */ ('ghost'), canMove: false }));
  return finished({ ...view, pieces: [...taken, ...pieces], trail: move.squares, crosses: move.captures }, null);
}

/** @param {BoardView} view @param {LegalMove[]} legal @param {string[]} path @returns {BoardView} */
function choosingView(view, legal, path) {
  const canMove = movable(legal);
  const pieces = view.pieces.map((piece) => ({ ...piece, canMove: canMove.has(piece.square) }));
  const marked = { ...view, pieces };
  const [first] = candidates(legal, path);
  return path.length > 0 && first ? pathView(marked, path, first, 'still') : marked;
}

/**
 * The moving piece at the end of its path so far, its captures ghosts.
 * @param {BoardView} view @param {string[]} path @param {Choice} choice @param {'still' | 'sent'} look
 * @returns {BoardView}
 */
function pathView(view, path, { move, route }, look) {
  const taken = new Set(route.captures.slice(0, path.length - 1));
  const to = path[path.length - 1] ?? move.from;
  const pieces = view.pieces.flatMap((piece) => {
    if (taken.has(piece.square)) return [{ ...piece, look: /** @type {const} */ ('ghost') }];
    if (piece.square !== move.from || path.length === 1) return [piece];
    const crowned = piece.king || path.length > crownedAt(route.squares, piece.color, move.promotes);
    const moved = { ...piece, square: to, king: crowned, look };
    const origin = { ...piece, id: `${piece.id}-origin`, look: /** @type {const} */ ('origin') };
    return look === 'sent' || to === move.from ? [moved] : [origin, moved];
  });
  return { ...view, pieces, path };
}

/** @param {BoardView} view @param {LegalMove[] | null} legal @param {[string, string][]} [premoves] @returns {BoardView} */
function finished(view, legal, premoves) {
  return { ...view, rows: cells(view, legal, premoves) };
}

/** @param {BoardView} view @param {LegalMove[] | null} legal @param {[string, string][]} [premoves] @returns {Cell[][]} */
function cells(view, legal, premoves = []) {
  const targets = legal && view.path.length > 0 ? new Set([...nextSquares(legal, view.path), ...endSquares(legal, view.path)])
    : new Set(premoves.flatMap(([from, to]) => (from === view.path[0] ? [to] : [])));
  const starts = legal ? movable(legal) : new Set();
  const must = legal != null && mustCapture(legal) && view.path.length === 0;
  return rows(view.flipped).map((row) => row.map((square) => {
    const here = view.pieces.filter((piece) => piece.square === square && piece.look !== 'origin');
    const occupied = here[here.length - 1] ?? null;
    const step = view.path.indexOf(square, 1);
    return {
      square,
      dark: isDark(square),
      target: targets.has(square),
      step: step > 0 ? step : null,
      chosen: view.path.length > 0 && view.path[view.path.length - 1] === square,
      canMove: starts.has(square),
      must: must && starts.has(square),
      last: square === view.trail[0] || square === view.trail[view.trail.length - 1],
      occupied,
      ghost: occupied?.look === 'ghost',
    };
  }));
}

/**
 * The name of a cell for those who do not see it.
 * @param {Cell} cell
 * @param {(key: string, params?: any) => string} t
 */
export function cellLabel(cell, t) {
  if (!cell.dark) return `${cell.square} ${t('board.light')}`;
  const { occupied } = cell;
  const kind = occupied ? `board.${occupied.color}${occupied.king ? 'King' : ''}` : 'board.empty';
  const notes = [
    cell.ghost && t('board.captured'),
    cell.chosen && t('board.selected'),
    !cell.chosen && cell.step != null && t('board.step', { n: cell.step }),
    cell.target && t('board.target'),
  ].filter(Boolean);
  return [`${cell.square} ${t(kind)}`, ...notes].join(', ');
}
