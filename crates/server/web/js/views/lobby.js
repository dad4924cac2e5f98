/** The front page: what is on, and how to begin. */

import { isMine } from '../core/receive.js';
import { other } from '../core/table.js';
import { h } from '../ui/dom.js';
import { newGameForm } from './new_game.js';
import { button, clockLabel, icon, link, seatName } from './parts.js';
import { tvPanel } from './tv.js';

/**
 * @import {TableInfo} from '../protocol.js'
 * @import {Context} from './context.js'
 */

/** @param {Context} context */
export function lobbyPage(context) {
  return h('main.lobby', { id: 'main', key: 'lobby' },
    h('div.lobby-start', { key: 'start' },
      ownGames(context),
      challengesToYou(context),
      newGameForm(context),
      nameField(context),
      advanced(context)),
    h('div.lobby-tv', { key: 'tv' }, tvPanel(context)),
    h('div.lobby-lists', { key: 'lists' },
      openList(context), liveList(context), peopleHere(context)));
}

/** @param {Context} context */
function ownGames({ state, t, act }) {
  const mine = Object.values(state.tables).filter(isMine);
  return mine.map((table) => h('div.card.attention', { key: `own-${table.id}` },
    h('span', null, t('lobby.yourGame')),
    link(`/g/${table.id}`, t('lobby.return'), act.go, { class: 'button primary' })));
}

/** @param {Context} context */
function challengesToYou({ state, t, act }) {
  return state.challenges.map(({ table, by, info }) => h('div.card.attention', { key: `challenge-${table}` },
    h('span', null, `${t('lobby.challenged', { name: by })} · ${clockLabel(info, t)}`),
    h('span.answers', null,
      button(t('lobby.accept'), () => act.acceptChallenge(table), { class: 'primary' }),
      button(t('lobby.decline'), () => act.declineChallenge(table)))));
}

/** @param {Context} context */
function nameField({ state, t, act }) {
  return h('form.name-form', {
    key: 'name',
    on: {
      submit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const form = /** @type {HTMLFormElement} */ (event.currentTarget);
        act.rename(/** @type {HTMLInputElement} */ (form.elements.namedItem('name')).value);
      },
    },
  },
  h('label', { for: 'own-name' }, t('lobby.name')),
  h('input', { id: 'own-name', name: 'name', maxlength: '30', autocomplete: 'nickname', prop: { value: state.me.name } }),
  h('button', { type: 'submit' }, t('lobby.rename')));
}

/** Which server is spoken to. @param {Context} context */
function advanced({ state, t, act, origin }) {
  const connect = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    act.connect(/** @type {HTMLInputElement} */ (form.elements.namedItem('address')).value);
  };
  return h('details.advanced', { key: 'advanced' },
    h('summary', null, t('lobby.advanced')),
    h('form.name-form', { on: { submit: connect } },
      h('label', { for: 'server-address' }, t('lobby.address')),
      h('input', { id: 'server-address', name: 'address', maxlength: '100', spellcheck: 'false', autocapitalize: 'off', prop: { value: origin.replace(/^https?:\/\//, '') } }),
      h('button', { type: 'submit' }, t('link.connect'))),
    state.connection.status !== 'off' && button(t('link.disconnect'), act.disconnect, { class: 'quiet', id: 'disconnect' }));
}

/** @param {Context} context */
function openList(context) {
  const { state, t, act } = context;
  const open = state.lobby.tables.filter((info) => info.state !== 'running' && freeSeat(info) != null && hasOwner(info));
  return h('section.card', { key: 'open', 'aria-labelledby': 'open-title' },
    h('h2', { id: 'open-title' }, t('lobby.open'), h('span.count', null, String(open.length))),
    open.length === 0 && h('p.empty', null, t('lobby.openEmpty')),
    h('ul.tables', null, open.map((info) => {
      const free = freeSeat(info) ?? 'white';
      const owner = info.seats[other(free)];
      const isOwn = owner?.name === state.me.name;
      return h('li', { key: info.id },
        h('span', { class: `man ${free}`, role: 'img', 'aria-label': t(`color.${free}`), title: t(`color.${free}`) }),
        h('span.who', { title: seatName(owner, t) }, seatName(owner, t)),
        h('span.clock-label', null, clockLabel(info, t)),
        isOwn ? link(`/g/${info.id}`, t('lobby.return'), act.go, { class: 'button' })
          : button(t('lobby.join'), () => act.sit(info.id, free), { class: 'primary', 'data-join': info.id }));
    })));
}

/** @param {TableInfo} info @returns {'white' | 'black' | null} */
function freeSeat(info) {
  if (!info.seats.white) return 'white';
  return info.seats.black ? null : 'black';
}

/** @param {TableInfo} info */
function hasOwner(info) {
  return info.seats.white != null || info.seats.black != null;
}

/** @param {Context} context */
function liveList({ state, t, act }) {
  const live = state.lobby.tables.filter((info) => info.state === 'running');
  return h('section.card', { key: 'live', 'aria-labelledby': 'live-title' },
    h('h2', { id: 'live-title' }, t('lobby.live'), h('span.count', null, String(Math.max(live.length, state.lobby.live)))),
    live.length === 0 && h('p.empty', null, t('lobby.liveEmpty')),
    h('ul.tables', null, live.map((info) => h('li', { key: info.id },
      link(`/g/${info.id}`, [
        h('span.pair', null,
          (/** @type {const} */ (['white', 'black'])).map((color) => h('span.who', { title: seatName(info.seats[color], t) },
            h('span', { class: `man small ${color}` }), seatName(info.seats[color], t)))),
        h('span.clock-label', null, clockLabel(info, t)),
        h('span.watchers', null, icon('eye'), String(info.watchers)),
      ], act.go, { class: 'live-game', 'data-live': info.id })))));
}

/** How many are here and, once that is opened, who: each can be challenged. @param {Context} context */
function peopleHere({ state, t, act }) {
  const { form, lobby, me } = state;
  if (!lobby.known) return null;
  const opened = (/** @type {Event} */ event) => /** @type {HTMLDetailsElement} */ (event.currentTarget).open && act.people();
  return h('details.card.people', { key: 'people', on: { toggle: opened } },
    h('summary', null, t('lobby.players', { n: lobby.players })),
    h('ul.tables', null, (form.people ?? []).map((/** @type {string} */ name) => h('li', { key: name },
      h('span.who', { title: name }, name),
      name === me.name ? h('span.you', null, t('game.you')) : button(t('lobby.invite'), () => act.invite(name), { 'data-invite': name, 'aria-label': `${t('lobby.invite')}: ${name}` })))));
}
