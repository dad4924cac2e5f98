/** Plays recorded searches in the order in which they visited their nodes. */

/** @import {Explorer} from './explorer.js' */

/** Speeds, in nodes a second. */
export const SPEEDS = [2, 20, 200, 2000, 20000];

/** The page is drawn again after so many milliseconds. */
const STEP_MS = 50;

export class Playback {
  /** When it was looked at last. */
  #at = 0;
  /** Parts of nodes that are left over. */
  #rest = 0;

  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
  }

  /** How many nodes have been entered. */
  get time() {
    return this.explorer.page.time ?? this.explorer.whole;
  }

  toggle() {
    if (this.explorer.page.playing) this.stop();
    else this.#start();
  }

  stop() {
    if (this.explorer.page.playing) this.explorer.change({ playing: false });
  }

  /** @param {number} nodes forward, or back if negative */
  step(nodes) {
    this.stop();
    this.go(this.time + nodes);
  }

  /** Shows the searches after so many nodes, and the node that was entered last. @param {number} time */
  go(time) {
    const { explorer } = this;
    const { wanted, traces } = explorer.page;
    const now = Math.min(Math.max(1, Math.round(time)), explorer.whole);
    const trace = traces[wanted.tree];
    if (trace) explorer.select(wanted.tree, Math.min(now, trace.count) - 1, { time: now });
  }

  #start() {
    const { explorer } = this;
    explorer.change({ playing: true, time: this.time >= explorer.whole ? 1 : this.time });
    this.#at = performance.now();
    this.#rest = 0;
    requestAnimationFrame(() => this.#frame());
  }

  #frame() {
    const { explorer } = this;
    if (!explorer.page.playing) return;
    const now = performance.now();
    if (now - this.#at < STEP_MS) {
      requestAnimationFrame(() => this.#frame());
      return;
    }
    const nodes = ((now - this.#at) / 1000) * explorer.page.speed + this.#rest;
    this.#at = now;
    this.#rest = nodes % 1;
    if (nodes >= 1) this.go(this.time + Math.floor(nodes));
    if (this.time >= explorer.whole) this.stop();
    else requestAnimationFrame(() => this.#frame());
  }
}
