/** Ratings: a player's own, and the best players of each class of clocks. */

import { playerPath } from '../core/route.js';
import { asked } from '../net/ask.js';
import { h } from '../ui/dom.js';
import { ratingHeads } from './heads.js';
import { ladderTable } from './ladder.js';
import { choices, link } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {Leaderboard, PlayerRating, Rating, RecordsPage} from '../actions/records.js'
 * @import {Translate} from '../i18n/words.js'
 */

const SPEEDS = ['blitz', 'rapid', 'classic', 'correspondence'];

/** @param {Context} context */
export function ratingsPage(context) {
  const { state, t, act } = context;
  const { best, ladder, isLoading } = /** @type {RecordsPage} */ (state.page);
  const { speed = 'rapid', of = '', season } = state.route.query;
  const lists = [{ value: '', text: t('ratings.people') }, { value: 'bots', text: t('ratings.bots') }, { value: 'ladder', text: t('ratings.ladder') }];
  const players = best?.players ?? [];
  const shown = best ?? ladder;
  return h('main.records', { id: 'main', key: 'ratings' },
    h('div.records-head', { key: 'head' }, h('h1', null, t('ratings.title')),
      choices(t('ratings.speed'), SPEEDS.map((value) => ({ value, text: t(`ratings.${value}`) })), speed, (value) => act.go(asked('/ratings', { speed: value, of, season }))),
      choices(t('ratings.lists'), lists, of, (value) => act.go(asked('/ratings', { speed, of: value })))),
    h('p.quiet-text', { key: 'about', role: 'status' }, isLoading ? t('game.loading') : shown?.code ? t('ratings.unavailable') : ladder || players.length > 0 ? t(`ratings.${speed}About`) : t('ratings.none')),
    players.length > 0 && h('section.card', { key: 'best', 'aria-label': t('ratings.title') }, bestTable(context, players)),
    ladder && !ladder.code && ladderTable(context, ladder),
    h('p.quiet-text', { key: 'how' }, t(ladder?.private ? 'ladder.howPrivate' : of === 'ladder' ? 'ladder.how' : 'ratings.how')));
}

/** @param {Context} context @param {Leaderboard['players']} players */
function bestTable({ t, act }, players) {
  return h('table.tally.best', null,
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, t('ratings.player')), ratingHeads(t))),
    h('tbody', null, players.map((player, at) => h('tr', { key: player.name },
      h('th', { scope: 'row' }, h('span.line-name', null, h('span.rank', null, `${at + 1}. `), link(playerPath(player.name), player.name, act.go))),
      ratingCells(player, t)))));
}

/** The ratings on a player's page. @param {Context} context @param {PlayerRating[]} ratings */
export function ratingsCard({ state, t, act }, ratings) {
  const day = (/** @type {number} */ ms) => new Intl.DateTimeFormat(state.settings.lang, { dateStyle: 'medium' }).format(ms);
  const of = state.route.id?.endsWith('[bot]') ? 'bots' : '';
  return h('section.card', { key: 'ratings', 'aria-labelledby': 'ratings-title' },
    h('h2', { id: 'ratings-title' }, t('ratings.own')),
    h('table.tally', { 'aria-labelledby': 'ratings-title' },
      h('thead', null, h('tr', null, h('th', { scope: 'col' }, t('ratings.speed')), ratingHeads(t))),
      h('tbody', null, ratings.map((rating) => h('tr', { key: rating.speed },
        h('th', { scope: 'row' }, link(asked('/ratings', { speed: rating.speed, of }), t(`ratings.${rating.speed}`), act.go)), ratingCells(rating, t))))),
    ratings.filter(({ percentile }) => percentile != null).map(({ speed, percentile }) => h('p.quiet-text', { key: `of-${speed}` }, `${t(`ratings.${speed}`)}: ${t(of ? 'ratings.betterBot' : 'ratings.better', { n: percentile })}`)),
    ratings.filter(({ isolated, provisional }) => isolated && !provisional).map(({ speed }) => h('p.quiet-text', { key: `few-${speed}` }, `${t(`ratings.${speed}`)}: ${t('ratings.isolated')}`)),
    ratings.filter(({ history }) => history.length > 1).map((rating) => h('figure.rating-chart', { key: rating.speed },
      h('figcaption', null, t(`ratings.${rating.speed}`)), ratingChart(rating, t, day))));
}

/** @param {Rating} rating @param {Translate} t */
function ratingCells({ rating, deviation, provisional, games }, t) {
  return [
    h('td', { key: 'rating', title: provisional ? t('ratings.provisional') : null }, `${rating}${provisional ? '?' : ''}`,
      provisional && h('span.unseen', null, ` ${t('ratings.provisional')}`)),
    h('td', { key: 'deviation' }, `±${deviation}`),
    h('td', { key: 'games' }, games),
  ];
}

/** @param {PlayerRating} rating @param {Translate} t @param {(ms: number) => string} day */
function ratingChart({ history }, t, day) {
  const ratings = history.map((point) => point.rating);
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const [first, last] = [history[0], history[history.length - 1]];
  const y = (/** @type {number} */ rating) => 95 - ((rating - low) / Math.max(1, high - low)) * 90;
  const points = ratings.map((rating, at) => `${((at / (ratings.length - 1)) * 300).toFixed(1)},${y(rating).toFixed(1)}`).join(' ');
  return [
    h('svg.rating-line', { viewBox: '0 0 300 100', preserveAspectRatio: 'none', role: 'img', 'aria-label': t('ratings.chart', { n: ratings.length, low, high }) }, h('polyline', { points })),
    h('div.bar-ends', { 'aria-hidden': 'true' }, h('span', null, first ? day(first.at_ms) : ''), h('span', null, `${low}–${high}`), h('span', null, last ? day(last.at_ms) : '')),
  ];
}
