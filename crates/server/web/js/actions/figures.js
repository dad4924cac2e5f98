/** Measures in the browser what the study's figures show. */

import { MEASURED, POSITIONS, summed } from '../core/figures.js';
import { loadEngine } from '../net/ask.js';

/**
 * @import {Explorer} from './explorer.js'
 * @import {Measured} from '../core/figures.js'
 *
 * @typedef {object} FiguresPage what `state.page` is there
 * @property {Measured[]} [measured]
 * @property {{bot: string, depth: number} | null} [running]
 * @property {number} [limit] the longest time for a depth, in seconds
 * @property {'time' | 'nodes'} [unit]
 * @property {boolean} [failed] whether the engine cannot run here
 */

/** The longest times for a depth that can be chosen, in seconds; the first unless another one is. */
export const LIMITS = [2, 5, 20];

export class Figures {
  /** Counts the runs, so that an old one ends. */
  #run = 0;

  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
  }

  get page() {
    return /** @type {FiguresPage} */ (/** @type {any} */ (this.explorer.app.store.state.page));
  }

  /** @param {FiguresPage} changes */
  change(changes) {
    this.explorer.change(/** @type {any} */ (changes));
  }

  get #isInView() {
    const { route } = this.explorer.app.store.state;
    return route.name === 'lesson' && route.id === 'figures';
  }

  async stop() {
    this.#run += 1;
    (await loadEngine())?.forgetTrees();
    this.change({ running: null });
  }

  /** Searches all positions by each algorithm, deeper and deeper. */
  async measure() {
    this.#run += 1;
    const run = this.#run;
    this.change({ measured: [], running: { bot: 'minimax', depth: 1 }, failed: false });
    const engine = await loadEngine();
    // Browsers compile the engine while it runs.
    await engine?.trees({ about: 'choice', bot: 'negascout-tt:depth=8' });
    for (const [bot, deepest] of MEASURED) {
      for (let depth = 1; depth <= deepest; depth += 1) {
        if (run !== this.#run) return;
        this.change({ running: { bot, depth } });
        const began = performance.now();
        const moves = engine ? await this.#moves(engine, bot, depth, run) : null;
        if (run !== this.#run) return;
        if (!moves) {
          this.change({ running: null, failed: true });
          return;
        }
        this.change({ measured: [...(this.page.measured ?? []), summed(bot, depth, moves)] });
        if (performance.now() - began > (this.page.limit ?? LIMITS[0] ?? 2) * 1000) break;
      }
    }
    this.change({ running: null });
  }

  /** What each position took; null if the engine cannot run. @param {import('../engine/engine.js').Engine} engine @param {string} bot @param {number} depth @param {number} run */
  async #moves(engine, bot, depth, run) {
    const moves = [];
    for (const line of POSITIONS) {
      const answer = await engine.trees({ about: 'choice', bot: `${bot}:depth=${depth}`, moves: line });
      if (answer.code || run !== this.#run) return null;
      moves.push({ ms: answer.elapsed, nodes: answer.nodes });
      if (!this.#isInView) {
        await this.stop();
        return null;
      }
    }
    return moves;
  }
}
