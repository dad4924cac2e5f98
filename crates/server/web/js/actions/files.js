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

export class Files {
  #text = new Blob();
  #numbers = '';
  /** What was read last. @type {any} */
  #read = null;
  /** The text, if it has several games. @type {OpenedFile | null} */
  file = null;
  /** Where the game that was read last is shown. */
  path = '/analysis';

  /** @param {string} text @param {string} numbers @returns {Promise<any>} the game that was read, or what is wrong */
  async open(text, numbers) {
    const blob = new Blob([text]);
    const answer = await this.#ask(blob, numbers);
    if (answer.code) return answer;
    const { list, game, is_cut_short: isCutShort } = answer;
    this.file = list.length > 1 ? { list, chosen: game - 1, isCutShort } : null;
    this.#text = blob;
    this.#numbers = numbers;
    return answer;
  }

  /** @param {number} number from 0 @returns {Promise<any>} as for `open` */
  async choose(number) {
    const { file } = this;
    const game = file?.list[number];
    const answer = await this.#ask(this.#text.slice(game?.from, game?.to), this.#numbers);
    if (!answer.code && file && this.file === file) this.file = { ...file, chosen: number };
    return answer;
  }

  /** What was read, if that is what an address shows. @param {string} search @returns {any} */
  readAt(search) {
    return this.#read && new URL(this.path, location.origin).search === search ? this.#read : null;
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
