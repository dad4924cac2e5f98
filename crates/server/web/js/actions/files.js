/** Texts of games that are opened in the analysis. */

import { named, studyPath } from '../core/line.js';
import { ask, asked } from '../net/ask.js';

/**
 * @import {Problem} from '../core/problem.js'
 *
 * @typedef {{from: number, to: number, white?: string, black?: string, event?: string, date?: string, result?: string,
 *   plies?: number, problem?: Problem}} ListedGame `from` and `to` in bytes of the text
 * @typedef {{list: ListedGame[], chosen: number, isCutShort: boolean}} OpenedFile
 */

/** Where the text that was opened last lies as long as the tab is there, so that a reload shows its notes again. */
const KEPT = 'checkers.text';
/** Longer texts, in characters, are not kept: browsers have little room. */
const LONGEST_KEPT = 2 ** 20;

export class Files {
  #text = '';
  #numbers = '';
  /** What was read last. @type {any} */
  #read = null;
  /** The text, if it has several games. @type {OpenedFile | null} */
  file = null;
  /** Where the game that was read last is shown. */
  path = '/analysis';

  /** @param {string} text @param {string} numbers @returns {Promise<any>} the game that was read, or what is wrong */
  async open(text, numbers) {
    const answer = await this.#ask(new Blob([text]), numbers);
    if (answer.code) return answer;
    const { list, game, is_cut_short: isCutShort } = answer;
    this.file = list.length > 1 ? { list, chosen: game - 1, isCutShort } : null;
    this.#text = text;
    this.#numbers = numbers;
    this.#keep(game - 1);
    return answer;
  }

  /** @param {number} number from 0 @returns {Promise<any>} as for `open` */
  async choose(number) {
    const { file } = this;
    const game = file?.list[number];
    const answer = await this.#ask(new Blob([this.#text]).slice(game?.from, game?.to), this.#numbers);
    if (!answer.code && file && this.file === file) {
      this.file = { ...file, chosen: number };
      this.#keep(number);
    }
    return answer;
  }

  /** What was read, also before a reload, if that is what an address shows. @param {string} search @returns {Promise<any>} */
  async readAt(search) {
    const isShown = (/** @type {string} */ path) => new URL(path, location.origin).search === search.replace(/&line=[^&]*/, '');
    const kept = this.#read ? null : keptText();
    if (kept && isShown(kept.path)) {
      await this.open(kept.text, kept.numbers);
      if (this.file && this.file.chosen !== kept.chosen) await this.choose(kept.chosen);
    }
    return this.#read && isShown(this.path) ? this.#read : null;
  }

  /** @param {number} chosen which of its games is shown, from 0 */
  #keep(chosen) {
    try {
      if (this.#text.length > LONGEST_KEPT) sessionStorage.removeItem(KEPT);
      else sessionStorage.setItem(KEPT, JSON.stringify({ path: this.path, text: this.#text, numbers: this.#numbers, chosen }));
    } catch {
      // Where nothing can be kept, a reload shows the moves alone.
    }
  }

  /** @param {Blob} text @param {string} numbers @returns {Promise<any>} */
  async #ask(text, numbers) {
    const answer = await ask(asked('/api/pdn', { numbers }), { method: 'POST', body: text });
    if (answer.code) return answer;
    const { white, black, start_fen: start, moves } = answer;
    this.#read = answer;
    this.path = studyPath(start, moves, { white: named(white), black: named(black) });
    return answer;
  }
}

/** @returns {{path: string, text: string, numbers: string, chosen: number} | null} */
function keptText() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
  } catch {
    return null;
  }
}
