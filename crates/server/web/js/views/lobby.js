/** The front page: what is on, and how to begin. */

import { playerPath } from '../core/route.js';
import { holdsSeat, other } from '../core/table.js';
import { h } from '../ui/dom.js';
import { newGameForm } from './new_game.js';
import { ownGames, storageWarning } from './own_games.js';
import { button, clockLabel, icon, link, seatName, shortClock } from './parts.js';
import { tvPanel } from './tv.js';

/**
 * @import {TableInfo} from '../protocol.js'
 * @import {Context} from './context.js'
 * @import {Child, VElement} from '../ui/dom.js'
 */

/** How many rows of a list are shown at first. */
const FIRST_ROWS = 5;

/** @param {Context} context */
export function lobbyPage(context) {
  const { state, t, act } = context;
  return h('main.lobby', { id: 'main', key: 'lobby' },
    h('div.lobby-start', { key: 'start' },
      ownGames(context),
      challengesToYou(context),
      turns(context),
      storageWarning(context),
      newGameForm(context),
      nameField(context),
      advanced(context)),
    h('div.lobby-tv', { key: 'tv' }, tvPanel(context)),
    h('div.lobby-lists', { key: 'lists' },
      openList(context), liveList(context),
      link('/tournaments', t('nav.tournaments'), act.go, { class: 'button', id: 'tournaments', key: 'tournaments' }),
      link('/ratings', t('nav.ratings'), act.go, { class: 'button', id: 'ratings', key: 'ratings' }),
      state.me.account && link('/correspondence', t('nav.correspondence'), act.go, { class: 'button', id: 'correspondence', key: 'correspondence' }),
      peopleHere(context)));
}

/** What waits in games by correspondence. @param {Context} context */
function turns({ state, t, act }) {
  return state.turns > 0 && h('div.card.attention', { key: 'turns' }, h('span', null, t('lobby.turns', { n: state.turns })), link('/correspondence', t('nav.correspondence'), act.go, { class: 'button primary' }));
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
  const { account, registration, name: own } = state.me;
  const isSeated = Object.values(state.tables).some(holdsSeat);
  const games = own && link(playerPath(own), t('nav.ownGames'), act.go, { class: 'own-games' });
  if (account) return h('p.name-form', { key: 'name' }, h('strong', null, own), link('/account', t('nav.account'), act.go, { id: 'account', class: 'name-link' }), games);
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
  h('input', { id: 'own-name', name: 'name', maxlength: '30', autocomplete: 'nickname', readonly: isSeated, prop: { value: state.me.name } }),
  isSeated ? h('p.quiet-text.name-link', { key: 'later' }, t('error.renameLater')) : h('button', { key: 'rename', type: 'submit' }, t('lobby.rename')),
  registration && link('/account', t('lobby.keep'), act.go, { id: 'account', class: 'name-link' }),
  games);
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

/** Who waits for an opponent: at a table, the own one first, or for a quick game. @param {Context} context */
function openList(context) {
  const { state, t } = context;
  const open = state.lobby.tables.filter((info) => info.state !== 'running' && freeSeat(info) != null && hasOwner(info));
  const isOwn = (/** @type {TableInfo} */ info) => ownerOf(info)?.name === state.me.name;
  const { queue } = state;
  const seekers = (/** @type {string[]} */ clocks, /** @type {boolean} */ rated) =>
    clocks.filter((clock) => clock !== queue?.clock || rated !== queue.rated).map((clock) => quickSeeker(context, clock, rated));
  const rows = [
    ...open.filter(isOwn).map((info) => ownChallenge(context, info)),
    ...seekers(state.lobby.quick ?? [], false),
    ...(state.me.account ? seekers(state.lobby.quick_rated ?? [], true) : []),
    ...open.filter((info) => !isOwn(info)).map((info) => challenge(context, info)),
  ];
  return h('section.card.open', { key: 'open', class: rows.length > 0 ? 'some' : '', 'aria-labelledby': 'open-title' },
    h('h2', { id: 'open-title' }, t('lobby.open'), h('span.count', null, String(rows.length))),
    rows.length === 0 && h('p.empty', null, t('lobby.openEmpty')),
    bounded(context, 'allOpen', rows));
}

