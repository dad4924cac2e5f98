/** The search explorer: which searches, their charts, and the node that is looked at. */

import { ORDERS, PAIRS, SEARCHES } from '../core/explorer.js';
import { valueText } from '../core/explain.js';
import { START } from '../game/pieces.js';
import { h } from '../ui/dom.js';
import { chart, legend, playback } from './explorer_charts.js';
import { detailPart } from './explorer_detail.js';
import { button, labelled, link, select } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {Explorer, ExplorerPage, Place} from '../actions/explorer.js'
 * @import {Search} from '../core/explorer.js'
 * @import {Trace} from '../game/trace.js'
 * @import {Child} from '../ui/dom.js'
 */

/** @param {Context} context */
export function explorerPage(context) {
  const { state, t, explorer, act } = context;
  const page = /** @type {ExplorerPage} */ (/** @type {any} */ (state.page));
  if (!page.wanted || !explorer) return h('main.message', { id: 'main', key: 'wait' }, h('h1', null, t('app.loading')));
  return h('main.explorer', { id: 'main', key: 'explorer' },
    h('div.explorer-head', { key: 'head' }, h('h1', null, t('explorer.title')), h('p.quiet-text', null, t('explorer.about'), ' ',
      link('/lessons', t('explorer.lessons'), act.go, { key: 'lessons' }))),
    controls(context, page, explorer),
    explorerView(context, page, explorer));
}

/** The charts and all that explains them; the lessons have them too. @param {Context} context @param {ExplorerPage} page @param {Explorer} explorer @returns {Child[]} */
export function explorerView(context, page, explorer) {
  const { t } = context;
  const isThere = page.traces[0] != null;
  return [
    status(context, page, explorer),
    isThere && h('section.charts', { key: 'charts', 'aria-label': t('explorer.charts') },
      page.traces.map((trace, tree) => trace && chart(context, page, explorer, trace, /** @type {Place} */ (tree))),
      playback(context, page, explorer)),
    isThere && detailPart(context, page, explorer),
    isThere && legend(context, page, explorer),
    isThere && comparison(context, page),
  ];
}

/** Position and searches. @param {Context} context @param {ExplorerPage} page @param {Explorer} explorer */
function controls(context, page, explorer) {
  const { t, act } = context;
  const { wanted } = page;
  const pairs = /** @type {[string, string][]} */ ([['', t('explorer.choose')], ...PAIRS.map(([name]) => [name, t(`explorer.pair.${name}`)])]);
  return h('section.explorer-controls', { key: 'controls', 'aria-label': t('explorer.controls') },
    searchPart(context, explorer, wanted.first, 0),
    searchPart(context, explorer, wanted.second, 1),
    h('div.explorer-set', { key: 'set' },
      labelled(t('explorer.pairs'), 'explorer-pair', select('explorer-pair', pairs, '', (name) => {
        const pair = PAIRS.find(([known]) => known === name);
        if (pair) explorer.wantPair(pair);
        // The same one may be chosen again, after other changes.
        /** @type {HTMLSelectElement} */ (document.getElementById('explorer-pair')).value = '';
      })),
      h('form', {
        key: 'fen',
        on: {
          submit: (/** @type {SubmitEvent} */ event) => {
            event.preventDefault();
            explorer.want({ fen: /** @type {HTMLInputElement} */ (document.getElementById('explorer-fen')).value.trim() || START });
          },
        },
      }, labelled(t('explorer.position'), 'explorer-fen', h('div.copy', null,
        h('input', { id: 'explorer-fen', spellcheck: 'false', maxlength: '300', prop: { value: wanted.fen } }),
        h('button', { type: 'submit' }, t('explorer.set'))))),
      h('p.explorer-links', { key: 'links' },
        button(t('explorer.start'), () => explorer.want({ fen: START }), { class: 'link-button', disabled: wanted.fen === START }),
        link(`/editor?fen=${wanted.fen}`, t('explorer.edit'), act.go),
        link(`/analysis?fen=${wanted.fen}`, t('game.analyse'), act.go))));
}

