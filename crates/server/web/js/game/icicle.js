/** The chart of a recorded search: a row for each level, and in it a box for each node, as wide as its subtree. */

import { ENDS, endOf, firstAfter, isDecided, SHARED, signed, UNKNOWN } from './trace.js';

/**
 * @import {Trace} from './trace.js'
 *
 * @typedef {{from: number, to: number}} View the part of the search in view, in nodes
 * @typedef {{node: number, level: number, x: number, width: number}} Box in pixels; nodes too narrow to be seen share one
 */

/** A pixel is no narrower. */
const NARROWEST = 1;

/**
 * The boxes in view, level by level. However many nodes there are, a level has no more boxes than pixels.
 * @param {Trace} trace @param {View} view @param {number} width in pixels
 * @param {number} time how many nodes the search has entered
 * @returns {Box[]}
 */
export function boxes(trace, { from, to }, width, time) {
  const scale = width / Math.max(1, to - from);
  const until = Math.min(to, time);
  /** @type {Box[]} */
  const found = [];
  trace.levels.forEach((nodes, level) => {
    // The one that began before the view may reach into it.
    let place = Math.max(0, firstAfter(nodes, from) - 1);
    for (let node = nodes[place]; node != null && node < until; node = nodes[place]) {
      const x = Math.max(0, (node - from) * scale);
      const end = (Math.min(trace.end(node), until) - from) * scale;
      if (end > 0) found.push({ node, level, x, width: Math.max(NARROWEST, Math.min(width, end) - x) });
      const next = end - x >= NARROWEST ? place + 1 : firstAfter(nodes, from + (Math.floor(x) + 1) / scale - 1e-9);
      place = Math.max(place + 1, next);
    }
  });
  return found;
}

/** What a box says, the shorter the narrower it is. @param {Trace} trace @param {Box} box @param {number} time */
export function labelOf(trace, { node, width }, time) {
  if (width < 44) return '';
  const value = trace.end(node) <= time ? trace.value(node) : null;
  const move = trace.move(node);
  return value == null || width < 96 ? move : `${move} ${shortValue(value)}`.trim();
}

/** A value as labels have it. @param {number} value */
export function shortValue(value) {
  if (!isDecided(value)) return signed(value);
  const { result, plies } = endOf(value);
  return `${result} (${plies})`;
}

/**
 * The class of a node's colour: how it ended, or what of it the other search left out.
 * @param {Trace} trace @param {number} node @param {number} time @param {boolean} isCompared
 */
export function colourOf(trace, node, time, isCompared) {
  if (trace.end(node) > time) return 'open';
  const mark = trace.marks?.[node];
  if (!isCompared || mark == null) return ENDS[trace.kind(node)] ?? 'stopped';
  return mark === SHARED ? 'shared' : mark === UNKNOWN ? 'stopped' : ENDS[mark - 1] ?? 'stopped';
}

/** The part in view after zooming in by `factor` about a place. @param {View} view @param {number} place @param {number} factor @param {number} count */
export function zoomed({ from, to }, place, factor, count) {
  const span = Math.min(count, Math.max(8, (to - from) / factor));
  const share = (place - from) / Math.max(1, to - from);
  return within({ from: place - span * share, to: place + span * (1 - share) }, count);
}

/** The part in view moved so that it lies within the search. @param {View} view @param {number} count */
export function within({ from, to }, count) {
  const span = Math.min(to - from, count);
  const start = Math.min(Math.max(0, from), Math.max(0, count - span));
  return { from: start, to: start + span };
}

/** As `zoomed`, so that a node fills it. @param {Trace} trace @param {number} node @param {number} count */
export function fitted(trace, node, count) {
  const span = Math.max(8, trace.end(node) - node);
  return within({ from: node - span * 0.02, to: node + span * 1.02 }, count);
}

/**
 * The chart as a picture.
 * @param {Trace} trace @param {View} view @param {number} width @param {number} row its height @param {number} time
 * @param {(node: number) => [string, string]} colours of its box and of the text in it @param {string} title
 */
export function svgOf(trace, view, width, row, time, colours, title) {
  const escape = (/** @type {string} */ text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  const shapes = boxes(trace, view, width, time).map((box) => {
    const label = labelOf(trace, box, time);
    const [fill, ink] = colours(box.node);
    const rect = `<rect x="${box.x.toFixed(2)}" y="${box.level * row}" width="${Math.max(NARROWEST, box.width - 0.5).toFixed(2)}" height="${row - 1}" fill="${fill}"/>`;
    return label ? `${rect}<text x="${(box.x + 4).toFixed(2)}" y="${((box.level + 0.7) * row).toFixed(1)}" fill="${ink}">${escape(label)}</text>` : rect;
  });
  const height = trace.levels.length * row;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">\n<title>${escape(title)}</title>\n${shapes.join('\n')}\n</svg>\n`;
}
