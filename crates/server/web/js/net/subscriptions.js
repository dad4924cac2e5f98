/** Which tables and lists the page follows: what to tell the server when that changes. */

import { since } from '../core/receive.js';
import { holdsSeat } from '../core/table.js';

/**
 * @import {Message} from '../protocol.js'
 * @import {State} from '../core/state.js'
 *
 * @typedef {{lobby: boolean, tv: boolean, tables: string[]}} Following
 */

/** What a connection follows that has joined with `lobby`. @type {Following} */
export const AT_FIRST = { lobby: true, tv: false, tables: [] };

/**
 * What the page has to follow for what it shows. Tables where you have a seat are followed everywhere.
 * @param {State} state
 * @returns {Following}
 */
export function wanted(state) {
  const { name, id } = state.route;
  const mine = Object.values(state.tables).filter(holdsSeat).map((table) => table.id);
  const shown = (name === 'game' || name === 'embed') && id != null && !isArchived(state, id) ? [id] : [];
  return {
    lobby: name !== 'embed',
    tv: name === 'lobby' || name === 'tv',
    tables: [...new Set([...shown, ...mine])],
  };
}

/** @param {State} state @param {string} id */
function isArchived(state, id) {
  return state.archive[id] != null;
}

/**
 * The messages that lead from one to the other.
 * @param {Following} told
 * @param {Following} next
 * @param {State} state
 * @returns {Message[]}
 */
export function changes(told, next, state) {
  /** @type {Message[]} */
  const messages = [];
  if (next.lobby !== told.lobby) messages.push({ type: next.lobby ? 'subscribe_lobby' : 'unsubscribe_lobby' });
  if (told.tv && !next.tv) messages.push({ type: 'leave_tv' });
  for (const table of told.tables) if (!next.tables.includes(table)) messages.push({ type: 'unwatch', table });
  for (const table of next.tables) {
    if (told.tables.includes(table)) continue;
    const known = state.tables[table];
    messages.push({ type: 'watch', table, since: known && since(known) });
  }
  if (next.tv && !told.tv) messages.push({ type: 'tv' });
  return messages;
}
