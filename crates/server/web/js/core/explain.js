/** Says of a node of a recorded search, in sentences, what it was asked and why it ended as it did. */

import { endOf, isDecided, signed } from '../game/trace.js';

/**
 * @import {PlayedMove} from '../protocol.js'
 * @import {Translate} from '../i18n/words.js'
 *
 * @typedef {{end: string, value: number | null, bound: string | null, by?: number, simulations?: number}} End
 *   values are White's; the bound says what the value is of the true one
 * @typedef {End & {node: number, move: string | null, purpose: string, nodes: number}} Child
 * @typedef {object} Detail what the engine says of a node
 * @property {number} node
 * @property {{node: number, move: string | null, low: number | null, high: number | null, value: number | null}[]} path from the root,
 *   with the windows and values of its nodes
 * @property {string} fen
 * @property {'white' | 'black'} turn
 * @property {PlayedMove | null} played
 * @property {string} purpose
 * @property {number | null} reduced by how many plies
 * @property {number} depth
 * @property {number | null} low of the window, for White; null if nothing is known yet
 * @property {number | null} high
 * @property {string} end
 * @property {number | null} value
 * @property {string | null} bound
 * @property {number} [by]
 * @property {number} [simulations]
 * @property {number} nodes
 * @property {number} dropped
 * @property {Child[]} children
 * @property {string[]} unsearched
 * @property {{kind: string, node?: number, plies?: number, move?: string}} [because]
 * @property {{visited: boolean, node: number}} [other]
 */

/** From so many plies on it is unknown how many. */
const BEYOND = 500;

/** `+39`, or the result and when. @param {number | null} value @param {Translate} t */
export function valueText(value, t) {
  if (value == null) return '…';
  if (!isDecided(value)) return signed(value);
  const { result, plies } = endOf(value);
  return plies >= BEYOND ? result : t('explorer.wins', { result, n: plies });
}

/** `≥ +39`. @param {{value: number | null, bound: string | null}} known @param {Translate} t */
export function boundedText({ value, bound }, t) {
  const sign = bound === 'at least' ? '≥ ' : bound === 'at most' ? '≤ ' : '';
  return value == null ? '–' : `${sign}${valueText(value, t)}`;
}

/** Whether a bound says nothing of the game, as at the start of a search. @param {number | null} bound */
const isUnbounded = (bound) => bound == null || isDecided(bound);

/** With which window the root was searched: nothing above it gives it bounds. @param {Detail} detail @param {Translate} t */
function rootWindowText({ low, high }, t) {
  if (low == null && high == null) return t('explorer.window.open');
  if (low == null || high == null ? isUnbounded(low) && isUnbounded(high) : high - low === 1) return t('explorer.window.pass', { limit: valueText(low ?? high, t) });
  if (isUnbounded(low)) return t('explorer.window.guessHigh', { high: valueText(high, t) });
  if (isUnbounded(high)) return t('explorer.window.guessLow', { low: valueText(low, t) });
  return t('explorer.window.guess', { low: valueText(low, t), high: valueText(high, t) });
}

/** The window in numbers. @param {Detail} detail @param {Translate} t */
function windowText(detail, t) {
  const { low, high } = detail;
  if (detail.path.length === 1) return rootWindowText(detail, t);
  if (low == null && high == null) return t('explorer.window.open');
  if (isUnbounded(low) && isUnbounded(high)) return t('explorer.window.pass', { limit: valueText(low ?? high, t) });
  if (low == null) return t('explorer.window.high', { high: valueText(high, t) });
  if (high == null) return t('explorer.window.low', { low: valueText(low, t) });
  return t(high - low === 1 ? 'explorer.window.null' : 'explorer.window', { low: valueText(low, t), high: valueText(high, t) });
}

/** What the node was asked. @param {Detail} detail @param {Translate} t @param {boolean} [hasWindow] minimax has none @returns {string[]} */
export function asked(detail, t, hasWindow = true) {
  const { turn, depth, purpose, reduced } = detail;
  const why = `explorer.purpose.${purpose}`;
  return [
    t(`explorer.toMove.${turn}`),
    ...(detail.end === 'simulated' ? [] : [t('explorer.left', { n: Math.max(0, depth) })]),
    ...(t(why) === why ? [] : [t(why, { n: reduced })]),
    ...(detail.end === 'simulated' || !hasWindow ? [] : [windowText(detail, t)]),
  ];
}

/** How it ended, and why what lies below was not searched. @param {Detail} detail @param {Translate} t @param {boolean} [hasWindow] @returns {string[]} */
export function ended(detail, t, hasWindow = true) {
  const { end, turn, bound } = detail;
  const value = valueText(detail.value, t);
  if (end === 'cut-off') return cutOff(detail, t);
  if (end === 'table-hit') return [t(`explorer.end.table.${bound === 'exact' ? 'exact' : bound === 'at least' ? 'least' : 'most'}`, { value }), ...(detail.because ? [t('explorer.end.table.why')] : [])];
  const best = detail.children.find((child) => child.value === detail.value && child.bound === bound)?.move;
  if (end === 'exact' && best) return [t(hasWindow ? 'explorer.end.best' : 'explorer.end.bestOfAll', { value, move: best })];
  if (end === 'fail-low' && detail.path.length === 1) return [t(`explorer.end.fail-low.root.${turn}`, { value })];
  return [t(`explorer.end.${end}${end === 'fail-low' || end === 'lost' ? `.${turn}` : ''}`, { value, n: detail.simulations ?? 0 })];
}

/** @param {Detail} detail @param {Translate} t @returns {string[]} */
function cutOff(detail, t) {
  const { turn, because, unsearched, children } = detail;
  const value = valueText(detail.value, t);
  const move = children[children.length - 1]?.move ?? '';
  const limit = valueText(turn === 'white' ? detail.high : detail.low, t);
  const reasons = {
    move: () => t(`explorer.cut.move.${turn}`, { n: because?.plies ?? 1, move: because?.move, limit }),
    're-search': () => t('explorer.cut.again', { n: because?.plies ?? 1, move: because?.move, limit }),
    root: () => t('explorer.cut.root', { limit }),
    'null-window': () => t('explorer.cut.null', { n: because?.plies ?? 1, limit }),
  };
  const reason = /** @type {{[kind: string]: () => string}} */ (reasons)[because?.kind ?? '']?.() ?? t('explorer.cut.other', { limit });
  const rest = unsearched.length > 0 ? t('explorer.cut.rest', { n: unsearched.length, moves: unsearched.join(', ') }) : t('explorer.cut.none');
  return [t(`explorer.cut.${turn}`, { move, value }), reason, rest];
}
