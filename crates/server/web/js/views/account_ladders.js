/** The private ladders on the account page. */

import { CLOCKS } from '../core/new_game.js';
import { asked } from '../net/ask.js';
import { h } from '../ui/dom.js';
import { field, form, toCopy, toldAt } from './account_form.js';
import { levelName } from './games.js';
import { button, labelled, link, shortClock } from './parts.js';

/**
 * @import {Account, AccountOverview, AccountPage, LadderEntry, SimilarPlayers} from '../actions/account.js'
 * @import {Context} from './context.js'
 */

/** So many pairs of a report are shown. */
const PAIRS = 20;

/** @param {Context} context @param {AccountPage} page @param {AccountOverview} overview @param {Account} account */
export function ladders(context, page, { ladders: own }, account) {
  const { t, act, state } = context;
  const day = (/** @type {number} */ ms) => new Intl.DateTimeFormat(state.settings.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
  return h('section.card', { key: 'ladders', 'aria-labelledby': 'ladders-title' },
    h('h2', { id: 'ladders-title' }, t('account.ladders')),
    h('p', null, t('account.laddersText')),
    own.length > 0 && h('p', { key: 'run' }, t('account.runLadder')),
    own.length > 0 && h('ul.account-sessions', { key: 'own' }, own.map((ladder) => h('li', { key: ladder.id },
      h('span', null, link(asked('/ratings', { speed: ladder.speed, of: 'ladder', season: ladder.id }), ladder.name, act.go),
        h('span.quiet-text', null, ` ${shortClock(ladder.clock)}, ${t('account.until', { day: day(ladder.until_ms) })}`)),
      page.leaving === ladder.id ? h('span.account-choice', { key: 'sure' }, t('account.sureLadder'), button(t('account.deleteBot'), () => account.closeLadder(ladder.id, 'delete'), { class: 'danger' }), button(t('account.keepBot'), () => account.askToDelete()))
        : page.leaving === `end ${ladder.id}` ? h('span.account-choice', { key: 'end' }, t('account.sureEnd'), button(t('account.endLadder'), () => account.closeLadder(ladder.id, 'end'), { class: 'danger' }), button(t('account.goOn'), () => account.askToDelete()))
        : h('span.account-choice', { key: 'do' },
          button(t('account.compare'), () => account.compare(ladder.id), { 'aria-label': `${t('account.compare')}: ${ladder.name}` }),
          ladder.until_ms > Date.now() && button(t('account.endLadder'), () => account.askToDelete(`end ${ladder.id}`), { 'aria-label': `${t('account.endLadder')}: ${ladder.name}` }),
          button(t('account.deleteBot'), () => account.askToDelete(ladder.id), { 'aria-label': `${t('account.deleteBot')}: ${ladder.name}` })),
      toCopy(context, ladderCommand(ladder)),
      page.similar?.id === ladder.id && similarityReport(page.similar.pairs, t)))),
    form((fields) => account.createLadder({ name: fields('ladder'), clock: fields('clock'), days: Number(fields('days')) }),
      field('ladder', t('account.ladderName'), { autocomplete: 'off', required: true, maxlength: '60' }),
      labelled(t('account.ladderClock'), 'account-clock', h('select', { id: 'account-clock', name: 'clock' },
        CLOCKS.filter(Boolean).map((clock) => h('option', { value: clock }, shortClock(clock))))),
      field('days', t('account.ladderDays'), { type: 'number', min: '1', max: '366', required: true, value: '14' }),
      h('button', { type: 'submit', id: 'create-ladder' }, t('account.createLadder'))),
    toldAt(page, ['ladders'], t));
}

/** How alike the players of a ladder play. @param {SimilarPlayers[]} pairs @param {Context['t']} t */
function similarityReport(pairs, t) {
  if (pairs.length === 0) return h('p.quiet-text', { key: 'report', role: 'status' }, t('account.tooFew'));
  return h('div', { key: 'report', role: 'status' },
    h('p.quiet-text', null, t('account.similarText')),
    h('table.tally', null,
      h('thead', null, h('tr', null, h('th', { scope: 'col' }, t('account.pair')), h('th', { scope: 'col' }, t('account.positions')), h('th', { scope: 'col' }, t('account.same')))),
      h('tbody', null, pairs.slice(0, PAIRS).map(({ players, positions, same }) => h('tr', { key: players.join(' ') },
        h('th', { scope: 'row' }, players.map((name) => levelName(name, t)).join(' – ')),
        h('td', null, positions), h('td', null, `${Math.round(same * 100)}\u00a0%`))))));
}

/** A command that lets a bot play on a ladder. @param {LadderEntry} ladder */
function ladderCommand({ code }) {
  const server = `${location.protocol.replace('http', 'ws')}//${location.host}`;
  return `CHECKERS_TOKEN=… checkers-bot --server ${server} --bot level:level=5 --quick --ladder ${code} --games 0`;
}
