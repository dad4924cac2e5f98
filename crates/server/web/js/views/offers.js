/** The slot beside the board where offers and news of the opponent appear: always in one place. */

import { isRunning, offerBy, other } from '../core/table.js';
import { h } from '../ui/dom.js';
import { button, icon } from './parts.js';
import { playerName } from './player.js';

/**
 * @import {OfferKind} from '../protocol.js'
 * @import {Context} from './context.js'
 * @import {Table} from '../core/table.js'
 */

/** @type {{[kind in OfferKind]: string}} */
const NAMES = { draw: 'Draw', takeback: 'Takeback', rematch: 'Rematch' };

/** @param {Context} context @param {Table} table */
export function noticeSlot(context, table) {
  return h('div.notice-slot', { key: 'notice' }, content(context, table));
}

/** @param {Context} context @param {Table} table */
function content(context, table) {
  const { t } = context;
  if (!table.stored) return h('div.notice.warning', { key: 'stored' }, t('link.notStored'));
  if (table.closed) return h('div.notice', { key: 'closed' }, t('game.closed'));
  if (!table.you) return null;
  if (!isRunning(table) && context.state.queue?.tournament) return h('div.notice', { key: 'next' }, t('game.nextOpens'));
  const kinds = /** @type {OfferKind[]} */ (isRunning(table) ? ['draw', 'takeback'] : ['rematch']);
  const theirs = kinds.filter((kind) => offerBy(table, kind) === other(table.you ?? 'white'));
  if (theirs.length > 0) return theirs.map((kind) => question(context, table, kind));
  const away = absence(context, table);
  if (away) return away;
  const mine = kinds.find((kind) => offerBy(table, kind) === table.you);
  if (mine) return h('div.notice', { key: 'mine' }, t(`game.sent${NAMES[mine]}`));
  const { declined } = table;
  if (declined && declined.by !== table.you) return h('div.notice', { key: 'no' }, t(`game.declined${NAMES[declined.offer]}`));
  return null;
}

/** @param {Context} context @param {Table} table @param {OfferKind} kind */
function question({ t, act }, table, kind) {
  const name = playerName(table, other(table.you ?? 'white'), t);
  return h('div.notice.question', { key: kind, class: kind, role: 'group', 'aria-label': t(`game.offer${NAMES[kind]}`, { name }) },
    h('span', null, t(`game.offer${NAMES[kind]}`, { name })),
    h('span.answers', null,
      h('button.primary', { type: 'button', on: { click: () => act.answer(kind, true) } }, icon('check'), t('game.accept')),
      h('button', { type: 'button', on: { click: () => act.answer(kind, false) } }, icon('close'), t('game.decline'))));
}

/** The opponent is away: since when the game can be claimed. @param {Context} context @param {Table} table */
function absence({ t, act, now }, table) {
  if (!table.you || !isRunning(table) || table.info?.kind === 'correspondence') return null;
  const color = other(table.you);
  const { connected, claimAt } = table.presence[color];
  if (connected) return null;
  const name = playerName(table, color, t);
  if (claimAt == null) return h('div.notice.warning', { key: 'away' }, t('game.away', { name }));
  const seconds = Math.ceil((claimAt - now) / 1000);
  if (seconds > 0) return h('div.notice.warning', { key: 'away' }, t('game.claimIn', { name, n: seconds }));
  return h('div.notice.question', { key: 'away' },
    h('span', null, t('game.claimNow', { name })),
    h('span.answers', null,
      button(t('game.claimWin'), () => act.claim('win'), { class: 'primary' }),
      button(t('game.claimDraw'), () => act.claim('draw'))));
}
