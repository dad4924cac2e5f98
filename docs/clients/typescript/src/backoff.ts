const SHORTEST_MS = 500;
const LONGEST_MS = 30_000;

/** Pauses that double, each cut by up to a half at random, so that clients do not all come back at once. */
export class Backoff {
  #next = SHORTEST_MS;
  #hint = 0;

  /** The server has asked the client to stay away for so long: applies to the next pause. */
  hint(delayMs: number): void {
    this.#hint = Math.min(delayMs, LONGEST_MS);
  }

  /** The client is connected: the next pause is short again. */
  reset(): void {
    this.#next = SHORTEST_MS;
  }

  pause(): number {
    const pause = this.#next;
    const hint = this.#hint;
    this.#next = Math.min(2 * pause, LONGEST_MS);
    this.#hint = 0;
    const random = Math.random() / 2;
    return hint > 0 ? hint + pause * random : pause * (0.5 + random);
  }
}
