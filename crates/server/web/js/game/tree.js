/** A game with variations: every node is a position, reached by one move from its parent. */

import { moveText } from './typed.js';

/**
 * @import {Color, LegalMove, PlayedMove} from '../protocol.js'
 *
 * @typedef {{moves: string[], white_chance: number, white_score: number, decided_in?: number}} Line
 * @typedef {{white_chance: number, decided_in?: number, depth: number, lines: Line[]}} Evaluation
 *   `white_chance`: the share of points White may expect, from 0 to 1
 * @typedef {{value: 'win' | 'draw' | 'loss', plies: number | null}} Verdict a table's, for the side to move
 *
 * @typedef {object} Node
 * @property {number} parent of the first position -1
 * @property {PlayedMove | null} move what led here
 * @property {number[]} children the first goes on with the main line
 * @property {string | null} fen
 * @property {LegalMove[] | null} legal
 * @property {string | null} reason why the game is over here
 * @property {Evaluation | null} evaluation the one that tells the most
 * @property {Evaluation | null} survey from when the whole game was evaluated, every position for the same time
 * @property {Verdict | null} verdict
 * @property {Notes} [notes] what was noted about the move
 * @typedef {{nags?: number[], before?: string, comment?: string, clock_ms?: number}} Notes
 *   `before` the first move of a variation; of the first position only `comment`
 * @typedef {Node[]} Tree a node's place is its number, and the first one is where the game begins
 *
 * @typedef {'inaccuracy' | 'mistake' | 'blunder'} Mark
 */

/** Lost chances from which a move is marked, the gravest first. @type {[number, Mark][]} */
const GRADES = [[0.24, 'blunder'], [0.16, 'mistake'], [0.08, 'inaccuracy']];

/** From this depth on, more lines tell more than a greater depth. */
const DEPTH_OF_MORE_LINES = 10;

/** @param {number} parent @param {PlayedMove | null} move @returns {Node} */
function node(parent, move) {
  return { parent, move, children: [], fen: null, legal: null, reason: null, evaluation: null, survey: null, verdict: null };
}

/** @param {PlayedMove[]} moves @returns {Tree} */
export function newTree(moves) {
  /** @type {Tree} */
  const tree = [node(-1, null)];
  return branch(tree, 0, moves).tree;
}

/** A game that was read from a text. @param {{comment?: string, tree: any[]}} answer @returns {Tree} */
export function notedTree({ comment, tree: moves }) {
  /** @type {Tree} */
  const tree = [{ ...node(-1, null), notes: { comment } }];
  for (const { parent, move, ...notes } of moves) {
    tree[parent]?.children.push(tree.length);
    tree.push({ ...node(parent, move), notes });
  }
  return tree;
}

/**
 * Plays a move from a node: a new one, or the one that has been tried already.
 * @param {Tree} tree @param {number} at @param {PlayedMove} move
 */
export function grow(tree, at, move) {
  const here = /** @type {Node} */ (tree[at]);
  const same = here.children.find((child) => tree[child]?.move?.squares.join() === move.squares.join());
  if (same != null) return { tree, at: same };
  const next = [...tree, node(at, move)];
  next[at] = { ...here, children: [...here.children, tree.length] };
  return { tree: next, at: tree.length };
}

/** Plays moves from a node: the tree, and where they end. @param {Tree} tree @param {number} at @param {PlayedMove[]} moves */
export function branch(tree, at, moves) {
  let grown = { tree, at };
  for (const move of moves) grown = grow(grown.tree, grown.at, move);
  return grown;
}

/** @param {Tree} tree @param {number} at @param {Partial<Node>} changes @returns {Tree} */
export function learnt(tree, at, changes) {
  return tree.map((old, i) => (i === at ? { ...old, ...changes } : old));
}

/** Whether an evaluation tells more than the one that is known. @param {Evaluation} found @param {Evaluation | null | undefined} known */
export function tellsMore(found, known) {
  if (!known) return true;
  if (found.lines.length > known.lines.length) return found.depth >= Math.min(known.depth, DEPTH_OF_MORE_LINES);
  return found.depth > known.depth || (found.depth === known.depth && found.lines.length === known.lines.length);
}

