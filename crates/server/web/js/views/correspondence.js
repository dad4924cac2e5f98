/** Games by correspondence: whose turn it is, challenges, vacation and conditional moves. */

import { h } from '../ui/dom.js';
import { field, form } from './account_form.js';
import { notifications } from './notifications.js';
import { button, labelled, link } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {Correspondence, CorrespondenceGame, CorrespondencePage, Invitation} from '../actions/correspondence.js'
 */

/** The days for a move to choose from. */
const DAYS = [1, 2, 3, 5, 7, 10, 14];

/** @param {Context} context */
export function correspondencePage(context) {
  const { state, t, act } = context;
  const { overview, problem, detail, done } = /** @type {CorrespondencePage} */ (state.page);
  const text = problem && t(problem) === problem ? t('account.problem.other') : problem && t(problem);
  return h('main.records.correspondence', { id: 'main', key: 'correspondence' },
    h('div.records-head', { key: 'head' }, h('h1', null, t('correspondence.title'))),
    h('p.quiet-text', { key: 'about' }, t('correspondence.about')),
    h('p.account-problem', { key: 'problem', role: 'alert' }, [text, detail].filter(Boolean).join(' ')),
    h('p.quiet-text', { key: 'done', role: 'status' }, done ? t(done) : ''),
    state.me.account == null ? h('p.quiet-text', { key: 'wait' }, t('app.loading'))
      : !state.me.account ? h('section.card.tournament-card', { key: 'none' }, h('p', null, t('correspondence.needsAccount')), link('/account', t('nav.account'), act.go, { class: 'button' }))
        : !overview ? h('p.quiet-text', { key: 'wait' }, t('app.loading'))
          : overview.code ? h('p.account-problem', { key: 'failed' }, t('ratings.unavailable')) : own(context));
}

/** @param {Context} context */
function own(context) {
  const { state, t } = context;
  const { overview } = /** @type {CorrespondencePage} */ (state.page);
  const { games = [], challenges = [] } = overview ?? {};
  const list = (/** @type {string} */ title, /** @type {CorrespondenceGame[]} */ found) => h('section.card', { key: title, 'aria-labelledby': `${title}-title` },
    h('h2', { id: `${title}-title` }, t(`correspondence.${title}`), h('span.count', null, String(found.length))),
    found.length === 0 ? h('p.quiet-text', null, t(`correspondence.${title}None`)) : h('ul.tournament-list', null, found.map((game) => gameLine(context, game))));
  return [
    challenges.length > 0 && h('section.card', { key: 'challenges', 'aria-labelledby': 'challenges-title' },
      h('h2', { id: 'challenges-title' }, t('correspondence.challenges')),
      h('ul.account-sessions', null, challenges.map((invitation) => challengeLine(context, invitation)))),
    list('yours', games.filter((game) => game.your_turn)),
    list('theirs', games.filter((game) => !game.your_turn)),
    challengeForm(context),
    notifications(context, service(context)),
    vacation(context),
  ];
}

