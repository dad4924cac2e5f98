/** A table at which no game has begun: an invitation, for both who made it and who got it. */

import { other } from '../core/table.js';
import { h } from '../ui/dom.js';
import { storageWarning } from './own_games.js';
import { button, clockLabel, link, seatName } from './parts.js';

/**
 * @import {Color} from '../protocol.js'
 * @import {Context} from './context.js'
 * @import {Table} from '../core/table.js'
 */

/** @param {Context} context @param {Table} table */
export function waitingRoom(context, table) {
  const { state } = context;
  const seats = table.info?.seats ?? {};
  const mine = /** @type {Color | undefined} */ (['white', 'black'].find((color) =>
    seats[/** @type {Color} */ (color)]?.name === state.me.name));
  return h('main.waiting', { id: 'main', key: 'waiting' }, h('div.card', null,
    table.closed ? closed(context) : mine ? host(context, table, mine) : guest(context, table)));
}

/** @param {Context} context */
function closed({ t, act }) {
  return [h('h1', null, t('game.closed')), link('/', t('app.home'), act.go, { class: 'button primary' })];
}

/** @param {Context} context @param {Table} table @param {Color} mine */
function host({ t, act, origin }, table, mine) {
  const address = `${origin}/g/${table.id}`;
  const opponent = table.info?.opponent;
  return [
    h('h1', null, h('span.spinner', { 'aria-hidden': 'true' }), opponent ? t('game.waitingFor', { name: opponent }) : t('game.waiting')),
    h('p', null, h('span', { class: `man ${mine}`, 'aria-hidden': 'true' }), `${t(`color.${mine}`)} · ${clockLabel(table.info, t)}`),
    opponent ? h('p', null, t('game.invited', { name: opponent })) : h('p', null, t('game.invite')),
    !opponent && h('div.copy', null,
      h('input', { id: 'invite-link', readonly: true, value: address, 'aria-label': t('game.link'),
        on: { focus: (/** @type {any} */ event) => event.target.select() } }),
      h('button.primary', { type: 'button', on: { click: () => act.copy(address) } }, t('game.copy'))),
    button(t('game.withdraw'), act.withdraw, { class: 'quiet' }),
  ];
}

/** @param {Context} context @param {Table} table */
function guest(context, table) {
  const { t, act } = context;
  const seats = table.info?.seats ?? {};
  const free = /** @type {Color[]} */ (['white', 'black']).filter((color) => !seats[color]);
  const owner = free.length === 1 ? seats[other(/** @type {Color} */ (free[0]))] : null;
  return [
    storageWarning(context),
    h('h1', null, owner ? t('game.sitInvited', { name: seatName(owner, t) }) : t(free.length > 0 ? 'game.empty' : 'game.waitingBot')),
    h('p', null, clockLabel(table.info, t)),
    h('div.answers', null, free.map((color) => h('button.primary.big', {
      key: color, type: 'button', 'data-sit': color, on: { click: () => act.sit(table.id, color) },
    }, h('span', { class: `man ${color}`, 'aria-hidden': 'true' }), t('game.sit', { color })))),
  ];
}
