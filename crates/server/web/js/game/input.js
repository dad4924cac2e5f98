/**
 * Choosing a move square by square, from the list of legal moves that the server sends.
 *
 * The state is the `path` of squares chosen so far. A candidate is a route of a legal move that
 * begins with the path. Routes with the same effect are one move, so that only a real difference
 * asks for a choice.
 */

/**
 * @import {LegalMove, Route} from '../protocol.js'
 *
 * @typedef {{move: LegalMove, route: Route}} Choice
 * @typedef {{path: string[], play?: Choice, refused?: boolean, ambiguous?: boolean}} Chosen
 *   the path after a click; the move to play, if it is complete; whether the click means nothing;
 *   whether the end that was clicked is reached by different captures, and which has to be shown
 */

/**
 * @param {LegalMove[]} legal
 * @param {string[]} path
 * @returns {Choice[]}
 */
export function candidates(legal, path) {
  return legal.flatMap((move) => move.routes
    .filter((route) => path.every((square, i) => route.squares[i] === square))
    .map((route) => ({ move, route })));
}

/** The squares of the pieces that can move. @param {LegalMove[]} legal @returns {Set<string>} */
export function movable(legal) {
  return new Set(legal.map((move) => move.from));
}

/** Whether there is something to capture, and so nothing else to do. @param {LegalMove[]} legal */
export function mustCapture(legal) {
  return legal.some((move) => move.captures.length > 0);
}

/**
 * The squares that a next step may lead to.
 * @param {LegalMove[]} legal
 * @param {string[]} path
 * @returns {Set<string>}
 */
export function nextSquares(legal, path) {
  if (path.length === 0) return new Set();
  const squares = candidates(legal, path).map(({ route }) => route.squares[path.length]);
  return new Set(squares.filter((square) => square != null));
}

/**
 * The squares on which the move may end, whatever lies between.
 * @param {LegalMove[]} legal
 * @param {string[]} path
 * @returns {Set<string>}
 */
export function endSquares(legal, path) {
  if (path.length === 0) return new Set();
  return new Set(candidates(legal, path).map(({ move }) => move.to));
}

/**
 * What a click on a square does.
 * @param {LegalMove[]} legal
 * @param {string[]} path
 * @param {string} square
 * @param {{finish?: boolean}} [options] `finish`: once a step leaves one move, play it to its end
 * @returns {Chosen}
 */
export function click(legal, path, square, options = {}) {
  if (path.length === 0) return choosePiece(legal, path, square);
  const open = candidates(legal, path);
  if (open.some(({ route }) => route.squares[path.length] === square)) {
    return advance(legal, [...path, square], options);
  }
  const ending = open.filter(({ move }) => move.to === square);
  if (ending.length > 0) return finish(path, ending);
  return otherwise(legal, path, square);
}

/** @param {LegalMove[]} legal @param {string[]} path @param {string} square @returns {Chosen} */
function choosePiece(legal, path, square) {
  return movable(legal).has(square) ? { path: [square] } : { path, refused: true };
}

/**
 * @param {LegalMove[]} legal
 * @param {string[]} path
 * @param {{finish?: boolean}} options
 * @returns {Chosen}
 */
function advance(legal, path, options) {
  const open = candidates(legal, path);
  const complete = open.find(({ route }) => route.squares.length === path.length);
  if (complete) return { path, play: complete };
  const [only] = open;
  if (options.finish && only && isOneMove(open)) return { path: only.route.squares, play: only };
  return { path };
}

/**
 * The end was clicked: all at once if it says which move is meant, else as far as all agree.
 * @param {string[]} path
 * @param {Choice[]} ending
 * @returns {Chosen}
 */
function finish(path, ending) {
  const [only] = ending;
  if (only && isOneMove(ending)) return { path: only.route.squares, play: only };
  return { path: commonStart(ending.map(({ route }) => route.squares), path), ambiguous: true };
}

/** @param {Choice[]} choices */
function isOneMove(choices) {
  return choices.every(({ move }) => move === choices[0]?.move);
}

/** @param {string[][]} routes @param {string[]} path @returns {string[]} */
function commonStart(routes, path) {
  const [first = path, ...rest] = routes;
  let length = path.length;
  while (length < first.length && rest.every((route) => route[length] === first[length])) length += 1;
  return first.slice(0, length);
}

/**
 * A click that leads nowhere on from here: back, to another piece, or a mistake.
 * @param {LegalMove[]} legal
 * @param {string[]} path
 * @param {string} square
 * @returns {Chosen}
 */
function otherwise(legal, path, square) {
  const at = path.lastIndexOf(square);
  if (at === path.length - 1) return { path: path.slice(0, -1) };
  if (at >= 0) return { path: path.slice(0, at + 1) };
  if (path.length > 1) return { path, refused: true };
  return movable(legal).has(square) ? { path: [square] } : { path: [], refused: true };
}

/**
 * The move from one square to another, if there is one and no other: for moves made beforehand.
 * @param {LegalMove[]} legal
 * @param {string} from
 * @param {string} to
 * @returns {Choice | null}
 */
export function fromTo(legal, from, to) {
  const choices = candidates(legal, [from]).filter(({ move }) => move.to === to);
  return choices[0] && isOneMove(choices) ? choices[0] : null;
}
