/** What the engine in the browser thinks of the position in view, and the server where the engine cannot run. */

import { ask, asked, loadEngine } from '../net/ask.js';

/**
 * @import {App} from '../app.js'
 * @import {Engine} from '../engine/engine.js'
 * @import {Evaluation} from '../game/tree.js'
 * @import {StudyPage} from './study.js'
 */

/** How long the engine looks at a position, and the server in its place, in milliseconds. */
const SEARCH_MS = 2000;
const SERVER_SEARCH_MS = 700;
/** Who is busy is asked again after so many milliseconds. */
const RETRY_MS = 1500;

export class Thinking {
  /** @type {Engine | null} */
  #engine = null;
  /** What is being searched. @type {string | null} */
  #now = null;
  /** What has been. @type {Set<string>} */
  #done = new Set();

  /**
   * @param {App} app
   * @param {(key: string, at: number, evaluation: Evaluation) => void} learn takes what is known after each depth
   * @param {(key: string, problem: {code: string} | null) => void} explain takes why nothing is known
   */
  constructor(app, learn, explain) {
    this.app = app;
    this.learn = learn;
    this.explain = explain;
  }

  /** Searches the position in view, if there is more to be found out. @param {StudyPage} page @param {{fen: string, moves: string}} place */
  follow(page, place) {
    const { key, tree, at, lines, isEndless, isQuiet } = page;
    const what = `${key} ${at} ${lines} ${isEndless}`;
    const wanted = isQuiet || tree[at]?.legal?.length === 0 || this.#done.has(what) ? null : what;
    if (wanted === this.#now) return;
    this.#now = wanted;
    if (wanted) this.#search(page, place, wanted);
    else this.#engine?.rest();
  }

  /** Ends the search. */
  rest() {
    this.#now = null;
    this.#engine?.rest();
  }

  /** Another game is looked at. */
  forget() {
    this.rest();
    this.#done.clear();
  }

  /** What the other side would play if it were to move; null without a position. @param {string | null} fen @returns {Promise<string[] | null>} */
  async threat(fen) {
    if (!fen) return null;
    const answer = await ask(asked('/api/analysis', { fen: fen.replace(/^./, (turn) => (turn === 'W' ? 'B' : 'W')), time: SERVER_SEARCH_MS }));
    return answer.lines?.[0]?.moves ?? [];
  }

  /** @param {StudyPage} page @param {{fen: string, moves: string}} place @param {string} what */
  async #search({ key, tree, at, lines, isEndless }, place, what) {
    this.#engine ??= await loadEngine();
    if (this.#now !== what) return;
    const question = { about: 'analysis', ...place, lines, ...(isEndless ? {} : { time: SEARCH_MS }) };
    const learn = (/** @type {Evaluation} */ found) => this.learn(key, at, found);
    let answer = this.#isPlaying() ? { code: 'own_game' } : await this.#engine?.search(question, tree[at]?.fen ?? '', learn) ?? { code: 'unreachable' };
    if (answer.code === 'unreachable') answer = await ask(asked('/api/analysis', { ...place, lines, time: SERVER_SEARCH_MS }));
    if (answer.code === 'stopped') return;
    if (!answer.code) {
      this.#done.add(what);
      learn(answer);
    } else if (answer.code !== 'game_running') {
      setTimeout(() => this.#again(what), RETRY_MS);
    }
    this.explain(key, answer.code ? answer : null);
  }

  /** @param {string} what */
  #again(what) {
    if (this.#now !== what) return;
    this.#now = null;
    this.app.study?.follow();
  }

  /** Whether you play a game now, in which the engine must not help you. */
  #isPlaying() {
    return Object.values(this.app.store.state.tables).some((table) => table.you != null && table.game != null && table.game.result == null);
  }
}
