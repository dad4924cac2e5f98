/** Tournaments: gets what their pages show, and does what players and organisers want. */

import { ask, asked } from '../net/ask.js';

/**
 * @import {Account} from './account.js'
 * @import {App} from '../app.js'
 *
 * @typedef {'coming' | 'running' | 'paused' | 'over'} Stage
 * @typedef {{id: string, name: string, format: string, entrants: 'people' | 'bots', clock: string, speed: string, rated: boolean,
 *   openings: boolean, max_rating?: number, by_invitation: boolean, invitation?: string, starts_ms: number, ends_ms: number, stage: Stage,
 *   organiser?: string, players: number, event: string, round: number, rounds: number, games_per_pairing: number,
 *   wait_minutes: number, break_minutes: number}} TournamentEntry
 * @typedef {{place: number, name: string, points: number, scores: (number | null)[], wins: number, draws: number,
 *   streak: boolean, tie_breaks: number[], left: boolean}} TournamentPlayer
 * @typedef {'white_won' | 'draw' | 'black_won' | 'void'} Correction
 * @typedef {{game: string, table: string, state: 'waiting' | 'playing' | 'played' | 'by_default', result?: Correction}} BoardGame
 * @typedef {{white: string, black?: string, games: BoardGame[], until_ms?: number}} Board
 * @typedef {TournamentEntry & {games: number, standings: TournamentPlayer[], player?: TournamentPlayer,
 *   running: {table: string, white: string, black: string}[],
 *   pairings?: {round: number, drawn_ms: number, boards: Board[]}, code?: string}} Tournament
 *
 * @typedef {object} TournamentsPage what `state.page` is on these pages
 * @property {string} [key] the address it was asked for
 * @property {boolean} [isLoading]
 * @property {number} [asked] when it was last asked for
 * @property {{tournaments: TournamentEntry[], code?: string}} [tournaments]
 * @property {Tournament} [tournament]
 * @property {string} [invitation] of the tournament, for its organiser
 * @property {string} [format] what the form for a new one is about
 * @property {boolean} [isEnding] whether the organiser is asked to confirm the end
 * @property {string} [problem] what was wrong with the last request
 * @property {string} [done] what it has done
 * @property {boolean} [asOrganiser] whether the organiser made it
 */

/** A tournament in view is asked for again after so many milliseconds; less often once it has been over for a minute. */
const AGAIN_MS = 5000;
const OVER_MS = 60_000;

export class Tournaments {
  /** @param {App} app @param {Account} account */
  constructor(app, account) {
    this.app = app;
    this.account = account;
    setInterval(() => this.#again(), AGAIN_MS);
  }

  /** @returns {TournamentsPage} */
  get page() {
    return this.app.store.state.page;
  }

  /** Gets what the page lacks. */
  follow() {
    const { route, me } = this.app.store.state;
    if (route.name !== 'tournaments' && route.name !== 'tournament') return;
    const key = `${location.pathname} ${route.query.round ?? ''} ${me.name}`;
    if (this.page.key === key) return;
    this.app.store.update((state) => ({ ...state, page: { key, isLoading: true } }));
    this.#load();
  }

  /** Asks again for a tournament that is looked at. */
  #again() {
    const { route } = this.app.store.state;
    const { tournament, asked = 0 } = this.page;
    const isOver = tournament?.stage === 'over' && Date.now() > tournament.ends_ms + OVER_MS;
    if (isOver && Date.now() < asked + OVER_MS) return;
    if (route.name === 'tournament' && !document.hidden) this.#load();
  }

  async #load() {
    const { route, me } = this.app.store.state;
    const { key } = this.page;
    const isOne = route.name === 'tournament';
    const path = isOne ? `/${encodeURIComponent(route.id ?? '')}` : '';
    const answer = await ask(asked(`/api/tournaments${path}`, isOne ? { player: me.name, round: route.query.round } : {}));
    if (this.page.key !== key) return;
    this.#change({ isLoading: false, asked: Date.now() });
    // What is known stays while the server cannot be reached.
    if (answer.code && this.page.tournament?.id) return;
    this.#change({ [isOne ? 'tournament' : 'tournaments']: answer });
    const isOwn = isOne && answer.organiser === me.name && answer.by_invitation && this.page.invitation == null;
    if (!isOwn) return;
    const own = await this.account.ask('GET', '/tournaments');
    const invitation = own.tournaments?.find((/** @type {TournamentEntry} */ entry) => entry.id === answer.id)?.invitation;
    if (this.page.key === key) this.#change({ invitation });
  }

  /** @param {{[name: string]: any}} wanted */
  async create(wanted) {
    const made = await this.account.ask('POST', '/tournaments', wanted);
    if (made.id) this.app.go(`/tournament/${made.id}`);
    else this.#change({ problem: `tournament.problem.${made.code}` });
  }

  /** Waits for a game, and enters the tournament if need be. @param {string} id @param {string} [invitation] */
  async play(id, invitation) {
    const isIn = this.page.tournament?.player && !this.page.tournament.player.left;
    if (!isIn && !(await this.enter(id, invitation))) return;
    this.app.send({ type: 'quick', tournament: id });
  }

  /** @param {string} id @param {string} [invitation] @returns {Promise<boolean>} whether the player is in */
  async enter(id, invitation) {
    return this.#do(id, 'enter', invitation ? { invitation } : {});
  }

  /** @param {string} id */
  async leave(id) {
    await this.#do(id, 'leave', {}, 'tournament.hasLeft');
  }

  /** The organiser starts, pauses, resumes or ends the tournament. @param {string} id @param {'start' | 'pause' | 'resume' | 'end'} change */
  async change(id, change) {
    this.#change({ isEnding: false });
    await this.#do(id, change, {});
  }

  /** @param {string} format */
  choose(format) {
    this.#change({ format });
  }

  /** @param {boolean} isEnding */
  askToEnd(isEnding) {
    this.#change({ isEnding });
  }

  /** @param {string} id @param {string} player */
  async remove(id, player) {
    await this.#do(id, 'remove', { player: player.trim() }, 'tournament.removed');
  }

  /** @param {string} id @param {string} game its address or its id @param {string} result */
  async correct(id, game, result) {
    const found = /([\w-]+-\d+)\/?(#\d+)?$/.exec(game.trim());
    await this.#do(id, 'correct', { game: found?.[1] ?? game.trim(), result }, 'tournament.corrected');
  }

  /** @param {string} id @param {string} action @param {any} body @param {string} [done] */
  async #do(id, action, body, done) {
    const answer = await this.account.ask('POST', `/tournaments/${id}/${action}`, body);
    const asOrganiser = action !== 'enter' && action !== 'leave';
    this.#change({ asOrganiser, problem: answer.code && `tournament.problem.${answer.code}`, done: answer.code ? undefined : done });
    await this.#load();
    return answer.code == null;
  }

  /** @param {Partial<TournamentsPage>} changes */
  #change(changes) {
    const { name } = this.app.store.state.route;
    if (name !== 'tournaments' && name !== 'tournament') return;
    this.app.store.update((state) => ({ ...state, page: { ...state.page, ...changes } }));
  }
}
