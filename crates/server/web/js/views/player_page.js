/** A player: results, and the latest games. */

import { gamesIn, gamesPath, sumOf, withoutGaps } from '../core/records.js';
import { playerPath, reportPath } from '../core/route.js';
import { h } from '../ui/dom.js';
import { gameList, levelName, problemOf } from './games.js';
import { link, shortClock } from './parts.js';
import { profileTables } from './profile.js';
import { ratingsCard } from './ratings.js';
import { linesTable, tallyTable } from './tally.js';

/**
 * @import {Context} from './context.js'
 * @import {PlayerRecord, RecordsPage} from '../actions/records.js'
 * @import {Part} from '../core/records.js'
 */

/** A chart has room for at least so many bars. */
const LEAST_BARS = 4;

/** @param {Context} context */
export function playerPage(context) {
  const { state, t, act } = context;
  const { player, list, isLoading } = /** @type {RecordsPage} */ (state.page);
  const name = state.route.id ?? '';
  const isOwn = name === state.me.name;
  return h('main.records', { id: 'main', key: `player ${name}` },
    h('div.records-head', { key: 'head' },
      h('h1', null, name, isOwn && h('span.quiet-text', null, ` (${t('game.you')})`)),
      h('p.quiet-text', { role: 'status' }, aboutText(context))),
    isOwn && state.me.registration && link('/account', t(state.me.account ? 'nav.account' : 'lobby.keep'), act.go, { class: 'button start-playing', id: 'to-account', key: 'account' }),
    player && !player.code && h('div.player-tables', { key: 'tables' }, playerTables(context, player)),
    problemOf(context),
    list && list.games?.length > 0 && h('section.card.recent', { key: 'recent', 'aria-labelledby': 'recent-title' },
      h('h2', { id: 'recent-title' }, t('player.recent')),
      gameList(context, list.games),
      link(gamesPath({ player: name }), t('player.all'), act.go, { class: 'button', id: 'all-games' })),
    state.me.account && !isOwn && player && link(reportPath(name), t('player.report'), act.go, { class: 'button start-playing', id: 'report', key: 'report' }),
    !isLoading && player?.code === 'not_found' && link('/', t('app.home'), act.go, { class: 'button primary start-playing', key: 'home' }));
}

/** @param {Context} context */
function aboutText({ state, t }) {
  const { player, isLoading } = /** @type {RecordsPage} */ (state.page);
  if (!player || isLoading) return t('game.loading');
  if (player.code) return player.code === 'not_found' ? t('player.none') : '';
  const day = (/** @type {number} */ ms) => new Intl.DateTimeFormat(state.settings.lang, { dateStyle: 'medium' }).format(ms);
  return t('player.about', { n: gamesIn(sumOf([player.white, player.black])), first: day(player.first_ms), last: day(player.last_ms) });
}

/** @param {Context} context @param {PlayerRecord} player */
function playerTables(context, player) {
  const { state, t, act } = context;
  const list = (/** @type {{[field: string]: string}} */ fields, /** @type {string} */ text) =>
    link(gamesPath({ player: player.name, ...fields }), text, act.go);
  const colors = (/** @type {const} */ (['white', 'black'])).map((color) => ({
    key: color, name: [h('span', { class: `man small ${color}`, 'aria-hidden': 'true' }), list({ color }, t(`color.${color}`))], games: player[color],
  }));
  const all = { key: 'all', name: list({}, t('player.total')), games: sumOf([player.white, player.black]) };
  return [
    player.ratings && ratingsCard(context, player.ratings),
    tallyTable(t, 'colors', [...colors, all]),
    chart(state.settings.lang, t, player.periods),
    profileTables(context, player),
    tallyTable(t, 'bots', inOrder(player.bots).map(({ name, games }) => ({ key: name, name: list({ bot: name }, levelName(name, t)), games }))),
    tallyTable(t, 'clocks', player.clocks.map(({ name, games }) => ({ key: name, name: list({ clock: name }, clockName(name, t)), games }))),
    tallyTable(t, 'opponents', player.opponents.map(({ name, games }) => ({
      key: name, name: link(playerPath(name), name, act.go), games, count: list({ opponent: name }, String(gamesIn(games))),
    }))),
  ];
}

/** Levels from the lowest up. @param {Part[]} bots */
function inOrder(bots) {
  const level = (/** @type {Part} */ { name }) => Number(/^level (\d+)$/.exec(name)?.[1] ?? 99);
  return [...bots].sort((a, b) => level(a) - level(b));
}

/** @param {string} clock @param {Context['t']} t */
function clockName(clock, t) {
  return clock.split(',').map((side) => (side === 'none' ? t('lobby.noClock') : shortClock(side))).join(' / ');
}

/** How the games of each day or month ended: bars, and a table of the same. @param {string} lang @param {Context['t']} t @param {Part[]} periods */
function chart(lang, t, periods) {
  const all = withoutGaps(periods);
  const most = Math.max(1, ...all.map(({ games }) => gamesIn(games)));
  const slots = Math.max(LEAST_BARS, all.length);
  const [first, last] = [all[0], all[all.length - 1]];
  if (!first || !last) return null;
  const isMonth = first.name.length === 7;
  const day = (/** @type {string} */ name) => new Intl.DateTimeFormat(lang, isMonth ? { month: 'short', year: 'numeric', timeZone: 'UTC' } : { dateStyle: 'medium', timeZone: 'UTC' })
    .format(new Date(`${name}${isMonth ? '-01' : ''}T00:00:00Z`));
  const bars = all.flatMap(({ name, games }, at) => {
    let below = 0;
    return (/** @type {const} */ (['won', 'drawn', 'lost', 'interrupted'])).map((kind) => {
      const height = (games[kind] / most) * 100;
      below += height;
      return height > 0 && h('rect', { key: `${name} ${kind}`, class: kind, x: at * 10 + 1, y: (100 - below).toFixed(2), width: 8, height: height.toFixed(2) });
    });
  });
  const lines = periods.map(({ name, games }) => ({ key: name, name: day(name), games }));
  return h('section.card', { key: 'chart', 'aria-labelledby': 'chart-title' },
    h('h2', { id: 'chart-title' }, t(isMonth ? 'player.months' : 'player.days')),
    h('ul.legend', { 'aria-hidden': 'true' }, (/** @type {const} */ (['won', 'drawn', 'lost'])).map((kind) =>
      h('li', { key: kind }, h('span', { class: `legend-sign ${kind}` }), t(`player.${kind}`)))),
    h('div.chart-space', { style: { width: `${slots * 2.2}rem` } }, h('svg.bars', { viewBox: `0 0 ${slots * 10} 100`, preserveAspectRatio: 'none', role: 'img', 'aria-label': t('player.chart', { n: all.length, most }) }, bars),
    h('div.bar-ends', { 'aria-hidden': 'true' }, h('span', null, day(first.name)), h('span', null, all.length > 1 ? day(last.name) : ''))),
    h('p.quiet-text', { 'aria-hidden': 'true' }, t('player.most', { n: most })),
    h('details', null, h('summary', null, t('player.asTable')), linesTable(t, 'chart-title', t('player.of.periods'), lines)));
}
