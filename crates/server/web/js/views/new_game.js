/** How a game begins: against whom, with which colour, clock and start. */

import { CLOCKS, isRated, newGame } from '../core/new_game.js';
import { h } from '../ui/dom.js';
import { button, choices, icon, labelled, select, shortClock } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {NewGame} from '../core/new_game.js'
 */

/** @param {Context} context */
export function newGameForm(context) {
  const { state, t, act } = context;
  const form = newGame(state.form);
  const tab = (/** @type {NewGame['against']} */ against, /** @type {string} */ sign) => h('button', {
    type: 'button',
    key: against,
    'aria-pressed': form.against === against ? 'true' : 'false',
    class: form.against === against ? 'chosen' : '',
    'data-against': against,
    on: { click: () => act.fill({ against }) },
  }, icon(sign), h('span', null, t(`lobby.${against}`)));
  return h('section.card.new-game', { key: 'new', 'aria-labelledby': 'new-title' },
    h('h1', { id: 'new-title' }, t('lobby.title')),
    h('div.against', { role: 'group', 'aria-labelledby': 'new-title' },
      tab('computer', 'computer'), tab('friend', 'link'), tab('challenge', 'people'), tab('quick', 'bolt')),
    h('p.hint', null, t(`lobby.${form.against}Text`)),
    form.against === 'computer' && levels(context, form),
    form.against === 'quick' ? quick(context, form) : gameSettings(context, form));
}

/** @param {Context} context @param {NewGame} form */
function levels({ t, act }, form) {
  return h('div.levels-field', { key: 'levels' },
    h('div.levels', { role: 'group', 'aria-label': t('lobby.levelPick') }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((level) => h('button', {
      key: String(level),
      type: 'button',
      class: level === form.level ? 'chosen' : '',
      'aria-pressed': level === form.level ? 'true' : 'false',
      'aria-label': `${t('lobby.level', { n: level })}: ${t(`lobby.level.${level}`)}`,
      'data-level': level,
      on: { click: () => act.fill({ level }) },
    }, String(level)))),
    h('p.level-name', null, t(`lobby.level.${form.level}`)));
}

/** @param {Context} context @param {NewGame} form */
function gameSettings(context, form) {
  const { state, t, act } = context;
  const label = { computer: 'lobby.play', friend: 'lobby.createLink', challenge: 'lobby.createChallenge', quick: '' }[form.against];
  return h('div.new-settings', { key: 'settings' },
    h('div.row', null,
      h('div.field', null, h('span.label', null, t('lobby.color')), choices(t('lobby.color'), [
        { value: 'white', text: t('color.white'), sign: 'white' },
        { value: 'random', text: t('color.random'), sign: 'half' },
        { value: 'black', text: t('color.black'), sign: 'black' },
      ], form.color, (color) => act.fill({ color }))),
      clockField(context, form),
      labelled(t('lobby.from'), 'new-from', select('new-from', [
        ['start', t('lobby.fromStart')], ['opening', t('lobby.fromOpening')], ['fen', t('lobby.fromFen')],
      ], form.from, (from) => act.fill({ from })))),
    form.clock === 'own' && ownClock(context, form),
    form.from === 'fen' && labelled(t('lobby.fen'), 'new-fen', h('input', {
      id: 'new-fen', maxlength: '300', spellcheck: 'false', prop: { value: form.fen },
      on: { input: (/** @type {any} */ event) => act.fill({ fen: event.target.value }) },
    })),
    state.me.account && ratedField(context, form),
    button(t(label ?? ''), act.startGame, { class: 'primary big', id: 'start-game' }),
    form.against === 'computer' && button(t('lobby.watchComputers'), act.watchComputers, { class: 'quiet', id: 'watch-computers' }));
}

/** @param {Context} context @param {NewGame} form */
function ratedField({ t, act }, form) {
  const rate = (/** @type {boolean} */ rated) => act.fill(rated
    ? { rated, ...(form.against !== 'quick' && { clock: form.clock || '5m+3s', from: form.from === 'fen' ? 'start' : form.from }) } : { rated });
  return h('label.check', { key: 'rated', for: 'new-rated' },
    h('input', { id: 'new-rated', type: 'checkbox', prop: { checked: isRated(form) }, on: { change: (/** @type {any} */ event) => rate(event.target.checked) } }),
    h('span', null, t('lobby.rated')));
}

/** @param {Context} context @param {NewGame} form */
function clockField({ state, t, act }, form) {
  // Without a choice, a quick game has the clock of the server.
  const usual = form.against === 'quick' ? state.me.quickClock ?? '' : '';
  /** @type {[string, string][]} */
  const options = ['', ...CLOCKS.filter((clock) => clock && clock !== usual)].map((clock) => [clock, shortClock(clock || usual) || t('lobby.noClock')]);
  return labelled(t('lobby.clock'), 'new-clock',
    select('new-clock', [...options, ['own', t('lobby.clockOwn')]], form.clock === usual ? '' : form.clock, (clock) => act.fill({ clock })));
}

/** @param {Context} context @param {NewGame} form */
function ownClock({ t, act }, form) {
  const number = (/** @type {string} */ id, /** @type {'minutes' | 'increment'} */ name, /** @type {number} */ max) =>
    h('input', {
      id, type: 'number', min: name === 'minutes' ? '1' : '0', max: String(max), prop: { value: String(form[name]) },
      on: { change: (/** @type {any} */ event) => act.fill({ [name]: Number(event.target.value) }) },
    });
  return h('div.row', { key: 'own-clock' },
    labelled(t('lobby.minutes'), 'new-minutes', number('new-minutes', 'minutes', 180)),
    labelled(t('lobby.increment'), 'new-increment', number('new-increment', 'increment', 180)));
}

/** @param {Context} context @param {NewGame} form */
function quick(context, form) {
  const { state, t, act } = context;
  if (state.queue) {
    return h('div.new-settings', { key: 'queued' },
      h('p.queued', { role: 'status' }, h('span.spinner', { 'aria-hidden': 'true' }), [t('lobby.queued'), state.queue.clock && shortClock(state.queue.clock)].filter(Boolean).join(' ')),
      button(t('lobby.cancel'), act.cancelQuick, { class: 'big' }));
  }
  return h('div.new-settings', { key: 'quick' },
    h('div.row', null, clockField(context, form)),
    form.clock === 'own' && ownClock(context, form),
    state.me.account && ratedField(context, form),
    button(t('lobby.play'), act.startGame, { class: 'primary big', id: 'start-game' }));
}
