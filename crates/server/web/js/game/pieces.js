/**
 * Pieces on a board, read from a position's text and carried along by moves that the server has
 * judged. Nothing here knows what is legal.
 */

/**
 * @import {Color, PlayedMove} from '../protocol.js'
 *
 * @typedef {{id: string, square: string, color: Color, king: boolean}} Piece
 *   a piece keeps its `id` from the first position of a game to its capture
 */

/** Where games begin unless they are set up otherwise. */
export const START = 'W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8';

/**
 * @param {string} fen such as `W:Wa1,c1,Kd4:Ba7,Kb8`
 * @returns {{turn: Color, pieces: Piece[]}}
 */
export function readFen(fen) {
  const [turn = 'W', ...sides] = fen.replace(/[\s.]/g, '').split(':');
  const pieces = sides.flatMap((side) => {
    const color = side.charAt(0).toUpperCase() === 'B' ? 'black' : 'white';
    return side.slice(1).split(',').filter(Boolean).map((text) => readPiece(text, color));
  });
  return { turn: turn.toUpperCase() === 'B' ? 'black' : 'white', pieces };
}

/** The position as text, its squares in the order of the rows. @param {Piece[]} pieces @param {Color} turn */
export function fenOf(pieces, turn) {
  const order = (/** @type {Piece} */ { square }) => square.charAt(1) + square.charAt(0);
  const side = (/** @type {Color} */ color) => pieces.filter((piece) => piece.color === color)
    .sort((one, two) => (order(one) < order(two) ? -1 : 1))
    .map(({ square, king }) => (king ? 'K' : '') + square).join(',');
  return `${turn === 'white' ? 'W' : 'B'}:W${side('white')}:B${side('black')}`;
}

/** @param {string} text @param {Color} color @returns {Piece} */
function readPiece(text, color) {
  const king = text.length === 3;
  const square = text.slice(-2).toLowerCase();
  return { id: square, square, color, king };
}

/**
 * @param {Piece[]} pieces
 * @param {PlayedMove} move
 * @returns {Piece[]} the pieces after it
 */
export function play(pieces, move) {
  const from = move.squares[0];
  const to = move.squares[move.squares.length - 1] ?? from;
  return pieces
    .filter((piece) => !move.captures.includes(piece.square))
    .map((piece) => (piece.square === from
      ? { ...piece, square: /** @type {string} */ (to), king: piece.king || move.promotes }
      : piece));
}

/** @type {{start: string, moves: PlayedMove[], positions: Piece[][]}} */
let latest = { start: '', moves: [], positions: [] };

/**
 * The pieces after each number of moves, from none to all. The last answer is kept, and a game
 * that has only grown is carried on.
 * @param {string} startFen
 * @param {PlayedMove[]} moves
 * @returns {Piece[][]}
 */
export function positions(startFen, moves) {
  if (latest.start === startFen && latest.moves === moves) return latest.positions;
  const known = latest.start === startFen ? commonLength(latest.moves, moves) : -1;
  const positions = known < 0 ? [readFen(startFen).pieces] : latest.positions.slice(0, known + 1);
  for (let ply = positions.length - 1; ply < moves.length; ply += 1) {
    positions.push(play(positions[ply] ?? [], /** @type {PlayedMove} */ (moves[ply])));
  }
  latest = { start: startFen, moves, positions };
  return positions;
}

/** @param {PlayedMove[]} one @param {PlayedMove[]} other */
function commonLength(one, other) {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}

/**
 * At which square of a route a man is crowned, counted from its start; past the end if nowhere.
 * @param {string[]} squares
 * @param {Color} color
 * @param {boolean} promotes whether the server says that the move promotes
 */
export function crownedAt(squares, color, promotes) {
  const last = color === 'white' ? '8' : '1';
  const at = promotes ? squares.findIndex((square, i) => i > 0 && square.charAt(1) === last) : -1;
  return at < 0 ? squares.length : at;
}
