/** The charts of recorded searches, how they are played, and what their colours mean. */

import { SPEEDS } from '../actions/playback.js';
import { valueText } from '../core/explain.js';
import { ENDS, SHARED, UNKNOWN } from '../game/trace.js';
import { h } from '../ui/dom.js';
import { button, choices, iconButton, select } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {Explorer, ExplorerPage, Place} from '../actions/explorer.js'
 * @import {Trace} from '../game/trace.js'
 */

/** @param {Context} context @param {ExplorerPage} page @param {Explorer} explorer @param {Trace} trace @param {Place} tree */
export function chart({ t, state }, page, explorer, trace, tree) {
  const { report } = trace;
  const number = new Intl.NumberFormat(state.settings.lang);
  const small = (/** @type {string} */ sign, /** @type {string} */ key, /** @type {() => void} */ act) =>
    iconButton(sign, t(key), act, { key, class: 'small' });
  return h('section.icicle', { key: `tree${tree}`, 'aria-labelledby': `chart-title-${tree}` },
    h('div.icicle-head', { key: 'head' },
      h('h2', { id: `chart-title-${tree}` }, report.bot, h('span.quiet-text', null, ` · ${t('explorer.nodes', { n: report.nodes, count: number.format(report.nodes) })}`)),
      h('div.icicle-tools', null,
        small('plus', 'explorer.zoomIn', () => explorer.zoom(tree, 2)),
        small('minus', 'explorer.zoomOut', () => explorer.zoom(tree, 0.5)),
        small('whole', 'explorer.whole', () => explorer.showWhole(tree)),
        saveMenu(t, explorer, tree))),
    report.dropped > 0 && h('p.quiet-text', { key: 'dropped' }, t('explorer.dropped', { n: report.dropped, count: number.format(report.dropped) })),
    h('div.icicle-chart', {
      key: 'chart', tabindex: '0', role: 'application', 'aria-label': t('explorer.chartOf', { bot: report.bot }), 'aria-describedby': 'explorer-keys',
      on: {
        keydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          if (explorer.key(tree, event.key)) {
            event.preventDefault();
            event.stopPropagation();
          }
        },
      },
    }, h('canvas', { id: `chart-${tree}`, 'aria-hidden': 'true', ref: (/** @type {HTMLCanvasElement} */ canvas) => explorer.icicles[tree]?.attach(canvas) })),
    h('p.hovered', { key: 'hovered', 'aria-hidden': 'true' }, hoveredText(page, trace, tree, t)));
}

/** @param {import('../i18n/words.js').Translate} t @param {Explorer} explorer @param {Place} tree */
function saveMenu(t, explorer, tree) {
  const kinds = /** @type {[string, string][]} */ ([['', t('explorer.save')], ['svg', t('explorer.save.svg')], ['csv', t('explorer.save.csv')], ['trace', t('explorer.save.trace')]]);
  return h('label', { key: 'save' }, h('span.unseen', null, t('explorer.save')),
    select(`save-${tree}`, kinds, '', (kind) => {
      explorer.files.save(tree, /** @type {any} */ (kind));
      /** @type {HTMLSelectElement} */ (document.getElementById(`save-${tree}`)).value = '';
    }));
}

/** The line of the node under the pointer, or of the selected one. @param {ExplorerPage} page @param {Trace} trace @param {Place} tree @param {import('../i18n/words.js').Translate} t */
function hoveredText({ hovered, wanted, details, time }, trace, tree, t) {
  const node = hovered?.tree === tree ? hovered.node : wanted.tree === tree ? wanted.node : details[tree]?.node;
  if (node == null || node >= trace.count) return ' ';
  const moves = trace.path(node).map((id) => trace.move(id)).filter(Boolean);
  const isOpen = trace.end(node) > (time ?? trace.count);
  const end = t(`explorer.kind.${isOpen ? 'open' : ENDS[trace.kind(node)]}`);
  return [moves.join(' ') || t('explorer.root'), end, isOpen ? '…' : valueText(trace.value(node), t)].join(' · ');
}

