/** The clocks of a table, as its messages tell of them. */

import { atRest, carryOn, due, learnGiven, runningOn } from '../game/clock.js';

/**
 * @import {Color} from '../protocol.js'
 * @import {ClockReading} from '../game/clock.js'
 * @import {State} from './state.js'
 * @import {Table} from './table.js'
 */

/**
 * How the clocks stand, whatever was shown before.
 * @param {Table} table after the message
 * @param {any} message with `clocks`, if anybody has one
 * @param {number} now
 * @returns {ClockReading | null}
 */
export function reading(table, message, now) {
  if (!table.game) return null;
  const turn = table.game.result == null ? table.game.turn : null;
  return { clocks: message.clocks ?? {}, at: now - (message.thinking_ms ?? 0), turn };
}

/** How they stand, shown from where they were. @param {Table} table @param {any} message @param {number} now */
export function readingOn(table, message, now) {
  const next = reading(table, message, now);
  return next && carryOn(table.reading, next, now);
}

/** How they stand when the own move is asked for. @param {Table} table @param {any} message @param {number} now */
export function readingAsked(table, message, now) {
  // The message before has told it already, and sooner, unless this one asks again.
  const isTold = table.legal == null && message.thinking_ms == null && table.reading != null;
  return isTold || !message.clocks ? table.reading : readingOn(table, message, now);
}

/** How they stand after a move. @param {Table} table after it, with the reading before it @param {any} message @param {number} now */
export function readingMoved(table, message, now) {
  const next = reading(table, message, now);
  if (!next) return null;
  const { played, clocks } = message;
  const given = learnGiven(table.reading, played, now);
  // The own clock runs as soon as it is known here that it does.
  const spared = next.turn && next.turn !== table.you ? { from: now, ms: given[next.turn] } : undefined;
  const gained = { [played.color]: clocks?.[played.color]?.increment_ms };
  return carryOn(table.reading, { ...next, given, spared }, now, gained);
}

/**
 * How they stand when the game ends.
 * @param {ClockReading} before @param {number} now @param {Color} turn @param {string} reason
 * @returns {ClockReading}
 */
export function stopped(before, now, turn, reason) {
  const clock = before.clocks[turn];
  if (!clock || before.turn == null) return { ...before, turn: null };
  const fell = reason === 'time' || reason === 'time_against_king';
  const left = fell ? 0 : due(before, turn, now) ?? 0;
  const clocks = { ...before.clocks, [turn]: { ...clock, remaining_ms: left } };
  return carryOn(before, { clocks, at: now, turn: null }, now);
}

/** A move has been sent, and its clock rests. @param {State} state @param {string} id its table's @param {number} now */
export function withClockAtRest(state, id, now) {
  return changed(state, id, (known) => atRest(known, now));
}

/** It was none, and the clock goes on. @param {State} state @param {string} id @param {number} now */
export function withClockRunning(state, id, now) {
  return changed(state, id, (known) => runningOn(known, now));
}

/** @param {State} state @param {string} id @param {(known: ClockReading) => ClockReading} change @returns {State} */
function changed(state, id, change) {
  const table = state.tables[id];
  if (!table?.reading) return state;
  return { ...state, tables: { ...state.tables, [id]: { ...table, reading: change(table.reading) } } };
}
