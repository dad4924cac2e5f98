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
 * @property {Evaluation | null} evaluation
 * @property {Verdict | null} verdict
 * @typedef {Node[]} Tree a node's place is its number, and the first one is where the game begins
 *
 * @typedef {'inaccuracy' | 'mistake' | 'blunder'} Mark
 */

/** Lost chances from which a move is marked, the gravest first. @type {[number, Mark][]} */
const GRADES = [[0.24, 'blunder'], [0.16, 'mistake'], [0.08, 'inaccuracy']];

/** @param {number} parent @param {PlayedMove | null} move @returns {Node} */
function node(parent, move) {
  return { parent, move, children: [], fen: null, legal: null, reason: null, evaluation: null, verdict: null };
}

/** @param {PlayedMove[]} moves @returns {Tree} */
export function newTree(moves) {
  /** @type {Tree} */
  let tree = [node(-1, null)];
  let at = 0;
  for (const move of moves) ({ tree, at } = grow(tree, at, move));
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

/** @param {Tree} tree @param {number} at @param {Partial<Node>} changes @returns {Tree} */
export function learnt(tree, at, changes) {
  return tree.map((old, i) => (i === at ? { ...old, ...changes } : old));
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
  const before = here && tree[here.parent]?.evaluation;
  return here?.move && before && here.evaluation ? grade(here.move, before, here.evaluation) : null;
}

/** How grave a mistake a move was between two positions. @param {PlayedMove} move @param {Evaluation} before @param {Evaluation} after @returns {Mark | null} */
export function grade(move, before, after) {
  if (before.lines[0]?.moves[0] === move.move) return null;
  const fall = before.white_chance - after.white_chance;
  const loss = move.color === 'white' ? fall : -fall;
  return GRADES.find(([least]) => loss >= least)?.[1] ?? null;
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
