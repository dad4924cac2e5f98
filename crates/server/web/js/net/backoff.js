/** How long to wait before the next try to connect. */

const FIRST_MS = 400;
const LONGEST_MS = 8_000;
const GROWTH = 1.8;

/**
 * Grows with every failed try up to a limit, and differs between clients, so that they do not all
 * come back in the same moment.
 * @param {number} attempt how many tries have failed before, from 0
 * @param {number} random from 0 to 1
 * @returns {number} milliseconds
 */
export function retryDelay(attempt, random) {
  const delay = Math.min(LONGEST_MS, FIRST_MS * GROWTH ** attempt);
  return Math.round(delay * (0.6 + 0.4 * random));
}
