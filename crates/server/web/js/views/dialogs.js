/** What opens over the page. Each is a native dialog, so that Escape and focus are the browser's. */

import { lookBack, tournamentOf } from '../core/route.js';
import { other, offerBy } from '../core/table.js';
import { h } from '../ui/dom.js';
import { button, icon, labelled, select } from './parts.js';
import { isPlayed, ownResult, reasonText } from './result.js';
import { laterDialogs } from './pages.js';
import { phrases } from './phrases.js';

/** @import {Context} from './context.js' */

/** @type {{[name: string]: (context: Context) => any}} */
const DIALOGS = { resign, over, settings, keys, phrases };

/** @param {Context} context */
export function dialogNode(context) {
  const { state, act } = context;
  const open = state.dialog && (DIALOGS[state.dialog.name] ?? laterDialogs()[state.dialog.name]);
  if (!open) return null;
  const name = state.dialog?.name;
  return h('dialog', {
    key: `dialog-${name}`,
    class: name,
    'aria-labelledby': 'dialog-title',
    ref: (/** @type {HTMLDialogElement} */ element) => queueMicrotask(() => {
      if (element.isConnected && !element.open) element.showModal();
    }),
    on: {
      close: act.close,
      click: (/** @type {MouseEvent} */ event) => {
        if (event.target === event.currentTarget) act.close();
      },
    },
  }, h('div.dialog-body', null, open(context)));
}

/** @param {Context} context */
function resign({ t, act }) {
  return [
    h('h2', { id: 'dialog-title' }, t('resign.title')),
    h('p', null, t('resign.text')),
    h('div.answers', null,
      button(t('resign.no'), act.close),
      button(t('resign.yes'), act.resign, { class: 'danger', id: 'resign-yes' })),
  ];
}

/** @param {Context} context */
function over({ state, table, t, act, pages }) {
  const game = table?.game;
  if (!table || !game) return [];
  const opponent = game[other(table.you ?? 'white')];
  const isAway = table.bots[opponent] == null && !table.onlookers.includes(opponent);
  const isGone = table.closed != null || state.archive[table.id] != null;
  const offered = offerBy(table, 'rematch');
  const tournament = tournamentOf(table.info?.event);
  const theirs = table.you && offered === other(table.you);
  const reason = reasonText(table, t);
  const kind = game.result === 'draw' || game.result === 'interrupted' ? 'even' : game.result === `${table.you}_won` ? 'won' : 'lost';
  return [
    h('div', { class: `verdict ${kind}` }, h('span', { class: `man ${game.result === 'black_won' ? 'black' : 'white'} ${kind === 'even' ? 'half' : ''}`, 'aria-hidden': 'true' })),
    h('h2', { id: 'dialog-title' }, ownResult(table, t)),
    reason && h('p', null, reason),
    h('p.offer-line', null, theirs ? t('game.offerRematch', { name: opponent })
      : offered ? t(isAway ? 'game.sentRematchAway' : 'game.sentRematch', { name: opponent }) : table.declined?.offer === 'rematch' ? t('game.declinedRematch') : ''),
    h('div.answers', null,
      button(t('over.close'), act.close, { class: 'quiet' }),
      pages.has('analysis') && isPlayed(table) && button(t('game.analyse'), () => act.go(lookBack(game, state.board.viewPly ?? game.ply)), { id: 'over-analyse' }),
      tournament ? button(t('game.nextPairing'), () => act.nextPairing(tournament), { class: 'primary', id: 'next-pairing', autofocus: true })
        : !isGone && h('button.primary', { type: 'button', id: 'rematch', autofocus: true, disabled: offered != null && !theirs, on: { click: () => act.offer('rematch') } }, icon('again'), t('game.rematch'))),
  ];
}

/** @param {Context} context */
function settings({ state, t, act }) {
  const { lang, theme, board, squares, size, sound, animate, notify, finish } = state.settings;
  const check = (/** @type {'sound' | 'animate' | 'notify'} */ name, /** @type {boolean} */ value) => h('label.check', { for: `set-${name}` },
    h('input', { id: `set-${name}`, type: 'checkbox', prop: { checked: value }, on: { change: () => act.set(name, !value) } }),
    h('span', null, t(`settings.${name}`)));
  const pick = (/** @type {'theme' | 'board' | 'squares' | 'finish'} */ name, /** @type {string[]} */ values, /** @type {string} */ value) =>
    labelled(t(`settings.${name}`), `set-${name}`, select(`set-${name}`,
      values.map((v) => [v, t(`settings.${name}.${v}`)]), value, (chosen) => act.set(name, chosen)));
  return [
    h('h2', { id: 'dialog-title' }, t('settings.title')),
    labelled(t('settings.lang'), 'set-lang', select('set-lang', [['en', 'English'], ['ru', 'Русский']], lang, (v) => act.set('lang', v))),
    pick('theme', ['system', 'light', 'dark'], theme),
    pick('board', ['wood', 'green', 'grey'], board),
    labelled(t('settings.size', { n: size }), 'set-size', h('input', {
      id: 'set-size', type: 'range', min: '50', max: '100', step: '5', prop: { value: String(size) },
      on: { input: (/** @type {any} */ event) => act.set('size', Number(event.target.value)) },
    })),
    pick('squares', ['letters', 'numbers', 'both', 'none'], squares),
    pick('finish', ['bots', 'always', 'never'], finish),
    check('sound', sound),
    check('animate', animate),
    check('notify', notify),
    h('div.answers', null, button(t('keys.title'), () => act.open('keys')), button(t('settings.close'), act.close, { class: 'primary' })),
  ];
}

/** @param {Context} context */
function keys({ t, act }) {
  const line = (/** @type {string[]} */ names, /** @type {string} */ text) => h('div.key-line', { key: text },
    h('dt', null, names.map((name) => h('kbd', null, name))), h('dd', null, text));
  return [
    h('h2', { id: 'dialog-title', tabindex: '-1', autofocus: true }, t('keys.title')),
    h('dl.key-list', null,
      line(['←', '→', 'h', 'l', 'k', 'j'], t('keys.browse')), line(['↑', '↓', '0', '$'], t('keys.ends')), line(['f'], t('keys.flip')), line(['z'], t('game.zen')),
      line(['Space', 'l', 'x'], t('keys.best')), line([',', '.'], t('keys.mistake')), line(['/'], t('keys.type')), line(['?'], t('keys.help'))),
    h('h3', null, t('keys.board')),
    h('dl.key-list', null,
      line(['←', '↑', '→', '↓'], t('keys.arrows')), line(['1–8', 'Shift'], t('keys.jump')), line(['Enter'], t('keys.choose')),
      line(['Esc', 'Backspace'], t('keys.clear')), line(['n'], t('keys.next')), line(['p', 'k', 'Shift'], t('keys.pieces')),
      line(['o', 'l', 'c', 't'], t('keys.read')), line(['m', 'Shift'], t('keys.moves'))),
    h('h3', null, t('keys.commands')),
    h('p.quiet-text', null, t('typed.command')),
    h('div.answers', null, button(t('keys.close'), act.close, { class: 'primary' })),
  ];
}
