/** Games by correspondence: gets what their page shows, and does what a player wants. */

import { notifying, startNotifying, stopNotifying } from './notifications.js';
import { countTurns } from './turns.js';

/**
 * @import {Account} from './account.js'
 * @import {App} from '../app.js'
 * @import {Color} from '../protocol.js'
 * @import {Notifying} from './notifications.js'
 *
 * @typedef {{id: string, table: string, color: Color, opponent: string, opponent_away_ms?: number, days: number, rated: boolean,
 *   ply: number, your_turn: boolean, deadline_ms: number}} CorrespondenceGame
 * @typedef {{id: string, with: string, received: boolean, color?: Color, days: number, rated: boolean, created_ms: number}} Invitation
 * @typedef {{games: CorrespondenceGame[], challenges: Invitation[], vacation: {until_ms?: number, days_left: number}, code?: string}} CorrespondenceOverview
 *   with a `code` if something is wrong
 *
 * @typedef {object} CorrespondencePage what `state.page` is on this page
 * @property {string} [key] the token that it was asked for with
 * @property {CorrespondenceOverview} [overview]
 * @property {{id: string, text: string}} [lines] the conditional moves that are edited, and of which game
 * @property {Notifying} [notifying] whether this browser tells about turns
 * @property {string} [problem] what was wrong with the last request
 * @property {string} [detail] more about it, in the server's words
 * @property {string} [done] what it has done
 */

/** The page is asked for again after so many milliseconds. */
const PAGE_AGAIN_MS = 15_000;

export class Correspondence {
  /** @param {App} app @param {Account} account */
  constructor(app, account) {
    this.app = app;
    this.account = account;
    setInterval(() => this.#isShown() && this.page.overview && !document.hidden && this.#load(), PAGE_AGAIN_MS);
  }

  /** @returns {CorrespondencePage} */
  get page() {
    return this.app.store.state.page;
  }

  #isShown() {
    return this.app.store.state.route.name === 'correspondence';
  }

  /** Gets what the page lacks. */
  follow() {
    const { me } = this.app.store.state;
    if (!this.#isShown() || !me.account || !me.token || this.page.key === me.token) return;
    this.#change({ key: me.token });
    this.#load();
    notifying(this.account).then((how) => this.#change({ notifying: how }));
  }

  async #load() {
    const overview = await this.account.ask('GET', '/correspondence');
    // What is known stays while the server cannot be reached.
    if (overview.code && this.page.overview?.games) return;
    this.#change({ overview });
    if (overview.games) this.app.store.set({ turns: countTurns(overview) });
  }

  /** @param {{opponent: string, days: number, color?: string, rated: boolean}} wanted */
  async challenge(wanted) {
    await this.#do('/challenges', wanted, 'correspondence.challenged');
  }

  /** @param {string} id */
  async accept(id) {
    const answer = await this.#do(`/challenges/${id}/accept`);
    if (answer.table) this.app.go(`/g/${answer.table}`);
  }

  /** @param {string} id */
  async decline(id) {
    await this.#do(`/challenges/${id}/decline`);
  }

  /** @param {number} days */
  async startVacation(days) {
    await this.#do('/vacation', { days }, 'correspondence.vacationBegun');
  }

  async endVacation() {
    await this.#do('/vacation/end', {}, 'correspondence.vacationEnded');
  }

  /** Shows the conditional moves of a game, or no longer. @param {string} [id] */
  async edit(id) {
    if (!id) return this.#change({ lines: undefined, problem: undefined, detail: undefined });
    const { code, lines } = await this.account.ask('GET', `/correspondence/games/${id}/conditional`);
    // An empty list would replace what was saved.
    this.#change({ lines: code ? undefined : { id, text: lines.join('\n') }, problem: code && `correspondence.problem.${code}`, detail: undefined, done: undefined });
  }

  /** @param {string} id @param {string} text a line in each line */
  async save(id, text) {
    const lines = text.split('\n').map((line) => line.trim()).filter(Boolean);
    this.#change({ lines: { id, text } });
    const answer = await this.#do(`/games/${id}/conditional`, { lines }, 'correspondence.saved');
    if (!answer.code) this.#change({ lines: undefined });
  }

  /** Turns notifications by this browser on or off. @param {boolean} wanted */
  async notify(wanted) {
    const code = await (wanted ? startNotifying : stopNotifying)(this.account);
    this.#change({ problem: code && `correspondence.problem.${code}`, detail: undefined, done: undefined, notifying: await notifying(this.account) });
  }

  /** @param {string} path @param {any} [body] @param {string} [done] @returns {Promise<any>} */
  async #do(path, body, done) {
    const answer = await this.account.ask('POST', `/correspondence${path}`, body);
    const { code, message } = answer;
    this.#change({ problem: code && `correspondence.problem.${code}`, detail: code === 'bad_move' ? message : undefined, done: code ? undefined : done });
    await this.#load();
    return answer;
  }

  /** @param {CorrespondencePage} changes */
  #change(changes) {
    if (!this.#isShown()) return;
    this.app.store.update((state) => ({ ...state, page: { ...state.page, ...changes } }));
  }
}
