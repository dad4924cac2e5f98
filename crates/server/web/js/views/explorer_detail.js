/** The node that is looked at: board, window, what it was asked and how it ended, and the moves that were tried. */

import { asked, boundedText, ended, valueText } from '../core/explain.js';
import { readFen } from '../game/pieces.js';
import { isDecided } from '../game/trace.js';
import { stillView } from '../game/view.js';
import { h } from '../ui/dom.js';
import { boardNode } from './board.js';
import { button, link } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {Explorer, ExplorerPage, Place} from '../actions/explorer.js'
 * @import {Child, Detail} from '../core/explain.js'
 * @import {Trace} from '../game/trace.js'
 * @import {Translate} from '../i18n/words.js'
 */

/** @param {Context} context @param {ExplorerPage} page @param {Explorer} explorer */
export function detailPart(context, page, explorer) {
  const { t, act, state } = context;
  const { tree } = page.wanted;
  const known = page.details[tree];
  const trace = page.traces[tree];
  if (!known || !trace) return null;
  const { time } = explorer.playback;
  // While a search is played, what it has not found yet is not told.
  const isOpen = trace.end(known.node) > time;
  const detail = soFar(known, trace, time);
  const hasWindow = hasWindows(trace);
  const { pieces } = readFen(detail.fen);
  const { played } = detail;
  const board = { ...stillView(state.board.flipped, pieces), trail: played?.squares ?? [], crosses: played?.captures ?? [], squares: state.settings.squares };
  return h('section.explorer-node', { key: 'node', 'aria-label': t('explorer.node') },
    h('div.explorer-board', { key: 'board' }, boardNode(board, t),
      h('p.explorer-links', null, link(`/analysis?fen=${detail.fen}`, t('explorer.analyse'), act.go),
        button(t('explorer.from'), () => explorer.want({ fen: detail.fen }), { class: 'link-button', disabled: detail.path.length === 1 && detail.depth >= 0 && detail.node === 0 }))),
    h('div.explorer-words', { key: 'words' },
      pathPart(detail, tree, explorer, t),
      hasWindow && windowsPart(detail, t),
      h('div.explanation', { key: 'why', role: page.playing ? null : 'status' },
        h('p.unseen', { key: 'which' }, detail.path.map(({ move }) => move).filter(Boolean).join(' ') || t('explorer.root')),
        h('p', { key: 'asked' }, asked(detail, t, hasWindow).join(' ')),
        (isOpen ? [t('explorer.end.open', { n: detail.children.length })] : ended(detail, t, hasWindow)).map((sentence, i) => h('p', { key: `end${i}` }, sentence)),
        !isOpen && becausePart(detail, tree, explorer, t)),
      !isOpen && otherPart(page, tree, explorer, t)),
    triedPart(detail, tree, explorer, context));
}

/** To the node that explains this one. @param {Detail} detail @param {Place} tree @param {Explorer} explorer @param {Translate} t */
function becausePart({ because: reason }, tree, explorer, t) {
  const node = reason?.node;
  if (node == null) return null;
  return h('p', { key: 'because' }, button(t(reason?.kind === 'earlier' ? 'explorer.showEarlier' : 'explorer.showAbove'), () => explorer.select(tree, node), { class: 'link-button' }));
}

/** The way from the root; each step shows its node. @param {Detail} detail @param {Place} tree @param {Explorer} explorer @param {Translate} t */
function pathPart(detail, tree, explorer, t) {
  return h('ol.explorer-path', { key: 'path', 'aria-label': t('explorer.path') }, detail.path.map(({ node, move }, i) => h('li', { key: String(i) },
    button(move ?? t(i === 0 ? 'explorer.root' : 'explorer.samePosition'), () => explorer.select(tree, node), { class: 'link-button', 'aria-current': node === detail.node ? 'true' : null }))));
}

/** Whether a search has windows. @param {Trace} trace */
function hasWindows({ report }) {
  return !report.is_simulated && !report.bot.startsWith('minimax');
}

/** What is known of a node while its search is played. @param {Detail} detail @param {Trace} trace @param {number} time @returns {Detail} */
function soFar(detail, trace, time) {
  const isOver = (/** @type {number} */ node) => trace.end(node) <= time;
  const tried = detail.children.filter(({ node }) => node < time);
  return {
    ...detail,
    path: detail.path.map((step) => (isOver(step.node) ? step : { ...step, value: null })),
    children: tried.map((child) => (isOver(child.node) ? child : { ...child, value: null, end: 'open' })),
    unsearched: isOver(detail.node) ? detail.unsearched : [],
  };
}

