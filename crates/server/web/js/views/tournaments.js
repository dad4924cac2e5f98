/** The list of tournaments, and the form for a new one. */

import { CLOCKS } from '../core/new_game.js';
import { h } from '../ui/dom.js';
import { field, form } from './account_form.js';
import { labelled, link, select, shortClock } from './parts.js';
import { TOURNAMENT_FORMATS, isInRounds, roundChoices, roundText, wantedRounds } from './rounds.js';

/**
 * @import {Context} from './context.js'
 * @import {TournamentEntry, Tournaments, TournamentsPage} from '../actions/tournaments.js'
 */

/** How long an arena takes, in minutes. */
const LENGTHS = [20, 30, 45, 60, 90, 120, 180];

/** Rounds begin so much later, unless the organiser says when: players have to be there at the start. */
const GATHERING_MS = 10 * 60_000;

/** The groups of the list, and how each is sorted. */
const TOURNAMENT_GROUPS = [
  { title: 'tournaments.running', stages: ['running', 'paused'], later: false },
  { title: 'tournaments.coming', stages: ['coming'], later: false },
  { title: 'tournaments.over', stages: ['over'], later: true },
];

/** @param {Context} context */
export function tournamentsPage(context) {
  const { state, t } = context;
  const { tournaments: list, isLoading } = /** @type {TournamentsPage} */ (state.page);
  const all = list?.tournaments ?? [];
  return h('main.records', { id: 'main', key: 'tournaments' },
    h('div.records-head', { key: 'head' }, h('h1', null, t('tournaments.title')),
      link('/ratings?of=ladder', t('ratings.ladder'), context.act.go, { class: 'button', id: 'ladder' })),
    h('p.quiet-text', { key: 'about', role: 'status' }, isLoading ? t('game.loading') : list?.code ? t('ratings.unavailable') : all.length === 0 ? t('tournaments.none') : t('tournaments.about')),
    TOURNAMENT_GROUPS.map(({ title, stages, later }) => {
      const found = all.filter(({ stage }) => stages.includes(stage));
      if (!later) found.reverse();
      return found.length > 0 && h('section.card', { key: title, 'aria-label': t(title) }, h('h2', null, t(title)),
        h('ul.tournament-list', null, found.map((entry) => tournamentLine(context, entry))));
    }),
    list && !list.code && newTournament(context));
}

/** @param {Context} context @param {TournamentEntry} entry */
function tournamentLine(context, entry) {
  return h('li', { key: entry.id },
    link(`/tournament/${entry.id}`, entry.name, context.act.go),
    entry.stage === 'running' && isInRounds(entry) && h('span', null, roundText(context.t, entry)),
    h('span.quiet-text', null, aboutTournament(context, entry)));
}

/** What a tournament is, in a line. @param {Context} context @param {TournamentEntry} entry */
export function aboutTournament({ state, t }, entry) {
  const { format, entrants, clock, rated, openings, max_rating: limit, starts_ms: starts, ends_ms: ends, players, games_per_pairing: games, stage } = entry;
  const time = new Intl.DateTimeFormat(state.settings.lang, { dateStyle: 'medium', timeStyle: 'short' });
  return [
    t(`tournament.${format}`), games > 1 && t('tournament.games', { n: games }), shortClock(clock), rated && t('game.rated'), entrants === 'bots' && t('ratings.bots'), openings && t('tournament.withOpenings'), limit && t('tournament.upTo', { n: limit }),
    isInRounds(entry) && stage !== 'over' ? time.format(starts) : time.formatRange(starts, ends), t('tournament.players', { n: players }),
  ].filter(Boolean).join(' · ');
}

/** @param {Context} context */
function newTournament(context) {
  const { state, t, act, records } = context;
  if (!state.me.account) {
    return h('section.card.tournament-card', { key: 'new' }, h('p', null, t('tournaments.needsAccount')), link('/account', t('nav.account'), act.go, { class: 'button' }));
  }
  const { problem, format = 'arena' } = /** @type {TournamentsPage} */ (state.page);
  const tournaments = /** @type {Tournaments} */ (records?.tournaments);
  const check = (/** @type {string} */ name, /** @type {boolean} */ checked = false) => h('label.check', { key: name, for: `account-${name}` },
    h('input', { id: `account-${name}`, name, type: 'checkbox', value: 'yes', checked }), h('span', null, t(`tournament.new.${name}`)));
  const pick = (/** @type {string} */ name, /** @type {[string, string][]} */ options, /** @type {string} */ chosen) => labelled(t(`tournament.new.${name}`), `account-${name}`,
    h('select', { id: `account-${name}`, name }, options.map(([value, text]) => h('option', { value, selected: value === chosen }, text))));
  return h('section.card.tournament-card', { key: 'new', 'aria-labelledby': 'new-tournament' },
    h('h2', { id: 'new-tournament' }, t('tournament.new.title')),
    form((fields) => {
      const starts = fields('starts') ? new Date(fields('starts')).getTime() : format !== 'arena' && Date.now() + GATHERING_MS;
      tournaments.create({
        name: fields('name'), format, entrants: fields('entrants'), clock: fields('clock'),
        ...(format === 'arena' ? { minutes: Number(fields('minutes')) } : wantedRounds(fields, format)),
        rated: fields('rated') === 'yes', openings: fields('openings') === 'yes', by_invitation: fields('by_invitation') === 'yes',
        ...(starts && { starts_ms: starts }), ...(fields('max_rating') && { max_rating: Number(fields('max_rating')) }),
      });
    },
    field('name', t('tournament.new.name'), { autocomplete: 'off', required: true, maxlength: '60' }),
    labelled(t('tournament.new.format'), 'account-format', select('account-format', TOURNAMENT_FORMATS.map((value) => [value, t(`tournament.${value}`)]), format, (value) => tournaments.choose(value))),
    pick('entrants', [['people', t('ratings.people')], ['bots', t('ratings.bots')]], 'people'),
    pick('clock', CLOCKS.filter(Boolean).map((clock) => [clock, shortClock(clock)]), '3m+2s'),
    format === 'arena' ? pick('minutes', LENGTHS.map((n) => [String(n), t('tournament.minutes', { n })]), '60') : roundChoices(t, format),
    field('starts', t(format === 'arena' ? 'tournament.new.starts' : 'tournament.new.startsLater'), { type: 'datetime-local' }),
    field('max_rating', t('tournament.new.max_rating'), { type: 'number', min: '500', max: '3500', inputmode: 'numeric' }),
    check('rated', true), check('openings'), check('by_invitation'),
    h('button.primary', { type: 'submit', id: 'create-tournament' }, t('tournament.new.create'))),
    h('p.account-problem', { role: 'status' }, problem ? tournamentProblem(problem, t) : null));
}

/** @param {string} problem @param {Context['t']} t */
export function tournamentProblem(problem, t) {
  const text = t(problem);
  return text === problem ? t('account.problem.other') : text;
}