/** One of the two searches. @param {Context} context @param {Explorer} explorer @param {Search | null} search @param {Place} tree */
function searchPart({ t }, explorer, search, tree) {
  const title = t(tree === 0 ? 'explorer.first' : 'explorer.second');
  const names = Object.keys(SEARCHES).map((name) => [name, t(`explorer.bot.${name}`)]);
  const known = search && SEARCHES[search.name];
  const options = /** @type {[string, string][]} */ ([...(tree === 1 ? [['', t('explorer.none')]] : []), ...(search && !known ? [[search.name, search.name]] : []), ...names]);
  const depths = Array.from({ length: known?.most ?? 0 }, (_, i) => /** @type {[string, string]} */ ([String(i + 1), String(i + 1)]));
  const orders = ORDERS.map((order) => /** @type {[string, string]} */ ([order, t(`explorer.order.${order}`)]));
  return h('fieldset.explorer-search', { key: `search${tree}` }, h('legend', null, title),
    labelled(t('explorer.algorithm'), `bot-${tree}`, select(`bot-${tree}`, options, search?.name ?? '', (name) => (name ? explorer.wantSearch(tree, { name }) : explorer.want({ second: null })))),
    depths.length > 0 && labelled(t('explorer.depth'), `depth-${tree}`, select(`depth-${tree}`, depths, String(search?.depth), (depth) => explorer.wantSearch(tree, { depth: Number(depth) }))),
    known?.ordered && labelled(t('explorer.order'), `order-${tree}`, select(`order-${tree}`, orders, search?.order ?? 'off', (order) => explorer.wantSearch(tree, { order }))),
    h('label.link-button', { key: 'file', for: `file-${tree}` }, t('explorer.open')),
    h('input.unseen', {
      key: 'input', id: `file-${tree}`, type: 'file',
      on: {
        change: (/** @type {any} */ event) => {
          const [file] = event.target.files;
          event.target.value = '';
          if (file) explorer.files.open(tree, file);
        },
      },
    }));
}

/** Whether something is being recorded, or why not. @param {Context} context @param {ExplorerPage} page @param {Explorer} explorer */
function status({ t, state }, page, explorer) {
  const { recording, problem } = page;
  const key = `explorer.problem.${problem?.code}`;
  const text = problem && (t(key) === key ? problem.message ?? '' : t(key));
  const lang = problem && t(key) === key && state.settings.lang !== 'en' ? 'en' : null;
  return h('div', { key: 'status', class: `explorer-status${problem ? ' problem' : ''}`, role: 'status' },
    recording ? [h('span', { key: 'text' }, t('explorer.recording')), button(t('explorer.stop'), () => explorer.stop(), { key: 'stop' })] : problem && h('span', { lang }, text));
}

/** Both searches in numbers. @param {Context} context @param {ExplorerPage} page */
function comparison({ t, state }, { traces }) {
  const whole = new Intl.NumberFormat(state.settings.lang);
  const one = new Intl.NumberFormat(state.settings.lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(state.settings.lang, { style: 'percent', maximumFractionDigits: 1 });
  const shown = /** @type {Trace[]} */ (traces.filter(Boolean)).map(({ report }) => report);
  const cuts = (/** @type {any} */ report) => report.outcomes['cut-off'] ?? 0;
  /** @type {[string, (report: Trace['report']) => Child][]} */
  const rows = [
    ['move', (report) => `${report.move ?? '–'} (${valueText(report.value, t)})`],
    ['nodes', (report) => whole.format(report.nodes)],
    ['dropped', (report) => (report.dropped > 0 ? whole.format(report.dropped) : null)],
    ['roots', (report) => (report.roots > 1 ? whole.format(report.roots) : null)],
    ['leaves', (report) => (report.leaves == null || report.is_simulated ? null : whole.format(report.leaves))],
    // The theorem is about searches that evaluate at one depth, and remember nothing.
    ['fewest', (report) => (report.fewest_leaves == null || !/^(minimax|alpha-beta|negascout)(:|$)/.test(report.bot) ? null : whole.format(Math.round(report.fewest_leaves)))],
    ['tried', (report) => (report.moves_tried == null ? null : t('explorer.of', { tried: one.format(report.moves_tried), legal: one.format(report.legal_moves ?? 0) }))],
    ['firstCuts', (report) => (cuts(report) > 0 ? t('explorer.shareOf', { share: percent.format(report.first_move_cut_offs / cuts(report)), n: cuts(report), count: whole.format(cuts(report)) }) : null)],
    ['reSearches', (report) => (report.re_searches > 0 ? whole.format(report.re_searches) : null)],
  ];
  const filled = rows.map(([name, of]) => ({ name, cells: shown.map(of) })).filter(({ cells }) => cells.some((cell) => cell != null));
  return h('section.explorer-numbers', { key: 'numbers' }, h('h2', null, t('explorer.numbers')),
    h('div.wide-table', { tabindex: '0', role: 'region', 'aria-label': t('explorer.numbers') }, h('table', null,
      h('thead', null, h('tr', null, h('td', null), shown.map((report, i) => h('th', { key: String(i), scope: 'col' }, report.bot)))),
      h('tbody', null, filled.map(({ name, cells }) => h('tr', { key: name },
        h('th', { scope: 'row' }, t(`explorer.row.${name}`)), cells.map((cell, i) => h('td', { key: String(i) }, cell ?? '–'))))))),
    h('p.quiet-text', { key: 'note' }, t('explorer.fewestNote')));
}
