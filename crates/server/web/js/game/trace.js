/** A recorded search: its nodes in columns, and the ways from one to the other. */

/**
 * @typedef {object} TraceReport what the engine says of a recorded search
 * @property {string} bot
 * @property {string} fen
 * @property {'white' | 'black'} turn
 * @property {string | null} move the one that was found
 * @property {number} value what it is worth to White
 * @property {number} depth
 * @property {boolean} complete
 * @property {number} nodes that were visited
 * @property {number} recorded nodes in the columns
 * @property {number} dropped nodes that were visited and not kept
 * @property {number} lines
 * @property {number} roots searches of the root
 * @property {number} re_searches
 * @property {{[end: string]: number}} outcomes how many nodes ended so
 * @property {number} first_move_cut_offs
 * @property {number | null} moves_tried on average, at nodes that ended by their moves
 * @property {number | null} legal_moves of these nodes, on average
 * @property {number | null} leaves of the deepest search
 * @property {number | null} fewest_leaves that a uniform tree of this width needs
 * @property {boolean} is_simulated whether its nodes are those of simulations
 */

/** How a node ended, by its number in the columns. */
export const ENDS = ['leaf', 'lost', 'exact', 'fail-low', 'cut-off', 'table-hit', 'tablebase', 'drawn', 'futility', 'multicut', 'simulated', 'stopped'];
/** Why it was entered. */
const PURPOSES = ['root', 'move', 'reduced', 're-search', 'shallow', 'captures'];
/** The value of a node that has none. */
const NO_VALUE = -0x80000000;
/** Marks of nodes: the other search visited the line too, or nobody knows; others are an end's number and 1. */
export const SHARED = 0;
export const UNKNOWN = 255;

/** From so far on a value is the end of the game, so many plies from a win. */
const DECIDED = 999_000;
const WIN = 1_000_000;

/** Whether a value is the end of the game. @param {number} value */
export function isDecided(value) {
  return Math.abs(value) >= DECIDED;
}

/** The result that a decided value is, and in how many plies. @param {number} value */
export function endOf(value) {
  return { result: value > 0 ? '1–0' : '0–1', plies: WIN - Math.abs(value) };
}

/** `+39` or `−7`. @param {number} value */
export function signed(value) {
  return value > 0 ? `+${value}` : String(value).replace('-', '−');
}

export class Trace {
  /** @param {TraceReport} report @param {ArrayBuffer} columns as the engine has them */
  constructor(report, columns) {
    const count = report.recorded;
    const column = (/** @type {number} */ place) => new Int32Array(columns, place * count * 4, count);
    this.report = report;
    this.count = count;
    this.ends = column(0);
    this.level = column(1);
    this.flags = column(2);
    this.values = column(3);
    this.levels = byLevel(this.level);
    /** What the other search has of each node's line. @type {Uint8Array | null} */
    this.marks = null;
  }

  /** The first node after all below this one; the nodes are numbered in the order of the search. @param {number} node */
  end(node) {
    return this.ends[node] ?? 0;
  }

  /** @param {number} node */
  levelOf(node) {
    return this.level[node] ?? 0;
  }

  /** How it ended, as in `ENDS`. @param {number} node */
  kind(node) {
    return (this.flags[node] ?? 0) & 15;
  }

  /** Why it was entered. @param {number} node */
  purpose(node) {
    return PURPOSES[(this.flags[node] ?? 0) >> 4 & 7] ?? 'move';
  }

  /** What it is worth to White; null if the search was stopped first. @param {number} node */
  value(node) {
    const value = this.values[node] ?? NO_VALUE;
    return value === NO_VALUE ? null : value;
  }

  /** The squares of the move that leads to it; empty for a root. @param {number} node */
  move(node) {
    const flags = (this.flags[node] ?? 0) >> 8;
    return flags >> 11 & 1 ? `${squareOf(flags & 31)}${flags >> 10 & 1 ? ':' : '-'}${squareOf(flags >> 5 & 31)}` : '';
  }

  /** The node at a level whose subtree has a place in the order; null if there is none. @param {number} level @param {number} place */
  at(level, place) {
    const nodes = this.levels[level];
    if (!nodes) return null;
    const node = nodes[firstAfter(nodes, place) - 1];
    return node != null && this.end(node) > place ? node : null;
  }

  /** @param {number} node */
  parent(node) {
    return this.levelOf(node) === 0 ? null : this.at(this.levelOf(node) - 1, node);
  }

  /** @param {number} node */
  firstChild(node) {
    return this.end(node) > node + 1 ? node + 1 : null;
  }

  /** The neighbour with the same parent; of a root the search before or after it. @param {number} node @param {1 | -1} way */
  sibling(node, way) {
    const nodes = this.levels[this.levelOf(node)] ?? new Int32Array(0);
    const other = nodes[firstAfter(nodes, node) - 1 + way];
    return other != null && this.parent(other) === this.parent(node) ? other : null;
  }

  /** The nodes from the root to this one. @param {number} node */
  path(node) {
    const path = [node];
    for (let above = this.parent(node); above != null; above = this.parent(above)) path.unshift(above);
    return path;
  }
}

/** The nodes of each level, in their order. @param {Int32Array} level */
function byLevel(level) {
  /** @type {number[]} */
  const counts = [];
  for (const at of level) counts[at] = (counts[at] ?? 0) + 1;
  const levels = counts.map((count) => new Int32Array(count));
  const filled = counts.map(() => 0);
  level.forEach((at, node) => {
    const place = filled[at] ?? 0;
    const nodes = levels[at];
    if (nodes) nodes[place] = node;
    filled[at] = place + 1;
  });
  return levels;
}

/** The place of the first number above `limit`. @param {Int32Array} ascending @param {number} limit */
export function firstAfter(ascending, limit) {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The engine numbers the dark squares from a1 along the rows. @param {number} number */
function squareOf(number) {
  const row = number >> 2;
  return `${'abcdefgh'.charAt((number & 3) * 2 + (row & 1))}${row + 1}`;
}