/** @param {Context} context @returns {(ms: number) => string} */
function momentIn({ state }) {
  return (ms) => new Intl.DateTimeFormat(state.settings.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}

/** @param {Context} context @param {CorrespondenceGame} game */
function gameLine(context, game) {
  const { t, act, state } = context;
  const time = momentIn(context);
  const { id, table, color, opponent, opponent_away_ms: away, days, rated, ply, your_turn: isYours, deadline_ms: deadline } = game;
  const { lines } = /** @type {CorrespondencePage} */ (state.page);
  const about = [
    t('correspondence.moves', { n: ply }), t('correspondence.days', { n: days }), rated && t('game.rated'),
    t('correspondence.until', { time: time(deadline) }), away && t('correspondence.away', { time: time(away) }),
  ];
  return h('li', { key: id },
    h('span', { class: `man small ${color}`, role: 'img', 'aria-label': t(`color.${color}`) }),
    link(`/g/${table}`, t('correspondence.against', { name: opponent }), act.go, { 'data-game': id }),
    h('span.quiet-text', null, about.filter(Boolean).join(' · ')),
    !isYours && lines?.id !== id && button(t('correspondence.conditional'), () => service(context).edit(id), { 'data-conditional': id, 'aria-label': `${t('correspondence.conditional')}: ${opponent}` }),
    lines?.id === id && conditional(context, id, lines.text));
}

/** @param {Context} context @param {string} id @param {string} text */
function conditional(context, id, text) {
  const { t } = context;
  return h('div.conditional', { key: 'lines' },
    form((fields) => service(context).save(id, fields('lines')),
      labelled(t('correspondence.lines'), 'account-lines', h('textarea', { id: 'account-lines', name: 'lines', rows: '4', spellcheck: 'false', autocapitalize: 'off', placeholder: 'c3-d4 d6-c5' }, text)),
      h('span.account-choice', null,
        h('button.primary', { type: 'submit', id: 'save-lines' }, t('correspondence.save')),
        button(t('correspondence.close'), () => service(context).edit()))),
    h('p.quiet-text', null, t('correspondence.linesText')));
}

/** @param {Context} context @param {Invitation} invitation */
function challengeLine(context, { id, with: name, received, color, days, rated }) {
  const { t } = context;
  const about = [t(`color.${color ?? 'random'}`), t('correspondence.days', { n: days }), rated && t('game.rated')];
  return h('li', { key: id },
    h('span', null, h('strong', null, t(received ? 'correspondence.from' : 'correspondence.to', { name })), h('span.quiet-text', null, ` ${about.filter(Boolean).join(' · ')}`)),
    h('span.account-choice', null,
      received && button(t('lobby.accept'), () => service(context).accept(id), { class: 'primary', 'data-accept': id, 'aria-label': `${t('lobby.accept')}: ${name}` }),
      button(t(received ? 'lobby.decline' : 'correspondence.withdraw'), () => service(context).decline(id), { 'aria-label': `${t(received ? 'lobby.decline' : 'correspondence.withdraw')}: ${name}` })));
}

/** @param {Context} context */
function challengeForm(context) {
  const { t, state } = context;
  const pick = (/** @type {string} */ name, /** @type {[string, string][]} */ options, /** @type {string} */ chosen) => labelled(t(`correspondence.new.${name}`), `account-${name}`,
    h('select', { id: `account-${name}`, name }, options.map(([value, text]) => h('option', { value, selected: value === chosen }, text))));
  return h('section.card.tournament-card', { key: 'new', 'aria-labelledby': 'new-correspondence' },
    h('h2', { id: 'new-correspondence' }, t('correspondence.new.title')),
    h('p', null, t('correspondence.new.text')),
    form((fields) => service(context).challenge({
      opponent: fields('opponent').trim(), days: Number(fields('days')), rated: fields('rated') === 'yes',
      ...(fields('color') !== 'random' && { color: fields('color') }),
    }),
    field('opponent', t('correspondence.new.opponent'), { autocomplete: 'off', required: true, maxlength: '30', value: state.route.query.against ?? '' }),
    pick('days', DAYS.map((n) => [String(n), t('correspondence.days', { n })]), '3'),
    pick('color', ['random', 'white', 'black'].map((color) => [color, t(`color.${color}`)]), 'random'),
    h('label.check', { key: 'rated', for: 'account-rated' }, h('input', { id: 'account-rated', name: 'rated', type: 'checkbox', value: 'yes', checked: true }), h('span', null, t('lobby.rated'))),
    h('button.primary', { type: 'submit', id: 'challenge' }, t('correspondence.new.send'))));
}

/** @param {Context} context */
function vacation(context) {
  const { t, state } = context;
  const { overview } = /** @type {CorrespondencePage} */ (state.page);
  const { until_ms: until, days_left: left = 0 } = overview?.vacation ?? {};
  return h('section.card.tournament-card', { key: 'vacation', 'aria-labelledby': 'vacation-title' },
    h('h2', { id: 'vacation-title' }, t('correspondence.vacation')),
    until ? [h('p', { key: 'until' }, t('correspondence.onVacation', { time: momentIn(context)(until) })), button(t('correspondence.endVacation'), () => service(context).endVacation(), { key: 'end', id: 'end-vacation' })]
      : [h('p', { key: 'text' }, t('correspondence.vacationText', { n: left })),
        left > 0 && form((fields) => service(context).startVacation(Number(fields('vacation'))),
          field('vacation', t('correspondence.vacationDays'), { type: 'number', min: '1', max: String(left), required: true, value: String(Math.min(7, left)) }),
          h('button', { type: 'submit', id: 'start-vacation' }, t('correspondence.startVacation')))]);
}

/** @param {Context} context @returns {Correspondence} */
function service({ records }) {
  return /** @type {any} */ (records).correspondence;
}
