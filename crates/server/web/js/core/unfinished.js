/** The own games whose end has not been seen yet: who comes back after it is told of it. */

import { viewedId } from './state.js';
import { holdsSeat, isRunning, other } from './table.js';

/**
 * @import {State} from './state.js'
 * @import {Table} from './table.js'
 * @typedef {{table: string, you: 'white' | 'black', opponent: string}} Unfinished
 */

/** So many are remembered. */
const MOST = 20;

/** Takes in how an own game stands: it goes on, or it is over and that is told now. @param {State} state @param {Table} table @returns {State} */
export function noteEnd(state, table) {
  const { game, you } = table;
  if (!game?.id) return state;
  const known = state.unfinished[game.id];
  if (isRunning(table)) {
    if (you == null || known) return state;
    const before = Object.entries(state.unfinished).slice(-MOST);
    const noted = { table: table.id, you, opponent: game[other(you)] };
    return { ...state, unfinished: { ...Object.fromEntries(before), [game.id]: noted } };
  }
  if (!known) return state;
  const { [game.id]: _, ...unfinished } = state.unfinished;
  const tables = { ...state.tables, [table.id]: { ...table, you: you ?? known.you } };
  const next = { ...state, unfinished, tables };
  if (state.route.name === 'game' && table.id === viewedId(state)) return { ...next, dialog: { name: 'over' } };
  return { ...next, notice: { key: `notice.over.${outcome(game.result, known.you)}`, params: { name: known.opponent }, times: (state.notice?.times ?? 0) + 1 } };
}

/** @param {string | undefined} result @param {'white' | 'black'} you */
function outcome(result, you) {
  if (result !== 'white_won' && result !== 'black_won') return result === 'draw' ? 'draw' : 'none';
  return result === `${you}_won` ? 'won' : 'lost';
}

/** Those that ended while nobody was here. @param {State} state @returns {(Unfinished & {id: string})[]} */
export function endedUnseen(state) {
  if (!state.me.joined) return [];
  const open = new Set(Object.values(state.tables).filter(holdsSeat).map((table) => table.id));
  return Object.entries(state.unfinished).filter(([, { table }]) => !open.has(table)).map(([id, one]) => ({ id, ...one }));
}
