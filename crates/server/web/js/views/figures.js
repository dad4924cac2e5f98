/** The study's figures 3 and 4, measured in this browser. */

import { LIMITS } from '../actions/figures.js';
import { curveOf, DEEPEST_MEASURED, MEASURED, POSITIONS, publishedCurve } from '../core/figures.js';
import { h } from '../ui/dom.js';
import { button, choices, labelled, link, select } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {FiguresPage} from '../actions/figures.js'
 * @import {Measured} from '../core/figures.js'
 * @import {Translate} from '../i18n/words.js'
 */

const SIZE = { width: 560, height: 350, left: 74, right: 14, top: 12, bottom: 48 };

/** @param {Context} context */
export function figuresPage({ state, t, explorer, act }) {
  const page = /** @type {FiguresPage} */ (/** @type {any} */ (state.page));
  const figures = explorer?.figures;
  const { measured = [], running, unit = 'time', limit = LIMITS[0] ?? 2, failed } = page;
  if (!figures) return h('main.message', { id: 'main', key: 'wait' }, h('h1', null, t('app.loading')));
  const limits = LIMITS.map((seconds) => /** @type {[string, string]} */ ([String(seconds), t('figures.seconds', { n: seconds })]));
  return h('main.lesson', { id: 'main', key: 'figures' },
    h('h1', { key: 'title' }, t('figures.title')),
    h('p', { key: 'text' }, t('figures.text', { n: POSITIONS.length })),
    h('div.figures-run', { key: 'run' },
      running ? button(t('figures.stop'), () => figures.stop(), { key: 'stop', id: 'figures-stop' })
        : button(t(measured.length > 0 ? 'figures.again' : 'figures.run'), () => figures.measure(), { key: 'run', id: 'figures-run', class: 'primary' }),
      labelled(t('figures.limit'), 'figures-limit', select('figures-limit', limits, String(limit), (value) => figures.change({ limit: Number(value) }))),
      choices(t('figures.unit'), [{ value: 'time', text: t('figures.time') }, { value: 'nodes', text: t('figures.nodes') }], unit, (value) => figures.change({ unit: value })),
      h('span.quiet-text', { key: 'progress', role: 'status' }, running ? t('figures.progress', { ...running, bot: t(`explorer.bot.${running.bot}`) }) : failed ? t('explorer.problem.unreachable') : '')),
    h('div.figures', { key: 'figures' }, /** @type {const} */ (['mean', 'most']).map((which) => figure(measured, which, unit, t))),
    h('ul.legend-line', { key: 'legend' }, MEASURED.map(([bot], i) => h('li', { key: bot }, h('span', { class: `swatch curve-${i}`, 'aria-hidden': 'true' }), t(`explorer.bot.${bot}`)))),
    h('p.quiet-text', { key: 'lines' }, unit === 'time' ? t('figures.lines') : '', ' ', t('figures.note')),
    measured.length > 0 && table(measured, state.settings.lang, t),
    h('p.explorer-links', { key: 'links' }, link('/lessons', t('lesson.all'), act.go), link('/explorer', t('explorer.title'), act.go)));
}

/** @param {Measured[]} measured @param {'mean' | 'most'} which @param {'time' | 'nodes'} unit @param {Translate} t */
function figure(measured, which, unit, t) {
  const { width, height, left, right, top, bottom } = SIZE;
  const curves = MEASURED.map(([bot]) => ({ bot, here: curveOf(measured, bot, which, unit), study: unit === 'time' ? publishedCurve(bot, which) : [] }));
  const values = curves.flatMap(({ here, study }) => [...here, ...study]).map(({ value }) => Math.max(value, 0.01));
  const [low, high] = values.length > 0 ? [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))] : [0, 3];
  const x = (/** @type {number} */ depth) => left + ((depth - 1) / (DEEPEST_MEASURED - 1)) * (width - left - right);
  const y = (/** @type {number} */ value) => top + ((high - Math.log10(Math.max(value, 0.01))) / Math.max(1, high - low)) * (height - top - bottom);
  const points = (/** @type {{depth: number, value: number}[]} */ curve) => curve.map(({ depth, value }) => `${x(depth).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const powers = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  const label = (/** @type {number} */ power) => `${power < 0 ? (10 ** power).toFixed(-power) : 10 ** power}${unit === 'time' ? ` ${t('figures.ms')}` : ''}`;
  return h('figure', { key: which }, h('figcaption', null, t(`figures.${which}`)),
    h('svg.figure-chart', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': t(`figures.${which}`) },
      powers.map((power) => h('g', { key: `y${power}` }, h('path.grid', { d: `M${left} ${y(10 ** power).toFixed(1)}H${width - right}` }),
        h('text', { x: left - 6, y: (y(10 ** power) + 4).toFixed(1), 'text-anchor': 'end' }, label(power)))),
      Array.from({ length: DEEPEST_MEASURED }, (_, i) => h('text', { key: `x${i}`, x: x(i + 1).toFixed(1), y: height - 28, 'text-anchor': 'middle' }, String(i + 1))),
      h('text', { key: 'axis', x: (left + width - right) / 2, y: height - 8, 'text-anchor': 'middle' }, t('explorer.depth')),
      curves.map(({ bot, here, study }, i) => h('g', { key: bot, class: `curve-${i}` },
        study.length > 0 && h('polyline.study-line', { points: points(study) }),
        here.length > 0 && h('polyline', { points: points(here) }),
        here.map(({ depth, value }) => h('circle', { key: String(depth), cx: x(depth).toFixed(1), cy: y(value).toFixed(1), r: 3 }))))));
}

/** @param {Measured[]} measured @param {string} lang @param {Translate} t */
function table(measured, lang, t) {
  const number = new Intl.NumberFormat(lang, { maximumSignificantDigits: 3 });
  const whole = new Intl.NumberFormat(lang, { maximumFractionDigits: 0 });
  return h('details', { key: 'table' }, h('summary', null, t('figures.table')),
    h('div.wide-table', { tabindex: '0', role: 'region', 'aria-label': t('figures.table') }, h('table', null,
      h('thead', null, h('tr', null, [t('explorer.algorithm'), t('figures.depth'), t('figures.mean'), t('figures.most'), t('figures.nodes')].map((text) => h('th', { key: text, scope: 'col' }, text)))),
      h('tbody', null, measured.map(({ bot, depth, mean, most, meanNodes }) => h('tr', { key: `${bot}${depth}` },
        h('th', { scope: 'row' }, t(`explorer.bot.${bot}`)), h('td', null, String(depth)), h('td', null, `${number.format(mean)} ${t('figures.ms')}`), h('td', null, `${number.format(most)} ${t('figures.ms')}`), h('td', null, whole.format(meanNodes))))))));
}
