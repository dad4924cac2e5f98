/** What the clocks show between two messages of the server. */

/**
 * @import {Color, WireClocks} from '../protocol.js'
 *
 * @typedef {{clocks: WireClocks, at: number, turn: Color | null}} ClockReading
 *   the clocks as they stood at the local time `at`, and whose runs; times in milliseconds
 */

/** Below this a clock is shown in tenths and in warning colours. */
export const LOW_TIME_MS = 10_000;

/**
 * What a side's clock shows now.
 * @param {ClockReading} reading
 * @param {Color} side
 * @param {number} now
 * @returns {number | null} milliseconds, `null` for a side without a clock
 */
export function remaining(reading, side, now) {
  const clock = reading.clocks[side];
  if (!clock) return null;
  if (reading.turn !== side) return clock.remaining_ms;
  const used = Math.max(0, now - reading.at - (clock.delay_ms ?? 0));
  return Math.max(0, clock.remaining_ms - used);
}

/** How long the side to move has been thinking, in whole seconds. @param {ClockReading | null} reading @param {number} now */
export function thinkingSeconds(reading, now) {
  return reading?.turn ? Math.max(0, Math.floor((now - reading.at) / 1000)) : 0;
}

/**
 * `4:31`, `1:02:07`, `0:09.4`.
 * @param {number} ms
 */
export function clockText(ms) {
  const tenths = Math.floor(ms / 100);
  const seconds = Math.floor(tenths / 10);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  if (hours > 0) return `${hours}:${two(minutes)}:${two(rest)}`;
  const text = `${minutes}:${two(rest)}`;
  return ms < LOW_TIME_MS ? `${text}.${tenths % 10}` : text;
}

/**
 * When what `clockText` shows changes next, in milliseconds from now.
 * @param {number} ms
 */
export function nextTick(ms) {
  const step = ms <= LOW_TIME_MS ? 100 : 1000;
  return ms % step || step;
}
