/** What is opened in the analysis: a text, a file, and the games of it. */

import { problemText } from '../core/problem.js';
import { h } from '../ui/dom.js';
import { button, link } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {StudyPage} from '../actions/study.js'
 * @import {OpenedFile} from '../actions/files.js'
 */

/** Squares that may have the number 1. */
const CORNERS = ['b8', 'a1', 'g1', 'h8'];
/** The most games of a file that are listed at once. */
const MOST_LISTED = 100;

/** A text to open. @param {Context} context @param {StudyPage} page */
export function openingForm(context, page) {
  const { state, t, act, study } = context;
  const { problem } = page;
  const { study: text = '', numbers = '' } = state.form;
  const openFile = async (/** @type {Blob | undefined} */ file) => {
    const read = file && await textOf(file);
    if (read != null) study?.open((files) => files.open(read, numbers));
  };
  return h('details.opening', { key: 'open', open: problem != null || page.file != null || null },
    h('summary', null, t('study.open')),
    page.file && chooser(context, page.file),
    h('label', { for: 'study-text' }, t('study.text')),
    h('textarea', { id: 'study-text', rows: '4', spellcheck: 'false', prop: { value: text }, 'aria-describedby': 'study-problem', on: { input: (/** @type {any} */ event) => act.fill({ study: event.target.value }) } }),
    h('p.problem', { id: 'study-problem', role: 'status' }, problem && problemText(problem, t)),
    h('div.answers', null,
      link(`/editor?fen=${page.table.game?.fen ?? ''}`, t('nav.editor'), act.go, { class: 'button' }),
      button(t('study.openIt'), () => study?.open((files) => files.open(text, numbers)), { class: 'primary', id: 'study-open' })),
    h('label', { for: 'study-file' }, t('study.file')),
    h('input', { id: 'study-file', type: 'file', accept: '.pdn,.txt,.fen,text/plain', on: { change: async (/** @type {any} */ event) => openFile(event.target.files[0]) } }),
    h('label', { for: 'study-numbers' }, t('study.numbers')),
    h('select', { id: 'study-numbers', on: { change: (/** @type {any} */ event) => act.fill({ numbers: event.target.value }) } },
      h('option', { value: '', selected: numbers === '' }, t('study.numbersFit')),
      CORNERS.map((corner) => h('option', { key: corner, value: corner, selected: numbers === corner }, t('study.numbersFrom', { square: corner })))));
}

/** The text of a file: UTF-8, or Windows-1251, in which older programs write. @param {Blob} file */
async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1251').decode(bytes);
  }
}

/** The games of a text, by players, event and date. @param {Context} context @param {OpenedFile} file */
function chooser({ state, t, act, study }, { list, chosen, isCutShort }) {
  const wanted = (state.form.wanted ?? '').toLowerCase();
  const numbers = [...list.keys()];
  const found = wanted ? numbers.filter((number) => titleOf(number).toLowerCase().includes(wanted)) : numbers;
  const bad = list.filter((game) => game.problem).length;
  return h('div.chooser', { key: 'chooser' },
    h('p', { id: 'chooser-count' }, t('study.games', { n: list.length }), bad > 0 && ` ${t('study.badGames', { n: bad })}`, isCutShort && ` ${t('study.cutShort')}`),
    h('label', { for: 'chooser-filter' }, t('study.filter')),
    h('input', { id: 'chooser-filter', prop: { value: state.form.wanted ?? '' }, on: { input: (/** @type {any} */ event) => act.fill({ wanted: event.target.value }) } }),
    h('ol', { 'aria-label': t('study.gamesOf') }, found.slice(0, MOST_LISTED).map((number) => h('li', { key: String(number) },
      list[number]?.problem ? h('p.problem', null, titleOf(number))
        : button(titleOf(number), () => study?.open((files) => files.choose(number)), { 'aria-current': number === chosen ? 'true' : null, 'data-game': number })))),
    found.length > MOST_LISTED && h('p.quiet-text', null, t('study.moreGames', { n: found.length - MOST_LISTED })));

  /** @param {number} number */
  function titleOf(number) {
    const { problem, white = '?', black = '?', result, event, date } = list[number] ?? {};
    if (problem) return `${number + 1}. ${problemText(problem, t)}`;
    const about = [event, date].filter(Boolean).join(', ');
    return `${number + 1}. ${white} – ${black} ${result}${about ? ` · ${about}` : ''}`;
  }
}
