/**
 * What the clocks show between two messages of the server.
 *
 * A message tells how the clocks stood when the side to move was asked, and comes later than that by
 * what the network takes; of that the server gives back a part when the move is there. So every
 * message finds other clocks than are shown. What differs is not shown at once: it wears off, the
 * clock a little faster or slower meanwhile, and never going back. Where time is short, no more is
 * shown than is left.
 */

/**
 * @import {Color, PlayedMove, WireClocks} from '../protocol.js'
 *
 * @typedef {{[color in Color]: number}} Each milliseconds of either side
 *
 * @typedef {object} ClockReading all times in milliseconds, moments in local time
 * @property {WireClocks} clocks as they stood at `at`
 * @property {number} at when the side to move was asked, as far as is known here
 * @property {Color | null} turn whose clock runs
 * @property {{from: number, ms: number}} [spared] time of the running clock that is likely to be given back
 * @property {Each} [given] what is likely to be given back of a move
 * @property {{from: number, ms: Each}} [carried] how much more was shown at `from` than the message told
 */

/** Below this a clock is shown in tenths and in warning colours. */
export const LOW_TIME_MS = 10_000;
/** How much faster or slower than time a shown clock may run, as a part of it. */
export const PACE = 0.25;
/** What differs by more is shown at once: the network does not explain it. */
const MOST_CARRIED_MS = 2_000;
/** What the server gives back of a move at most, unless it was started with another allowance. */
const MOST_GIVEN_MS = 500;
/** How much is learnt from one move, which may have been an exception. */
const LEARNT_MS = 100;
/** How often a clock is looked at that does not run as time does. */
const LOOK_MS = 100;

/**
 * What a side's clock shows now.
 * @param {ClockReading} reading
 * @param {Color} side
 * @param {number} now
 * @returns {number | null} milliseconds, `null` for a side without a clock
 */
export function remaining(reading, side, now) {
  const ms = due(reading, side, now);
  if (ms == null) return null;
  return ms + clamp(unworn(reading, side, now), -PACE * ms, Math.max(0, PACE * (ms - LOW_TIME_MS)));
}

/**
 * What is left by the last message, whatever is shown.
 * @param {ClockReading} reading @param {Color} side @param {number} now
 */
export function due({ clocks, at, turn, spared }, side, now) {
  const clock = clocks[side];
  if (!clock) return null;
  if (turn !== side) return clock.remaining_ms;
  const free = (clock.delay_ms ?? 0) + (spared ? clamp(now - spared.from, 0, spared.ms) : 0);
  return Math.max(0, clock.remaining_ms - Math.max(0, now - at - free));
}

/**
 * The next reading, shown from where the one before is now.
 * @param {ClockReading | null} before
 * @param {ClockReading} next
 * @param {number} now
 * @param {Partial<Each>} [gained] what a side has been given in between, which is shown at once
 * @returns {ClockReading}
 */
export function carryOn(before, next, now, gained = {}) {
  const more = (/** @type {Color} */ side) => {
    const was = before && remaining(before, side, now);
    const is = due(next, side, now);
    // A clock that is full again for the next move has not run on.
    if (was == null || is == null || (next.clocks[side]?.per_move_ms != null && next.turn !== side)) return 0;
    const ms = was + (gained[side] ?? 0) - is;
    return Math.abs(ms) <= MOST_CARRIED_MS ? ms : 0;
  };
  return { ...next, given: next.given ?? before?.given, carried: { from: now, ms: { white: more('white'), black: more('black') } } };
}

/** The same with the running clock at rest, because its move is under way. @param {ClockReading} reading @param {number} now */
export function atRest(reading, now) {
  return carryOn(reading, { ...reading, spared: { from: now, ms: MOST_GIVEN_MS } }, now);
}

/** The same with the clock running again, because there is no move. @param {ClockReading} reading @param {number} now */
export function runningOn(reading, now) {
  return carryOn(reading, { ...reading, spared: undefined }, now);
}

/**
 * What is likely to be given back of the next moves, after one that took longer here than the server says.
 * @param {ClockReading | null} before the reading in which it was made
 * @param {PlayedMove} played
 * @param {number} now
 * @returns {Each}
 */
export function learnGiven(before, { color, elapsed_ms: elapsed }, now) {
  const given = before?.given ?? { white: 0, black: 0 };
  if (before?.turn !== color) return given;
  const seen = clamp(now - before.at - elapsed, 0, MOST_GIVEN_MS);
  return { ...given, [color]: given[color] + clamp(seen - given[color], -LEARNT_MS, LEARNT_MS) };
}

/** How long the side to move has been thinking, in whole seconds. @param {ClockReading | null} reading @param {number} now */
export function thinkingSeconds(reading, now) {
  return reading?.turn ? Math.max(0, Math.floor((now - reading.at) / 1000)) : 0;
}

/**
 * `4:31`, `1:02:07`, `0:09.4`; from two days on `2d 5h`.
 * @param {number} ms
 */
export function clockText(ms) {
  const tenths = Math.floor(ms / 100);
  const seconds = Math.floor(tenths / 10);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  if (hours >= 48) return `${Math.floor(hours / 24)}d ${hours % 24}h`;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(rest)}`;
  const text = `${minutes}:${two(rest)}`;
  return ms < LOW_TIME_MS ? `${text}.${tenths % 10}` : text;
}

/**
 * When a clock may show something else, in milliseconds from now; `null` if both stand.
 * @param {ClockReading} reading
 * @param {number} now
 * @returns {number | null}
 */
export function nextChange(reading, now) {
  /** @type {Color[]} */
  const sides = ['white', 'black'];
  const changes = sides.flatMap((side) => {
    const ms = remaining(reading, side, now);
    if (ms == null) return [];
    const waits = reading.turn !== side && catchesUp(reading, side);
    if (!waits && unworn(reading, side, now) !== 0) return [Math.min(LOOK_MS, nextTick(ms) / (1 + PACE))];
    if (reading.turn !== side || ms === 0) return [];
    return [nextTick(ms) + spare(reading, now)];
  });
  return changes.length > 0 ? Math.min(...changes) : null;
}

/**
 * When what `clockText` shows of a running clock changes next, in milliseconds from now.
 * @param {number} ms
 */
export function nextTick(ms) {
  const step = ms <= LOW_TIME_MS ? 100 : 1000;
  return ms % step || step;
}

/** What of the time that is likely to be given back is still to come. @param {ClockReading} reading @param {number} now */
function spare({ spared }, now) {
  return spared ? clamp(spared.from + spared.ms - now, 0, spared.ms) : 0;
}

/** What is left of what was carried on. @param {ClockReading} reading @param {Color} side @param {number} now */
function unworn(reading, side, now) {
  if (!reading.carried) return 0;
  const { from, ms } = reading.carried;
  const more = ms[side];
  const passed = catchesUp(reading, side) ? (due(reading, side, from) ?? 0) - (due(reading, side, now) ?? 0) : now - from;
  return Math.sign(more) * Math.max(0, Math.abs(more) - PACE * passed);
}

/**
 * Whether a clock shows too little and waits for its own turn to make up for it, so that its seconds do not go back.
 * @param {ClockReading} reading @param {Color} side
 */
function catchesUp({ carried, ...reading }, side) {
  if (!carried || carried.ms[side] >= 0 || reading.turn == null) return false;
  return (due(reading, side, carried.from) ?? 0) > LOW_TIME_MS;
}

/** @param {number} value @param {number} least @param {number} most */
function clamp(value, least, most) {
  return Math.min(most, Math.max(least, value));
}
