/** The lessons: which searches each one shows, and which node each step of it is about. */

import { readSearch } from './explorer.js';
import { boundedText, valueText } from './explain.js';
import { ENDS } from '../game/trace.js';

/**
 * @import {Detail} from './explain.js'
 * @import {Wanted} from './explorer.js'
 * @import {Trace} from '../game/trace.js'
 * @import {Params, Translate} from '../i18n/words.js'
 *
 * @typedef {{tree: 0 | 1, node: number, better?: string}} Place `better`: the move that explains the end of another node
 * @typedef {(tree: 0 | 1, node: number) => Promise<Detail | null>} Ask what the engine says of a node
 * @typedef {(traces: Trace[], ask: Ask) => Promise<Place>} Find
 * @typedef {{id: string, fen: string, first: string, second: string | null, steps: Find[]}} Lesson
 */

/** Positions of the game of `core/figures.js`, after 62, 52, 50 and 46 moves. */
const FENS = {
  few: 'W:Wc1,c3,f4:Bc5,d6,c7',
  windows: 'W:Wc1,c3,e3,f4,h4:Ba5,c5,e5,d6,b8',
  order: 'W:Wc1,c3,e3,g3,f4:Ba5,c5,d6,f6,b8',
  table: 'W:Wc1,d2,f2,c3,f4:Ba5,d6,f6,e7,b8',
};
/** A node is looked for among so many that look right. */
const MOST_ASKED = 200;

/** The first node of a tree that looks right. @param {Trace | undefined} trace @param {(node: number, trace: Trace) => boolean} isRight */
function firstOf(trace, isRight) {
  for (let node = 0; trace && node < trace.count; node += 1) if (isRight(node, trace)) return node;
  return 0;
}

/** The node of a tree with the most nodes below it, of those that look right. @param {Trace | undefined} trace @param {(node: number, trace: Trace) => boolean} isRight */
function largestOf(trace, isRight) {
  let [best, most] = [0, 0];
  for (let node = 0; trace && node < trace.count; node += 1) {
    const size = trace.end(node) - node;
    if (size > most && isRight(node, trace)) [best, most] = [node, size];
  }
  return best;
}

/** @type {(end: string) => (node: number, trace: Trace) => boolean} */
const endsBy = (end) => (node, trace) => ENDS[trace.kind(node)] === end;
/** Whether the other search left a node out because of such an end above it. @type {(end: string) => (node: number, trace: Trace) => boolean} */
const savedBy = (end) => (node, trace) => trace.marks?.[node] === ENDS.indexOf(end) + 1 && trace.path(node).every((id) => trace.purpose(id) !== 're-search');

/** @type {Find} */
const root = async () => ({ tree: 0, node: 0 });
/** @type {(level: number) => Find} the first node so far from the root */
const atLevel = (level) => async ([trace]) => ({ tree: 0, node: firstOf(trace, (node, of) => of.levelOf(node) === level) });
/** @type {(isRight: (node: number, trace: Trace) => boolean) => Find} */
const firstThat = (isRight) => async ([trace]) => ({ tree: 0, node: firstOf(trace, isRight) });
/** @type {(isRight: (node: number, trace: Trace) => boolean) => Find} */
const largestThat = (isRight) => async ([trace]) => ({ tree: 0, node: largestOf(trace, isRight) });
/** @type {(end: string) => Find} the most that the first search saved at once */
const saved = (end) => async (traces) => ({ tree: 1, node: largestOf(traces[1], savedBy(end)) });
/** @type {(end: string) => Find} where the first search saved it */
const saver = (end) => async (traces, ask) => {
  const detail = await ask(1, largestOf(traces[1], savedBy(end)));
  return { tree: 0, node: detail?.other?.node ?? 0 };
};
/** @type {(find: Find) => Find} the node that explains the end of another one */
const reasonOf = (find) => async (traces, ask) => {
  const { tree, node } = await find(traces, ask);
  const because = (await ask(tree, node))?.because;
  return { tree, node: because?.node ?? 0, better: because?.move };
};
/** The first cut-off by a bound from more than a ply above. @type {Find} */
const deepCutOff = async ([trace], ask) => {
  let asked = 0;
  for (let node = 0; trace && node < trace.count && asked < MOST_ASKED; node += 1) {
    if (!endsBy('cut-off')(node, trace) || trace.levelOf(node) < 3) continue;
    asked += 1;
    const detail = await ask(0, node);
    if ((detail?.because?.plies ?? 1) > 1 && (detail?.unsearched.length ?? 0) > 0) return { tree: 0, node };
  }
  return root([], ask);
};

