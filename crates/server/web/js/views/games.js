/** Finished games: searched for, page by page. */

import { CLOCKS } from '../core/new_game.js';
import { exportPath, fieldsOf, gamesPath, movesOf } from '../core/records.js';
import { gamePath, playerPath } from '../core/route.js';
import { h } from '../ui/dom.js';
import { button, clockLabel, labelled, link, seatName, shortClock } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {ListedGame, RecordsPage} from '../actions/records.js'
 * @import {Fields} from '../core/records.js'
 * @import {VElement} from '../ui/dom.js'
 */

const RESULTS = ['white_won', 'black_won', 'draw', 'interrupted'];
export const ENDINGS = ['no_pieces', 'no_moves', 'resignation', 'time', 'time_against_king', 'agreement', 'repetition', 'kings_against_king',
  'king_moves', 'no_progress', 'main_road', 'few_pieces', 'ply_limit', 'abandoned', 'player_left', 'aborted', 'adjudication', 'forfeit'];
/** What an ending is worth for a player. */
export const ENDING_VALUES = /** @type {const} */ (['won', 'drawn', 'lost']);
const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/** What is seldom asked for, and shown when it is. */
const RARE = ['color', 'opening', 'ending', 'bot', 'event', 'reason', 'from', 'to', 'min_plies', 'max_plies'];
/** The server counts no further. */
const COUNTED = 10_000;
/** @type {{[result: string]: string}} */
const POINTS = { white_won: '1–0', black_won: '0–1', draw: '½–½', interrupted: '–' };

/** @param {Context} context */
export function gamesPage(context) {
  const { state, t, act } = context;
  const { list } = /** @type {RecordsPage} */ (state.page);
  const { query } = state.route;
  return h('main.records', { id: 'main', key: 'games' },
    h('div.records-head', { key: 'head' }, h('h1', null, t('games.title')),
      link('/ratings', t('ratings.title'), act.go, { class: 'button', id: 'best-players' }),
      link('/tournaments', t('tournaments.title'), act.go, { class: 'button' }),
      state.me.name && link(playerPath(state.me.name), t('nav.ownGames'), act.go, { class: 'button', id: 'own-games' })),
    searchForm(context),
    h('p.games-count', { key: 'count', role: 'status' }, countText(context)),
    list && !list.code && gameList(context, list.games),
    problemOf(context),
    list && !list.code && h('nav.more-games', { key: 'more', 'aria-label': t('games.pages') },
      query.cursor && link(gamesPath({ ...query, cursor: '' }), t('games.first'), act.go, { class: 'button', id: 'first-games' }),
      list.next && link(gamesPath({ ...query, cursor: list.next }), t('games.next'), act.go, { class: 'button', id: 'next-games' })));
}

/** @param {Context} context */
function countText({ state, t }) {
  const { list, isLoading } = /** @type {RecordsPage} */ (state.page);
  if (!list || isLoading) return t('game.loading');
  if (list.code) return '';
  if (list.games.length === 0) return t('games.none');
  if (list.count == null) return t('games.further');
  return list.count >= COUNTED ? t('games.many', { n: COUNTED }) : t('games.count', { n: list.count });
}

/** What went wrong, and another try. @param {Context} context */
export function problemOf({ state, t, records }) {
  const { list } = /** @type {RecordsPage} */ (state.page);
  const code = list?.code;
  if (!code) return null;
  const known = ['bad_query', 'no_archive', 'unreachable'].includes(code) ? code : 'other';
  return h('div.card.records-problem', { key: 'problem', role: 'alert' },
    h('p', null, t(`games.problem.${known}`, { code })),
    code !== 'no_archive' && button(t('games.again'), () => records?.again()));
}

