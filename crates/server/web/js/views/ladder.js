/** The standings of the ladder of bots. */

import { gamesPath } from '../core/records.js';
import { playerPath } from '../core/route.js';
import { asked } from '../net/ask.js';
import { h } from '../ui/dom.js';
import { levelName } from './games.js';
import { ratingHeads, signHead } from './heads.js';
import { link } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {LadderPlayer, LadderStandings} from '../actions/records.js'
 */

/** @param {Context} context @param {LadderStandings} ladder */
export function ladderTable({ state, t, act }, { season, private: own, speed, event, games, players }) {
  const month = new Intl.DateTimeFormat(state.settings.lang, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const to = (/** @type {string} */ other) =>
    link(asked('/ratings', { speed, of: 'ladder', season: other }), month.format(new Date(other)), act.go, { class: 'button', key: other });
  const isMonth = season.includes('-');
  const isOver = own ? own.until_ms < Date.now() : season < monthAfter(new Date().toISOString(), 0);
  const until = new Intl.DateTimeFormat(state.settings.lang, { dateStyle: 'medium', timeStyle: 'short' });
  return [
    h('section.card', { key: 'ladder', 'aria-labelledby': 'season' },
      h('h2', { id: 'season' }, isMonth ? month.format(new Date(season)) : own?.name ?? t('ladder.private')),
      games > 0
        ? h('p.quiet-text', null, isOver ? t('ladder.over') : own ? t('ladder.until', { day: until.format(own.until_ms) }) : isMonth ? t('ladder.running') : '')
        : h('p.quiet-text', null, t('ladder.none')),
      games > 0 && h('table.tally.best', { 'aria-labelledby': 'season' },
        h('thead', null, h('tr', null, h('th', { scope: 'col' }, t('ratings.player')),
          ratingHeads(t), signHead('%', t('player.score')), signHead('−/100', t('ladder.endings')))),
        h('tbody', null, players.map((player, at) => h('tr', { key: player.name },
          h('th', { scope: 'row' }, h('span.line-name', null, h('span.rank', null, player.rating == null ? '' : `${at + 1}. `), player.server
            ? link(gamesPath({ event, bot: player.name }), levelName(player.name, t), act.go, { class: 'quiet-text' })
            : link(playerPath(player.name), player.name, act.go))),
          cells(player, t))))),
      players.some(({ rating }) => rating == null) && h('p.quiet-text', { key: 'unrated' }, t('ladder.unrated'))),
    h('nav.more-games', { key: 'seasons', 'aria-label': t('ladder.seasons') },
      games > 0 && link(gamesPath({ event }), t('games.count', { n: games }), act.go, { class: 'button', key: 'games' }),
      games > 0 && h('a.button', { href: `/api/ladder/seasons/${season}`, download: `${event}.jsonl`, key: 'file' }, t('ladder.file')), isMonth && to(monthAfter(season, -1)), isMonth && isOver && to(monthAfter(season, 1))),
  ];
}

/** @param {LadderPlayer} player @param {Context['t']} t */
function cells({ name, rating, low, high, ending_moves: moves, ending_lost: inEndings, won, drawn, lost }, t) {
  const games = won + drawn + lost;
  const isKnown = low != null && high != null;
  const isOpen = rating != null && !isKnown && !name.startsWith('level ');
  return [
    h('td', { key: 'rating' }, rating == null ? '–' : Math.round(rating)),
    h('td', { key: 'error', title: isOpen ? t('ladder.fewGames') : null }, isKnown ? `±${Math.round((high - low) / 2)}` : isOpen ? '?' : ''),
    h('td', { key: 'games' }, games),
    h('td', { key: 'score', title: `+${won} =${drawn} −${lost}` }, Math.round((100 * (won + drawn / 2)) / games)),
    h('td', { key: 'endings', title: t('ladder.endingMoves', { n: moves }) }, inEndings == null ? '' : inEndings.toFixed(1)),
  ];
}

/** A month, such as 2026-11, so many months after another one. @param {string} month @param {number} more */
function monthAfter(month, more) {
  const date = new Date(month.slice(0, 7));
  date.setUTCMonth(date.getUTCMonth() + more);
  return date.toISOString().slice(0, 7);
}
