/** Tables of how games ended. */

import { gamesIn, percentOf } from '../core/records.js';
import { h } from '../ui/dom.js';
import { signHead } from './heads.js';

/**
 * @import {Tally} from '../core/records.js'
 * @import {Child} from '../ui/dom.js'
 * @import {Translate} from '../i18n/words.js'
 *
 * @typedef {{key: string, name: Child, games: Tally, count?: Child}} Line `count` instead of the number of games
 */

/** A table shows so many lines at first. */
const LINES_SHOWN = 10;

/** @param {Translate} t @param {string} name @param {Line[]} lines @param {string} [what] what the lines are @param {Child} [more] shown below */
export function tallyTable(t, name, lines, what = t(`player.of.${name}`), more = null) {
  if (lines.length === 0) return null;
  const [shown, rest] = [lines.slice(0, LINES_SHOWN), lines.slice(LINES_SHOWN)];
  return h('section.card', { key: name, 'aria-labelledby': `${name}-title` },
    h('h2', { id: `${name}-title` }, t(`player.${name}`)),
    linesTable(t, `${name}-title`, what, shown),
    rest.length > 0 && h('details', null, h('summary', null, t('player.more', { n: rest.length })), linesTable(t, `${name}-title`, what, rest)),
    more);
}

/** @param {Translate} t @param {string} title @param {string} what @param {Line[]} lines */
export function linesTable(t, title, what, lines) {
  return h('table.tally', { 'aria-labelledby': title },
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, what),
      signHead('#', t('player.games')), signHead('+', t('player.won')), signHead('=', t('player.drawn')), signHead('−', t('player.lost')), signHead('%', t('player.score')))),
    h('tbody', null, lines.map(({ key, name, games, count = gamesIn(games) }) => h('tr', { key },
      h('th', { scope: 'row' }, h('span.line-name', null, name)),
      [count, games.won, games.drawn, games.lost, percentOf(games) ?? '–'].map((number) => h('td', null, number))))));
}