/** @param {Context} context */
function searchForm({ state, t, act }) {
  const { query } = state.route;
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    /** @type {Fields} */
    const fields = {};
    for (const [name, value] of form) fields[name] = String(value);
    act.go(gamesPath(fieldsOf(fields)));
  };
  const field = (/** @type {string} */ name, /** @type {string} */ value, /** @type {{[name: string]: any}} */ props) =>
    labelled(t(`games.${name}`), `search-${name}`, h('input', { id: `search-${name}`, name, prop: { value }, ...props }));
  const name = { maxlength: '30', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off' };
  const number = { type: 'number', min: '1', max: '1000', inputmode: 'numeric' };
  const days = { type: 'date', min: '2000-01-01' };
  const isDay = (/** @type {string | undefined} */ text) => (/^\d{4}-\d\d-\d\d$/.test(text ?? '') ? text ?? '' : '');
  /** @type {[string, string][]} */
  const clocks = CLOCKS.slice(1).map((clock) => [clock, shortClock(clock)]);
  /** @type {[string, string][]} */
  const levels = LEVELS.map((level) => [`level ${level}`, t('lobby.level', { n: level })]);
  return h('form.card.search', { key: 'search', role: 'search', 'aria-label': t('games.search'), on: { submit } },
    h('div.search-fields', null,
      field('player', query.player ?? '', name),
      field('opponent', query.opponent ?? '', name),
      oneOf(t, 'result', RESULTS.map((result) => [result, t(`result.${result}`)]), query),
      oneOf(t, 'clock', [['none', t('lobby.noClock')], ...clocks], query)),
    h('details.more-fields', { open: RARE.some((field) => query[field]) || null },
      h('summary', null, t('games.more')),
      h('div.search-fields', null,
        oneOf(t, 'color', [['white', t('color.white')], ['black', t('color.black')]], query),
        field('opening', query.opening ?? '', { ...name, maxlength: '11', placeholder: 'c3-d4 d6-c5' }),
        oneOf(t, 'ending', ENDING_VALUES.map((value) => [value, t(`player.ending.${value}`)]), query),
        oneOf(t, 'bot', levels, query),
        field('event', query.event ?? '', { ...name, maxlength: '60' }),
        oneOf(t, 'reason', ENDINGS.map((reason) => [reason, endingText(reason, t)]), query),
        field('from', isDay(query.from), days),
        field('to', isDay(query.to), days),
        field('min_moves', movesOf(query.min_plies), number),
        field('max_moves', movesOf(query.max_plies), number))),
    h('div.answers', null,
      link('/games', t('games.clear'), act.go, { class: 'button quiet' }),
      h('a.button', { href: exportPath(query), download: 'games.pdn', id: 'export-games' }, t('games.export')),
      h('button.primary', { type: 'submit', id: 'search-games' }, t('games.search'))));
}

/** A choice that may be left open; what the address asks for is among them. @param {Context['t']} t @param {string} name @param {[string, string][]} options @param {Fields} query */
function oneOf(t, name, options, query) {
  const value = query[name] ?? '';
  const isKnown = value === '' || options.some(([option]) => option === value);
  const all = [['', t('games.any')], ...options, ...(isKnown ? [] : [[value, shortClock(value)]])];
  return labelled(t(`games.${name}`), `search-${name}`, h('select', { id: `search-${name}`, name, prop: { value } },
    all.map(([option, text]) => h('option', { value: option, selected: option === value }, text))));
}

/** @param {Context} context @param {ListedGame[]} games */
export function gameList(context, games) {
  return h('ol.game-list', { key: 'games' }, games.map((game) => gameItem(context, game)));
}

/** @param {Context} context @param {ListedGame} game */
function gameItem(context, game) {
  const { state, t, act } = context;
  const { result, reason, plies, ended_ms: ended } = game;
  const about = [endingText(reason, t), t('games.moves', { n: Math.ceil(plies / 2) }), clockLabel(/** @type {any} */ (game), t)];
  return h('li', { key: game.id },
    h('div.opponents', null,
      playerOf(context, game, 'white'),
      h('span.points', null, h('span', { 'aria-hidden': 'true' }, POINTS[result] ?? '–'), h('span.unseen', null, t(`result.${result}`))),
      playerOf(context, game, 'black')),
    link(gamePath(game.id), [
      h('span.when', null, moment(ended, state.settings.lang)),
      h('span.about-game', null, about.join(' · ')),
    ], act.go, { class: 'open-game', 'data-game': game.id }));
}

/** The name of a bot of the server. @param {string} bot its level or specification @param {Context['t']} t */
export function levelName(bot, t) {
  return /^level \d+$/.test(bot) ? t('lobby.level', { n: bot.slice('level '.length) }) : bot;
}

/** Why a game ended. @param {string} reason @param {Context['t']} t */
export function endingText(reason, t) {
  return t(reason === 'aborted' ? 'result.aborted' : `reason.${reason}`);
}

/** @param {Context} context @param {ListedGame} game @param {'white' | 'black'} color @returns {VElement} */
function playerOf({ t, act }, game, color) {
  const { name, bot } = game[color];
  const shown = seatName(game[color], t);
  const sign = h('span', { class: `man small ${color}`, role: 'img', 'aria-label': t(`color.${color}`) });
  const content = [sign, h('span.who', null, shown)];
  const side = { class: `of-${color}`, title: shown };
  return bot ? h('span', side, content) : link(playerPath(name), content, act.go, side);
}

/** Day and time of the day, in the reader's time zone. @param {number} ms @param {string} lang */
function moment(ms, lang) {
  return new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}
