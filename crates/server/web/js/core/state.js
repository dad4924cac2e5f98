/** Everything the page knows. Renderers are functions of it, and nothing is kept elsewhere. */

import { other } from './table.js';

/**
 * @import {Color, LegalMove, TableInfo} from '../protocol.js'
 * @import {Choice} from '../game/input.js'
 * @import {Route} from './route.js'
 * @import {Settings} from './settings.js'
 * @import {Table} from './table.js'
 * @import {Unfinished} from './unfinished.js'
 * @import {Evaluation} from '../game/tree.js'
 *
 * @typedef {'connecting' | 'online' | 'slow' | 'lost' | 'replaced' | 'restarting' | 'full' | 'outdated' | 'off'} Link
 * @typedef {{status: Link, rtt: number | null, retryAt: number | null, attempt: number}} Connection
 *   `rtt` in milliseconds; `retryAt` in local time
 *
 * @typedef {{id: string, table: string, game: number, ply: number, choice: Choice, text: string,
 *   sentAt: number}} Pending a move that has been sent and not been confirmed
 *
 * @typedef {object} BoardState how the board in view is looked at and touched
 * @property {boolean} flipped whether it is turned around from how it would be
 * @property {string[]} path the squares of the move that is being chosen
 * @property {number | null} viewPly an earlier position that is looked at; `null` is the latest
 * @property {Pending | null} pending
 * @property {[string, string] | null} premove
 * @property {{ply: number, moves: [string, string][]} | null} premoves what may be possible in the next
 *   turn, as far as the server has been asked
 * @property {{code: string, times: number} | null} refused why the last try was no move
 * @property {string | null} focus the square with the keyboard's focus
 * @property {{ply: number, squares: string[]}} shapes what is drawn on the position after `ply` moves: a circle
 *   is a square, an arrow is two, such as `c3d4`
 *
 * @typedef {{name: string, [field: string]: any}} Dialog the one that is open
 * @typedef {{key: string, params?: {[name: string]: any}, times: number}} Notice
 *
 * @typedef {object} State
 * @property {Route} route
 * @property {Settings} settings
 * @property {Connection} connection
 * @property {{name: string, joined: boolean, token: string | null, wish?: string | null, account?: boolean,
 *   registration?: 'open' | 'invitation' | 'closed' | null, recovery?: string[], quickClock?: string}} me `wish`: the name that you want instead;
 *   `account`: unknown until the server has said it;
 *   `registration`: who may have an account, if anybody; `recovery`: new codes, which are shown this once;
 *   `quickClock`: the clock of a quick game for which none is chosen
 * @property {{tables: TableInfo[], open: number, live: number, players: number, quick?: string[], quick_rated?: string[], known: boolean}} lobby
 * @property {{clock: string | null, rated: boolean, tournament?: string} | null} queue waiting for a quick game, or one of a tournament
 * @property {{table: string, by: string, info: TableInfo}[]} challenges
 * @property {{[id: string]: Table}} tables
 * @property {string | null} tv the table that the server shows
 * @property {Table | null} held the table in view as it was, for who browses in its last game while the
 *   next one has begun
 * @property {{[id: string]: 'loading' | 'missing'}} archive games that are looked for
 * @property {BoardState} board
 * @property {Dialog | null} dialog
 * @property {Notice | null} notice
 * @property {boolean} unreachable whether what is loaded later cannot be had now
 * @property {{[name: string]: any}} form what is chosen and typed and has not been sent
 * @property {{[name: string]: any}} page what the page of the route keeps for itself
 * @property {boolean} kept whether the browser remembers who you are
 * @property {{[name: string]: {rating: number, provisional: boolean, change: number | null}}} ratings of those who play
 *   rated games, with what the last game has changed
 * @property {{[game: string]: Unfinished}} unfinished own games whose end nobody here has seen, by their ids
 * @property {number} turns games by correspondence, and challenges to them, that wait for the player
 * @property {{key: string, evaluations: Evaluation[]} | null} live how a game of bots goes, by ply
 */

/** @returns {BoardState} */
export function freshBoard() {
  return {
    flipped: false, path: [], viewPly: null, pending: null, premove: null, premoves: null,
    refused: null, focus: null, shapes: { ply: 0, squares: [] },
  };
}

/**
 * @param {Route} route
 * @param {Settings} settings
 * @returns {State}
 */
export function initialState(route, settings) {
  return {
    route,
    settings,
    connection: { status: 'connecting', rtt: null, retryAt: null, attempt: 0 },
    me: { name: settings.name, joined: false, token: null },
    lobby: { tables: [], open: 0, live: 0, players: 0, known: false },
    queue: null,
    challenges: [],
    tables: {},
    tv: null,
    held: null,
    archive: {},
    board: freshBoard(),
    dialog: null,
    notice: null,
    unreachable: false,
    form: {},
    page: {},
    live: null,
    kept: true,
    unfinished: {},
    ratings: {},
    turns: 0,
  };
}

/** The id of the table whose board is in view. @param {State} state @returns {string | null} */
export function viewedId(state) {
  const { name, id } = state.route;
  if (name === 'game' || name === 'embed') return id;
  return name === 'lobby' || name === 'tv' ? state.tv : null;
}

/** The table whose board is in view. @param {State} state @returns {Table | null} */
export function viewedTable(state) {
  if (state.route.name === 'analysis') return state.page.table ?? null;
  if (state.held) return state.held;
  const id = viewedId(state);
  return id == null ? null : state.tables[id] ?? null;
}

/** Whether bots of the server play on both sides. @param {Table} table */
export function isOfBots({ game, bots }) {
  return game != null && bots[game.white] != null && bots[game.black] != null;
}

/** Whether what the engine thinks of the game is shown: never while a person plays it. @param {Table} table */
export function isJudged(table) {
  return isOfBots(table) || table.game?.result != null;
}

/** Whether the server can be spoken to. @param {State} state */
export function isOnline(state) {
  const { status } = state.connection;
  return state.me.joined && (status === 'online' || status === 'slow');
}

/**
 * The legal moves, if it is the own turn in the game in view and the latest position is looked at.
 * @param {State} state
 * @returns {LegalMove[] | null}
 */
export function ownMoves(state) {
  const table = viewedTable(state);
  const { board } = state;
  if (!table?.game || !table.legal || state.route.name !== 'analysis' && (table.game.result != null || state.route.name !== 'game')) return null;
  if (board.pending || board.viewPly != null || table.legal.ply !== table.game.ply) return null;
  return table.legal.moves;
}

/** The side that is drawn below. @param {State} state @returns {Color} */
export function sideBelow(state) {
  const own = viewedTable(state)?.you ?? 'white';
  return state.board.flipped ? other(own) : own;
}