/** The numbers of the nodes from the first to this one. @param {Tree} tree @param {number} at @returns {number[]} */
export function path(tree, at) {
  const way = [at];
  for (let here = tree[at]; here && here.parent >= 0; here = tree[here.parent]) way.push(here.parent);
  return way.reverse();
}

/** This node and those that go on with the main line. @param {Tree} tree @param {number} [from] @returns {number[]} */
export function line(tree, from = 0) {
  const way = [from];
  for (let next = tree[from]?.children[0]; next != null; next = tree[next]?.children[0]) way.push(next);
  return way;
}

/** The moves that lead to a node. @param {Tree} tree @param {number} at @returns {PlayedMove[]} */
export function movesTo(tree, at) {
  return path(tree, at).flatMap((id) => tree[id]?.move ?? []);
}

/** The moves as the server reads them. @param {PlayedMove[]} moves */
export function written(moves) {
  return moves.map((move) => moveText(move, move.squares)).join(' ');
}

/** How grave a mistake the move to this node was. @param {Tree} tree @param {number} at @returns {Mark | null} */
export function markOf(tree, at) {
  const here = tree[at];
  const known = here && aroundMove(tree, here);
  return here?.move && known ? grade(here.move, known.before, known.after) : null;
}

/** The evaluations before and after the move to a node. Those of one survey are comparable, a deep one and a shallow one are not. @param {Tree} tree @param {Node} here */
function aroundMove(tree, here) {
  const from = tree[here.parent];
  if (from?.survey && here.survey) return { before: from.survey, after: here.survey };
  return from?.evaluation && here.evaluation ? { before: from.evaluation, after: here.evaluation } : null;
}

/** How grave a mistake a move was between two positions. @param {PlayedMove} move @param {Evaluation} before @param {Evaluation} after @returns {Mark | null} */
export function grade(move, before, after) {
  const loss = lossOf(move, before, after);
  return GRADES.find(([least]) => loss >= least)?.[1] ?? null;
}

/** By how much a move lowers the chances of its side, from 0 to 1; the engine's own move loses nothing. @param {PlayedMove} move @param {Evaluation} before @param {Evaluation} after */
function lossOf(move, before, after) {
  if (before.lines[0]?.moves[0] === move.move) return 0;
  const fall = before.white_chance - after.white_chance;
  return Math.max(0, move.color === 'white' ? fall : -fall);
}

/**
 * How close a move came to the best one, in percent.
 * CITE: "Lichess Accuracy metric", https://lichess.org/page/accuracy
 * @param {number} loss of chances, from 0 to 1
 */
export function moveAccuracy(loss) {
  return Math.max(0, Math.min(100, 103.1668 * Math.exp(-0.04354 * loss * 100) - 3.1669));
}

/**
 * The mean accuracy of a side's moves along the main line, in percent.
 * @param {Tree} tree @param {Color} color
 * @returns {number | null} `null` without moves, or until every position has been evaluated
 */
export function accuracyOf(tree, color) {
  const accuracies = [];
  for (const id of line(tree)) {
    const here = tree[id];
    if (!here?.evaluation) return null;
    const known = aroundMove(tree, here);
    if (known && here.move?.color === color) accuracies.push(moveAccuracy(lossOf(here.move, known.before, known.after)));
  }
  return accuracies.length > 0 ? accuracies.reduce((sum, accuracy) => sum + accuracy, 0) / accuracies.length : null;
}

/** The nodes on the way to this one and on along its line. @param {Tree} tree @param {number} at */
export function through(tree, at) {
  return [...path(tree, at), ...line(tree, at).slice(1)];
}

/** The next marked node of the line in view, or the last one before. @param {Tree} tree @param {number} at @param {1 | -1} step @returns {number | null} */
export function markedFrom(tree, at, step) {
  const way = through(tree, at);
  for (let i = way.indexOf(at) + step; i > 0 && i < way.length; i += step) {
    const id = way[i];
    if (id != null && markOf(tree, id)) return id;
  }
  return null;
}

/** How often a side is marked along the main line. @param {Tree} tree @param {Color} color */
export function marksOf(tree, color) {
  const count = { inaccuracy: 0, mistake: 0, blunder: 0 };
  for (const id of line(tree)) {
    const mark = tree[id]?.move?.color === color && markOf(tree, id);
    if (mark) count[mark] += 1;
  }
  return count;
}
