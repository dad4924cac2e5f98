/** What the tests say. */

/** @param {any} value @param {any} wanted @param {string} [about] */
export function equal(value, wanted, about = '') {
  const [is, should] = [JSON.stringify(value), JSON.stringify(wanted)];
  if (is !== should) throw new Error(`${about} expected ${should}, got ${is}`);
}

/** @param {any} value @param {string} [about] */
export function truth(value, about = '') {
  if (!value) throw new Error(`${about} expected something true, got ${JSON.stringify(value)}`);
}

/** The legal moves of a position, from the rules library. @param {string} fen */
export function legal(fen) {
  return JSON.parse(globalThis.rules.legalJson(fen));
}

/** Positions of a game of moves chosen by a fixed rule of chance. @param {number} seed @param {number} plies */
export function positionsOf(seed, plies) {
  const found = [];
  let fen = globalThis.rules.start;
  let state = seed;
  for (let i = 0; i < plies; i += 1) {
    const moves = legal(fen);
    if (moves.length === 0) break;
    found.push({ fen, moves });
    state = (state * 1103515245 + 12345) % 2147483648;
    fen = globalThis.rules.after(fen, moves[Math.floor(state / 65536) % moves.length].move);
  }
  return found;
}