/** The windows of the nodes on the way, each within the one above. @param {Detail} detail @param {Translate} t */
function windowsPart({ path: steps }, t) {
  const name = (/** @type {number | null} */ end) => (end == null ? t('explorer.window.noBound') : valueText(end, t));
  const known = steps.flatMap(({ low, high, value }) => [low, high, value]).filter((end) => end != null && !isDecided(end));
  const [least, most] = [Math.min(0, .../** @type {number[]} */ (known)), Math.max(0, .../** @type {number[]} */ (known))];
  const margin = Math.max(1, (most - least) * 0.15);
  const x = (/** @type {number | null} */ end, /** @type {number} */ open) => (end == null ? open : 4 + 292 * Math.min(1, Math.max(0, (end - least + margin) / (most - least + 2 * margin))));
  const row = 14;
  return h('figure.windows', { key: 'windows' },
    h('figcaption', null, t('explorer.windows')),
    h('svg', { viewBox: `0 0 300 ${steps.length * row}`, role: 'img', 'aria-label': steps.map(({ low, high }) => `${name(low)} – ${name(high)}`).join('; ') },
      steps.map(({ low, high, value, node }, i) => {
        const [left, right] = [x(low, 0), x(high, 300)];
        return h('g', { key: String(node) },
          h('rect.window', { x: left.toFixed(1), y: i * row + 3, width: Math.max(2, right - left).toFixed(1), height: row - 6, rx: 2 }),
          value != null && h('circle.value', { cx: x(value, 0).toFixed(1), cy: i * row + row / 2, r: 3.5 }));
      })));
}

/** What the other search did with this line. @param {ExplorerPage} page @param {Place} tree @param {Explorer} explorer @param {Translate} t */
function otherPart({ details, traces }, tree, explorer, t) {
  const otherTree = tree === 0 ? 1 : 0;
  const [detail, other, trace] = [details[tree], details[otherTree], traces[otherTree]];
  if (!detail?.other || !other || !trace) return null;
  const bot = trace.report.bot;
  const moves = other.path.map(({ move }) => move).filter(Boolean).join(' ');
  const isVisited = detail.other.visited;
  return h('div.explanation.other', { key: 'other' },
    h('h3', null, t(isVisited ? 'explorer.other.visited' : 'explorer.other.missing', { bot })),
    !isVisited && h('p', { key: 'last' }, t('explorer.other.last', { moves: moves || t('explorer.root') })),
    ended(other, t, hasWindows(trace)).map((sentence, i) => h('p', { key: `end${i}` }, sentence)),
    h('p', { key: 'go' }, button(t('explorer.other.show'), () => explorer.select(otherTree, other.node), { class: 'link-button' })));
}

/** The moves in the order in which they were tried, and those that were not. @param {Detail} detail @param {Place} tree @param {Explorer} explorer @param {Context} context */
function triedPart(detail, tree, explorer, { t, state }) {
  const number = new Intl.NumberFormat(state.settings.lang);
  const row = (/** @type {Child} */ child, /** @type {number} */ i) => h('tr', { key: String(child.node) },
    h('td', null, String(i + 1)),
    h('th', { scope: 'row' }, button(child.move ?? t('explorer.samePosition'), () => explorer.select(tree, child.node), { class: 'link-button' })),
    h('td', null, boundedText(child, t)),
    h('td', null, [t(`explorer.kind.${child.end}`), child.purpose === 'move' ? '' : t(`explorer.kind.${child.purpose}`)].filter(Boolean).join(', ')),
    h('td.number', null, number.format(child.nodes)));
  return h('div.explorer-moves', { key: 'moves' }, h('h2', null, t('explorer.moves')),
    detail.children.length > 0 && h('div.wide-table', { key: 'table', tabindex: '0', role: 'region', 'aria-label': t('explorer.moves') }, h('table', null,
      h('thead', null, h('tr', null, ['place', 'move', 'value', 'end', 'nodes'].map((name) => h('th', { key: name, scope: 'col' }, t(`explorer.column.${name}`))))),
      h('tbody', null, detail.children.map(row)))),
    detail.children.length === 0 && h('p.quiet-text', { key: 'none' }, t(detail.dropped > 0 ? 'explorer.droppedHere' : 'explorer.noMoves', { n: detail.dropped, count: number.format(detail.dropped) })),
    detail.unsearched.length > 0 && h('p', { key: 'unsearched' }, h('strong', null, t('explorer.unsearched')), ` ${detail.unsearched.join(', ')}`));
}