/** @type {Lesson[]} */
export const LESSONS = [
  { id: '1', fen: FENS.few, first: 'minimax:depth=3', second: null, steps: [root, atLevel(3), atLevel(2), atLevel(1), root] },
  { id: '2', fen: FENS.few, first: 'alpha-beta:depth=4', second: 'minimax:depth=4', steps: [root, saved('cut-off'), saver('cut-off'), reasonOf(saver('cut-off')), root] },
  { id: '3', fen: FENS.windows, first: 'alpha-beta:depth=5', second: null, steps: [
    root, async ([trace]) => ({ tree: 0, node: trace?.sibling(1, 1) ?? 0 }), deepCutOff, firstThat((node, trace) => endsBy('fail-low')(node, trace) && trace.levelOf(node) > 1), root] },
  { id: '4', fen: FENS.order, first: 'alpha-beta:depth=6,order=best', second: 'alpha-beta:depth=6,order=worst', steps: [
    root, firstThat(endsBy('cut-off')), async (traces) => ({ tree: 1, node: largestOf(traces[1], endsBy('cut-off')) }), root, root] },
  { id: '5', fen: FENS.few, first: 'negascout:depth=7,order=on', second: 'alpha-beta:depth=7,order=on', steps: [
    root, async ([trace]) => ({ tree: 0, node: trace?.sibling(1, 1) ?? 0 }), largestThat((node, trace) => trace.purpose(node) === 're-search'), root] },
  { id: '6', fen: FENS.table, first: 'negascout-tt:depth=7', second: 'negascout:depth=7', steps: [
    root, saved('table-hit'), saver('table-hit'), reasonOf(saver('table-hit')), root] },
];

/** @param {string | null} id */
export function lessonOf(id) {
  return LESSONS.find((lesson) => lesson.id === id) ?? null;
}

/** @param {Lesson} lesson @returns {Wanted} */
export function wantedOf({ fen, first, second }) {
  const search = /** @type {import('./explorer.js').Search} */ (readSearch(first));
  return { fen, first: search, second: second == null ? null : readSearch(second), tree: 0, node: 0 };
}

/**
 * The numbers that a step's text is filled with, all of them from the searches on the page.
 * @param {(Trace | null)[]} traces @param {Place} place the node that the step is about @param {Detail | null} detail of it
 * @param {string} lang @param {Translate} t
 * @returns {Params}
 */
export function numbersOf(traces, { tree, node, better }, detail, lang, t) {
  const whole = (/** @type {number | null | undefined} */ n) => (n == null ? '…' : new Intl.NumberFormat(lang).format(Math.round(n)));
  const share = (/** @type {number} */ part, /** @type {number} */ all) => new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 0 }).format(all > 0 ? part / all : 0);
  /** @type {Params} */
  const found = {};
  traces.forEach((trace, i) => {
    if (!trace) return;
    const { report } = trace;
    const count = (/** @type {string} */ end) => report.outcomes[end] ?? 0;
    const values = {
      nodes: whole(report.nodes), leaves: whole(report.leaves), fewest: whole(report.fewest_leaves), cuts: whole(count('cut-off')), fails: whole(count('fail-low')),
      exact: whole(count('exact')), hits: whole(count('table-hit')), again: whole(report.re_searches), firstCuts: share(report.first_move_cut_offs, count('cut-off')),
      legal: report.legal_moves?.toLocaleString(lang, { maximumFractionDigits: 1 }),
    };
    for (const [name, value] of Object.entries(values)) found[`${name}${i}`] = value;
  });
  const [first, second] = traces;
  if (first && second) found.saved = share(second.count - first.count, second.count);
  const trace = traces[tree];
  return {
    ...found,
    move: first?.report.move, best: valueText(first?.report.value ?? null, t),
    value: valueText(trace?.value(node) ?? null, t), size: whole(trace ? trace.end(node) - node : null), line: trace?.path(node).map((id) => trace.move(id)).filter(Boolean).join(' '),
    played: trace?.move(node), better: better ?? detail?.because?.move, bounded: detail && boundedText(detail, t),
    answer: detail?.children[detail.children.length - 1]?.move, unsearched: whole(detail?.unsearched.length), plies: whole(detail?.because?.plies),
  };
}
