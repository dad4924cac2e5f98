/** What the search explorer is asked for: searches, a position, and the address that says so. */

import { START } from '../game/pieces.js';

/**
 * @typedef {{name: string, depth: number, order: string}} Search a bot, how deep it looks, and in which order it tries moves
 * @typedef {{fen: string, first: Search, second: Search | null, tree: 0 | 1, node: number}} Wanted
 */

/** The bots, with the depths that they can be asked for. Simulations have none. @type {{[name: string]: {most: number, ordered?: boolean}}} */
export const SEARCHES = {
  minimax: { most: 9 },
  'alpha-beta': { most: 12, ordered: true },
  negascout: { most: 12, ordered: true },
  'negascout-tt': { most: 12, ordered: true },
  'sss-star': { most: 12 },
  mtdf: { most: 12 },
  'negascout-id': { most: 12 },
  champion: { most: 16 },
  mcts: { most: 0 },
};
export const ORDERS = ['off', 'on', 'best', 'worst'];
const DEEPEST = 16;
/** Searches that go well together. @type {[string, string, string | null][]} */
export const PAIRS = [
  ['pruning', 'alpha-beta:depth=5', 'minimax:depth=5'],
  ['order', 'alpha-beta:depth=6,order=best', 'alpha-beta:depth=6,order=worst'],
  ['scout', 'negascout:depth=6,order=on', 'alpha-beta:depth=6,order=on'],
  ['table', 'negascout-tt:depth=8', 'negascout:depth=8'],
  ['best', 'sss-star:depth=7', 'alpha-beta:depth=7'],
];

/** Reads `alpha-beta:depth=5,order=best`; null if there is no such search. @param {string | undefined} text @returns {Search | null} */
export function readSearch(text) {
  const [name = '', keys = ''] = (text ?? '').split(':');
  if (!Object.hasOwn(SEARCHES, name)) return null;
  const pairs = Object.fromEntries(keys.split(',').map((pair) => pair.split('=')));
  return possible({ name, depth: Number(pairs.depth) || 5, order: pairs.order ?? 'off' });
}

/** The nearest search that there is. @param {Search} search @returns {Search} */
export function possible({ name, depth, order }) {
  const { most, ordered } = SEARCHES[name] ?? { most: DEEPEST };
  const whole = Math.round(Math.min(Math.max(1, depth), most));
  return { name, depth: whole, order: ordered && ORDERS.includes(order) ? order : 'off' };
}

/** @param {Search} search */
export function searchText({ name, depth, order }) {
  return SEARCHES[name]?.most ? `${name}:depth=${depth}${order === 'off' ? '' : `,order=${order}`}` : name;
}

/** What the engine is asked. @param {Search} search @param {string} fen @param {0 | 1} tree */
export function questionOf(search, fen, tree) {
  return { about: 'trace', tree, fen, bot: searchText(search) };
}

/** @param {{[name: string]: string}} query @returns {Wanted} */
export function readWanted({ fen, first, second, node }) {
  const [tree, number] = /^([01])\.(\d{1,9})$/.exec(node ?? '')?.slice(1) ?? ['0', '0'];
  return {
    fen: fen || START,
    first: readSearch(first) ?? { name: 'alpha-beta', depth: 5, order: 'off' },
    second: readSearch(first == null && second == null ? 'minimax:depth=5' : second),
    tree: tree === '1' ? 1 : 0,
    node: Number(number),
  };
}

/** What is recorded once: the searches and their position. @param {Wanted} wanted */
export function keyOf({ fen, first, second }) {
  return JSON.stringify([fen, first, second]);
}

/** Where this is found again. @param {Wanted} wanted */
export function explorerPath({ fen, first, second, tree, node }) {
  const pairs = [
    fen !== START && `fen=${fen.replace(/[%&#+]/g, encodeURIComponent)}`,
    `first=${searchText(first)}`,
    second && `second=${searchText(second)}`,
    (tree || node) && `node=${tree}.${node}`,
  ];
  return `/explorer?${pairs.filter(Boolean).join('&')}`;
}