/** @param {Context} context @param {TableInfo} info */
function ownChallenge({ t, act }, info) {
  return seeker(info.id, sideOf(info, t), seatName(ownerOf(info), t), clockLabel(info, t),
    link(`/g/${info.id}`, t('lobby.return'), act.go, { class: 'button' }));
}

/** @param {Context} context @param {TableInfo} info */
function challenge({ t, act }, info) {
  const about = [clockLabel(info, t), info.rated && t('game.rated')].filter(Boolean).join(' · ');
  return seeker(info.id, sideOf(info, t), seatName(ownerOf(info), t), about,
    button(t('lobby.join'), () => act.sit(info.id, freeSeat(info) ?? 'white'), { class: 'primary', 'data-join': info.id }));
}

/** @param {Context} context @param {string} clock @param {boolean} rated */
function quickSeeker({ t, act }, clock, rated) {
  const about = [shortClock(clock), rated && t('game.rated')].filter(Boolean).join(' · ');
  return seeker(`quick-${clock}${rated ? '-rated' : ''}`, icon('bolt'), t('lobby.quickSeeker'), about,
    button(t('lobby.play'), () => act.quick(clock, rated), { class: 'primary', 'data-quick': clock }));
}

/** @param {string} key @param {Child} sign @param {string} name @param {string} clock @param {Child} answer */
function seeker(key, sign, name, clock, answer) {
  return h('li', { key }, sign, h('span.seeker', null, h('span.who', null, name), h('span.clock-label', null, clock)), answer);
}

/** The colour that is free, as a sign. @param {TableInfo} info @param {Context['t']} t */
function sideOf(info, t) {
  const label = t(`color.${freeSeat(info)}`);
  return h('span', { class: `man ${freeSeat(info)}`, role: 'img', 'aria-label': label, title: label });
}

/** The first rows of a list, and all of them on request. @param {Context} context @param {'allOpen' | 'allLive'} name @param {VElement[]} rows */
function bounded({ state, t, act }, name, rows) {
  const isWhole = state.form[name] === true;
  return [
    h('ul.tables', { class: isWhole ? 'whole' : '' }, isWhole ? rows : rows.slice(0, FIRST_ROWS)),
    rows.length > FIRST_ROWS && button(isWhole ? t('lobby.fewer') : t('lobby.all', { n: rows.length }),
      () => act.fill({ [name]: !isWhole }), { class: 'quiet', id: `lobby-${name}`, 'aria-expanded': isWhole ? 'true' : 'false' }),
  ];
}

/** @param {TableInfo} info */
function ownerOf(info) {
  return info.seats[other(freeSeat(info) ?? 'white')];
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
function liveList(context) {
  const { state, t, act } = context;
  const live = state.lobby.tables.filter((info) => info.state === 'running');
  return h('section.card.live', { key: 'live', 'aria-labelledby': 'live-title' },
    h('h2', { id: 'live-title' }, t('lobby.live'), h('span.count', null, String(Math.max(live.length, state.lobby.live)))),
    live.length === 0 && h('p.empty', null, t('lobby.liveEmpty')),
    bounded(context, 'allLive', live.map((info) => h('li', { key: info.id },
      link(`/g/${info.id}`, [
        h('span.pair', null,
          (/** @type {const} */ (['white', 'black'])).map((color) => h('span.who', { title: seatName(info.seats[color], t) },
            h('span', { class: `man small ${color}` }), seatName(info.seats[color], t)))),
        h('span.live-about', null, h('span.clock-label', null, clockLabel(info, t)),
          h('span.watchers', null, icon('eye'), String(info.watchers))),
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
