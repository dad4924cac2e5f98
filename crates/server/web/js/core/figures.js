/** The study's figures: what is measured, what was published, and how it is drawn. */

/**
 * @typedef {{bot: string, depth: number, mean: number, most: number, meanNodes: number, mostNodes: number}} Measured
 *   times in milliseconds
 */

/** The algorithms, and the greatest depth that the study reports for each. @type {[string, number][]} */
export const MEASURED = [['minimax', 8], ['alpha-beta', 10], ['negascout', 10], ['negascout-tt', 11]];
export const DEEPEST_MEASURED = 11;
/** A game of `level:8` against itself. */
export const GAME = 'c3-d4 d6-c5 b2-c3 f6-g5 g3-h4 g7-f6 h2-g3 e7-d6 g3-f4 b6-a5 d4:b6 a7:c5 c3-b4 a5:c3 d2:b4 d6-e5 f4:d6 c5:e7 e3-f4 g5:e3 f2:d4 h6-g5 b4-c5 e7-d6 c5:e7 f8:d6 d4-c5 d6:b4 a3:c5 g5-f4 a1-b2 f6-e5 c5-d6 c7-b6 h4-g5 e5:c7 g5:e3 h8-g7 e1-d2 g7-f6 g1-f2 c7-d6 b2-c3 d8-e7 e3-f4 b6-a5 d2-e3 d6-c5 f2-g3 e7-d6 g3-h4 f6-e5 e3-d4 e5:g3 d4:b6 a5:c7 h4:f2 d6-c5 f2-e3 c7-d6 e3-f4 b8-c7 c1-d2 c7-b6 d2-e3 b6-a5 c3-d4 a5-b4 d4:b6 b4-a3 e3-d4 d6-c5 f4-e5 c5:e3 e5-d6 e3-f2 d6-c7 f2-e1 c7-d8 e1-f2 b6-a7 a3-b2 d8-g5 f2-g1'.split(' ');
/** The first positions of White in it, by the moves before. */
export const POSITIONS = Array.from({ length: 20 }, (_, i) => GAME.slice(0, 2 * i).join(' '));

/**
 * What the study published, in milliseconds by depth: the mean of the means of all tables in which the algorithm plays
 * White, and the longest move in them.
 * @type {{[bot: string]: {mean: number[], most: number[]}}}
 */
export const PUBLISHED = {
  minimax: { mean: [0.175, 0.17, 0.2, 2.66, 6.115, 29.05, 83.9, 488.6], most: [10, 10, 11, 16, 36, 343, 579, 4241] },
  'alpha-beta': {
    mean: [0.205, 0.155, 0.155, 0.325, 2.005, 1.705, 12.825, 30.91, 382.9, 648.4], most: [10, 10, 10, 13, 18, 26, 97, 127, 1085, 7307],
  },
  negascout: {
    mean: [0.215, 0.205, 0.245, 0.435, 1.715, 3.255, 19, 29.1, 381.15, 403.75], most: [10, 10, 11, 12, 14, 24, 122, 407, 1875, 5324],
  },
  'negascout-tt': {
    mean: [0.26, 0.27, 0.22, 0.54, 1.52, 5.07, 14, 39.1, 178, 161.1, 680.6], most: [14, 14, 14, 16, 18, 32, 57, 173, 784, 587, 2953],
  },
};

/** What the moves of an algorithm to a depth took. @param {string} bot @param {number} depth @param {{ms: number, nodes: number}[]} moves @returns {Measured} */
export function summed(bot, depth, moves) {
  const mean = (/** @type {number[]} */ all) => all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length);
  const times = moves.map(({ ms }) => ms);
  const nodes = moves.map((move) => move.nodes);
  return { bot, depth, mean: mean(times), most: Math.max(...times), meanNodes: mean(nodes), mostNodes: Math.max(...nodes) };
}

/** The curve of an algorithm. @param {Measured[]} measured @param {string} bot @param {'mean' | 'most'} which @param {'time' | 'nodes'} unit @returns {{depth: number, value: number}[]} */
export function curveOf(measured, bot, which, unit) {
  const of = measured.filter((row) => row.bot === bot);
  return of.map((row) => ({ depth: row.depth, value: unit === 'time' ? row[which] : row[which === 'mean' ? 'meanNodes' : 'mostNodes'] }));
}

/** @param {string} bot @param {'mean' | 'most'} which @returns {{depth: number, value: number}[]} */
export function publishedCurve(bot, which) {
  return (PUBLISHED[bot]?.[which] ?? []).map((value, i) => ({ depth: i + 1, value }));
}
