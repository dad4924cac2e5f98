/** The squares of the board: names, order, and where they are drawn. */

const FILES = 'abcdefgh';

/** The side of a square in the units of the drawing; the board's is eight of them. */
export const CELL = 100;

/**
 * The rows of squares as they are seen, from the top, each from the left.
 * @param {boolean} flipped whether Black's side is below
 * @returns {string[][]}
 */
export function rows(flipped) {
  const up = [8, 7, 6, 5, 4, 3, 2, 1].map((row) => [...FILES].map((file) => `${file}${row}`));
  return flipped ? up.reverse().map((row) => row.reverse()) : up;
}

/** @param {string} square @returns {{file: number, row: number}} both from 0 */
export function coordinates(square) {
  return { file: FILES.indexOf(square.charAt(0)), row: Number(square.charAt(1)) - 1 };
}

/** @param {number} file @param {number} row @returns {string | null} */
export function squareAt(file, row) {
  const letter = FILES.charAt(file);
  return letter && file >= 0 && row >= 0 && row < 8 ? `${letter}${row + 1}` : null;
}

/** Whether pieces may stand there. @param {string} square */
export function isDark(square) {
  const { file, row } = coordinates(square);
  return (file + row) % 2 === 0;
}

/**
 * The middle of a square in the units of the drawing.
 * @param {string} square
 * @param {boolean} flipped
 * @returns {{x: number, y: number}}
 */
export function middle(square, flipped) {
  const { file, row } = coordinates(square);
  const [across, down] = flipped ? [7 - file, row] : [file, 7 - row];
  return { x: (across + 0.5) * CELL, y: (down + 0.5) * CELL };
}

/**
 * The square one step away as it is seen; the same one at the edge.
 * @param {string} square
 * @param {number} right @param {number} down
 * @param {boolean} flipped
 */
export function neighbour(square, right, down, flipped) {
  const { file, row } = coordinates(square);
  const way = flipped ? -1 : 1;
  return squareAt(file + way * right, row - way * down) ?? square;
}

/**
 * The square of the same file in another row, or of the same row in another file.
 * @param {string} square
 * @param {number} n the row's number or the file's, from 1
 * @param {boolean} toFile
 */
export function jump(square, n, toFile) {
  return toFile ? `${FILES.charAt(n - 1)}${square.charAt(1)}` : `${square.charAt(0)}${n}`;
}