/** Goes through the searches in their order. @param {Context} context @param {ExplorerPage} page @param {Explorer} explorer */
export function playback({ t, state }, page, explorer) {
  const { playback: player, whole } = explorer;
  const number = new Intl.NumberFormat(state.settings.lang);
  const { time } = player;
  const speeds = SPEEDS.map((speed) => /** @type {[string, string]} */ ([String(speed), t('explorer.speed', { n: speed, count: number.format(speed) })]));
  return h('div.playback', { key: 'playback', role: 'group', 'aria-label': t('explorer.playback') },
    iconButton('first', t('explorer.begin'), () => player.go(1), { key: 'first', disabled: time <= 1 }),
    iconButton('back', t('explorer.back'), () => player.step(-1), { key: 'back', disabled: time <= 1 }),
    button(t(page.playing ? 'explorer.pause' : 'explorer.play'), () => player.toggle(), { key: 'play', id: 'explorer-play', class: 'primary' }),
    iconButton('forward', t('explorer.forward'), () => player.step(1), { key: 'forward', disabled: time >= whole }),
    iconButton('last', t('explorer.end'), () => player.go(whole), { key: 'last', disabled: time >= whole }),
    h('label.time', { key: 'time' }, h('span.unseen', null, t('explorer.time')), h('input', {
      id: 'explorer-time', type: 'range', min: '1', max: String(whole), prop: { value: String(time) },
      'aria-valuetext': t('explorer.timeOf', { n: number.format(time), all: number.format(whole) }),
      on: { input: (/** @type {any} */ event) => { player.stop(); player.go(Number(event.target.value)); } },
    })),
    h('span.figure', { key: 'figure' }, t('explorer.timeOf', { n: number.format(time), all: number.format(whole) })),
    h('label', { key: 'speed' }, h('span.unseen', null, t('explorer.speedLabel')), select('explorer-speed', speeds, String(page.speed), (speed) => explorer.change({ speed: Number(speed) }))));
}

/** What the colours mean, and of how many nodes. @param {Context} context @param {ExplorerPage} page @param {Explorer} explorer */
export function legend({ t, state }, page, explorer) {
  const { traces, compared } = page;
  const shown = /** @type {Trace[]} */ (traces.filter(Boolean));
  const isCompared = compared && shown.length > 1 && shown.every((trace) => trace.marks);
  const number = new Intl.NumberFormat(state.settings.lang);
  const counts = shown.map((trace) => (isCompared ? markCounts(trace) : new Map(Object.entries(trace.report.outcomes))));
  const names = (isCompared ? ['shared', ...ENDS] : ENDS).filter((name) => counts.some((count) => count.has(name)));
  return h('div.legend', { key: 'legend' },
    shown.length > 1 && choices(t('explorer.colours'), [
      { value: true, text: t('explorer.colours.compared') }, { value: false, text: t('explorer.colours.ends') },
    ], compared, (value) => explorer.change({ compared: value })),
    h('ul', { key: 'names' }, names.map((name) => h('li', { key: name },
      h('span', { class: `swatch of-${name}`, 'aria-hidden': 'true' }),
      h('span', null, t(isCompared ? `explorer.mark.${name}` : `explorer.kind.${name}`)),
      h('span.quiet-text', null, counts.map((count) => number.format(count.get(name) ?? 0)).join(' / '))))),
    h('p.quiet-text', { key: 'keys', id: 'explorer-keys' }, t('explorer.keys')));
}

/** How many nodes have each mark, by the names of their colours; counted once. @type {WeakMap<Uint8Array, Map<string, number>>} */
const counted = new WeakMap();

/** @param {Trace} trace */
function markCounts({ marks }) {
  if (!marks) return new Map();
  const known = counted.get(marks);
  if (known) return known;
  const counts = new Uint32Array(256);
  for (const mark of marks) counts[mark] = (counts[mark] ?? 0) + 1;
  /** @type {Map<string, number>} */
  const named = new Map();
  counts.forEach((count, mark) => {
    if (count > 0 && mark !== UNKNOWN) named.set(mark === SHARED ? 'shared' : ENDS[mark - 1] ?? 'stopped', count);
  });
  counted.set(marks, named);
  return named;
}
