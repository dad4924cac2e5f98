/** Moves typed as text, matched with the legal moves that the server sends. */

import { candidates } from './input.js';

/**
 * @import {LegalMove} from '../protocol.js'
 * @import {Choice} from './input.js'
 *
 * @typedef {{play: Choice} | {problem: 'syntax' | 'illegal'} | {problem: 'ambiguous', fits: string[]}} Typed
 */

/** Cyrillic letters that look like the Latin ones of the files. */
const LOOK_ALIKES = new Map([['а', 'a'], ['в', 'b'], ['с', 'c'], ['е', 'e'], ['н', 'h']]);

/**
 * Reads `c3d4`, `c3-d4`, `c3:e5`, `c3xe5`, with all squares of a capture or some of them.
 * @param {string} text
 * @returns {string[] | null} the squares, at least two, or `null` if it is no move
 */
export function readMove(text) {
  const plain = latin(text);
  if (!/^[a-h][1-8](\s*[-:x×–]?\s*[a-h][1-8])+$/.test(plain)) return null;
  return plain.match(/[a-h][1-8]/g);
}

/** A text in small letters, those of the files Latin ones. @param {string} text */
export function latin(text) {
  return [...text.trim().toLowerCase()].map((c) => LOOK_ALIKES.get(c) ?? c).join('');
}

/**
 * @param {LegalMove[]} legal
 * @param {string} text
 * @returns {Typed}
 */
export function typed(legal, text) {
  const squares = readMove(text);
  if (!squares) return { problem: 'syntax' };
  const fitting = candidates(legal, squares.slice(0, 1)).filter(({ route }) => fits(route.squares, squares));
  const [first] = fitting;
  if (!first) return { problem: 'illegal' };
  if (fitting.every(({ move }) => move === first.move)) return { play: first };
  const exact = fitting.find(({ route }) => route.squares.join() === squares.join());
  if (exact) return { play: exact };
  const texts = new Set(fitting.map(({ move, route }) => moveText(move, route.squares)));
  return { problem: 'ambiguous', fits: [...texts] };
}

/** Whether a route begins and ends like `squares` and passes the others in their order. */
function fits(/** @type {string[]} */ route, /** @type {string[]} */ squares) {
  if (route[0] !== squares[0] || route[route.length - 1] !== squares[squares.length - 1]) return false;
  let next = 0;
  for (const square of route) if (square === squares[next]) next += 1;
  return next === squares.length;
}

/**
 * A move with the squares of its route, as it is sent.
 * @param {{captures: string[]}} move
 * @param {string[]} squares
 */
export function moveText(move, squares) {
  return squares.join(move.captures.length > 0 ? ':' : '-');
}
