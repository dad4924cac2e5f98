/** Finished games: gets what their pages show. */

import { wantedGames } from '../core/records.js';
import { ask, asked } from '../net/ask.js';

/**
 * @import {Account} from './account.js'
 * @import {App} from '../app.js'
 * @import {Correspondence} from './correspondence.js'
 * @import {Tournaments} from './tournaments.js'
 * @import {Part, Tally} from '../core/records.js'
 *
 * @typedef {object} ListedGame
 * @property {string} id
 * @property {{name: string, bot?: string}} white
 * @property {{name: string, bot?: string}} black
 * @property {string} [white_clock]
 * @property {string} [black_clock]
 * @property {number} plies
 * @property {string} result
 * @property {string} reason
 * @property {number} ended_ms
 *
 * @typedef {{games: ListedGame[], next?: string, count?: number, code?: string}} GameList
 *   with a `code` if something is wrong
 * @typedef {{name: string, white: Tally, black: Tally, first_ms: number, last_ms: number, opponents: Part[],
 *   bots: Part[], clocks: Part[], periods: Part[], openings: {white: Part[], black: Part[]}, reasons: Part[],
 *   endings: {won: Tally, drawn: Tally, lost: Tally, moves: number, lost_per_100?: number}, ratings?: PlayerRating[], code?: string}} PlayerRecord
 *
 * @typedef {{rating: number, deviation: number, provisional: boolean, games: number}} Rating
 * @typedef {Rating & {speed: string, percentile?: number, isolated: boolean, history: {at_ms: number, rating: number}[]}} PlayerRating
 * @typedef {{players: (Rating & {name: string})[], code?: string}} Leaderboard
 *
 * @typedef {{name: string, server: boolean, rating?: number, low?: number, high?: number, ending_moves: number,
 *   ending_lost?: number, won: number, drawn: number, lost: number}} LadderPlayer
 * @typedef {{season: string, private?: {name: string, until_ms: number}, speed: string, event: string, games: number, players: LadderPlayer[], code?: string}} LadderStandings
 *
 * @typedef {object} RecordsPage what `state.page` is on these pages
 * @property {string} [key] the address it was asked for
 * @property {boolean} [isLoading]
 * @property {GameList} [list]
 * @property {PlayerRecord} [player]
 * @property {Leaderboard} [best]
 * @property {LadderStandings} [ladder]
 */

/** A player's page shows so many games. */
const RECENT = 10;

export class Records {
  /** @param {App} app @param {Account} account @param {Tournaments} tournaments @param {Correspondence} correspondence */
  constructor(app, account, tournaments, correspondence) {
    this.app = app;
    this.account = account;
    this.tournaments = tournaments;
    this.correspondence = correspondence;
  }

  /** Gets what the page in view lacks. */
  follow() {
    this.account.follow();
    this.tournaments.follow();
    this.correspondence.follow();
    const { route, page } = this.app.store.state;
    if (!['games', 'player', 'ratings'].includes(route.name)) return;
    const key = location.pathname + location.search;
    if (page.key !== key) this.#load(key);
  }

  /** Asks once more. */
  again() {
    this.#load(location.pathname + location.search);
  }

  /** @param {string} key */
  async #load(key) {
    const { route } = this.app.store.state;
    this.#change({ key, isLoading: true });
    if (route.name === 'ratings') {
      const { speed = 'rapid', of, season } = route.query;
      const isLadder = of === 'ladder';
      const answer = await ask(isLadder
        ? asked(`/api/ladder/${encodeURIComponent(speed)}`, { season })
        : asked(`/api/ratings/${encodeURIComponent(speed)}`, { bots: of === 'bots' ? 'true' : '' }));
      if (this.app.store.state.page.key === key) this.#change({ isLoading: false, [isLadder ? 'ladder' : 'best']: answer });
      return;
    }
    const isList = route.name === 'games';
    const wanted = isList ? wantedGames(route.query) : { player: route.id, limit: RECENT };
    const [list, player] = await Promise.all([
      ask(asked('/api/games', wanted)),
      isList ? undefined : ask(`/api/players/${encodeURIComponent(route.id ?? '')}`),
    ]);
    if (this.app.store.state.page.key === key) this.#change({ isLoading: false, list, player });
  }

  /** @param {RecordsPage} changes */
  #change(changes) {
    this.app.store.update((state) => ({ ...state, page: { ...state.page, ...changes } }));
  }
}
