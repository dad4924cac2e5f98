/** A game against the computer without a server: it sends the messages that the server would send about a table. */

import { LOCAL } from '../core/local.js';
import { other } from '../core/table.js';
import { START } from '../game/pieces.js';
import { loadEngine } from '../net/ask.js';

/**
 * @import {Color, Message} from '../protocol.js'
 *
 * @typedef {object} LocalGame as the browser stores it
 * @property {number} game its number
 * @property {number} level
 * @property {number} seed of the computer
 * @property {Color} you
 * @property {string} fen where it began
 * @property {string[]} moves
 * @property {{result: string, reason: string} | null} over
 */

/** The key in the browser's storage. */
const STORED = 'checkers.localGame';
/** The computer takes at least so many milliseconds. */
const LEAST_MS = 400;

export class LocalTable {
  /** @type {LocalGame | null} */
  #game = readStored();
  #seq = 0;
  /** Counts what has happened, so that a move that comes too late is not played. */
  #count = 0;

  /** @param {(message: Message) => void} receive takes messages from the table @param {() => string} me the own name */
  constructor(receive, me) {
    this.receive = receive;
    this.me = me;
  }

  /** @param {Message} message of the player */
  async handle(message) {
    const isFirst = message.type === 'create_table' || message.type === 'watch';
    if (!this.#game && !isFirst) return;
    switch (message.type) {
      case 'create_table': return this.#create(message);
      case 'watch': case 'sync': return this.#show();
      case 'move': return this.#move(message);
      case 'resign': return this.#end(`${other(this.#current.you)}_won`, 'resignation');
      case 'abort': return this.#end('interrupted', 'aborted');
      case 'offer_takeback': return this.#takeBack();
      case 'offer_draw': return this.#publish({ type: 'declined', offer: 'draw', by: other(this.#current.you) });
      case 'offer_rematch': return this.#begin({ ...this.#current, game: this.#current.game + 1, you: other(this.#current.you), moves: [], over: null });
    }
  }

  /** @returns {LocalGame} */
  get #current() {
    return /** @type {LocalGame} */ (this.#game);
  }

  /** @param {Message} wish */
  async #create({ bots, start_fen: fen = START }) {
    const you = bots.white ? 'black' : 'white';
    const { level } = bots[other(you)];
    const seed = Math.floor(Math.random() * 1e9);
    const known = await this.#legal([], fen);
    if (!known.startable) return this.receive({ type: 'error', code: known.code === 'unreachable' ? 'unreachable' : 'bad_table' });
    this.#seq = 0;
    this.#change({ game: (this.#game?.game ?? 0) + 1, level, seed, you, fen, moves: [], over: null });
    this.receive({ type: 'table_created', table: LOCAL });
    await this.#show();
  }

  /** @param {LocalGame} game */
  async #begin(game) {
    this.#seq = 0;
    this.#change(game);
    const known = await this.#legal();
    this.#publish({ type: 'game_started', ...this.#state(known) });
    this.#askForMove(known);
  }

  /** Sends the whole state. */
  async #show() {
    if (!this.#game) return this.receive({ type: 'error', code: 'no_such_table', table: LOCAL });
    const { you, over } = this.#game;
    const known = await this.#legal();
    if (known.code) return this.receive({ ...known, type: 'error' });
    const [mine, theirs] = [{ name: this.me(), connected: true }, { name: this.#computer, connected: true, bot: this.#computer }];
    const seats = you === 'white' ? { white: mine, black: theirs } : { white: theirs, black: mine };
    const info = { id: LOCAL, kind: 'custom', visibility: 'link', draw_rules: 'fmjd64', casual: true, state: over ? 'over' : 'running', seats, watchers: 0, ply: known.played.length };
    this.receive({ type: 'table_state', table: LOCAL, you, info, state: this.#state(known) });
    this.#askForMove(known);
  }

  get #computer() {
    return `level ${this.#current.level}`;
  }

  /** @param {any} known */
  #state(known) {
    const { game, you, fen: start, over } = this.#current;
    const [white, black] = you === 'white' ? [this.me(), this.#computer] : [this.#computer, this.me()];
    return { game, seq: this.#seq, white, black, start_fen: start, moves: known.played, fen: known.fen, ply: known.played.length, turn: known.turn, ...over };
  }

  /** @param {Message} message */
  async #move({ ply, move, game }) {
    const { moves, over } = this.#current;
    if (game !== this.#current.game || ply !== moves.length || over) return;
    await this.#play(move);
  }

  /** @param {string} move */
  async #play(move) {
    const { moves } = this.#current;
    const known = await this.#legal([...moves, move]);
    if (moves !== this.#current.moves) return;
    if (known.code) return this.receive({ type: 'error', code: 'illegal_move', table: LOCAL });
    this.#change({ moves: [...moves, move] });
    this.#publish({ type: 'moved', played: known.played[moves.length], fen: known.fen, turn: known.turn });
    this.#askForMove(known);
  }

  /** Asks the side to move for its move, unless the game is over. @param {any} known */
  #askForMove(known) {
    if (this.#current.over) return;
    if (known.result) this.#end(known.result, known.reason, known);
    else if (known.turn !== this.#current.you) this.#think(known.fen);
    else this.receive({ type: 'your_turn', table: LOCAL, game: this.#current.game, ply: known.played.length, legal_moves: known.legal_moves });
  }

  /** @param {string} fen */
  async #think(fen) {
    const { level, seed, fen: start, moves } = this.#current;
    this.#count += 1;
    const count = this.#count;
    const pause = new Promise((done) => setTimeout(done, LEAST_MS));
    const engine = await loadEngine();
    const choice = await engine?.search({ about: 'choice', bot: `level:${level}`, seed, fen: start, moves: moves.join(' ') }, fen, () => {});
    await pause;
    if (count === this.#count && choice?.move) await this.#play(choice.move);
  }

  /** Back to before the own last move. */
  async #takeBack() {
    const { moves, you, over } = this.#current;
    const { turn } = await this.#legal();
    const ply = moves.length - (turn === you ? 2 : 1);
    if (over || ply < 0) return this.#publish({ type: 'declined', offer: 'takeback', by: other(you) });
    this.#change({ moves: moves.slice(0, ply) });
    const known = await this.#legal();
    this.#publish({ type: 'took_back', ply, fen: known.fen, turn: known.turn });
    this.#askForMove(known);
  }

  /** @param {string} result @param {string} reason @param {any} [known] */
  async #end(result, reason, known) {
    if (this.#current.over) return;
    this.#change({ over: { result, reason } });
    const { fen, played } = known ?? (await this.#legal());
    this.#publish({ type: 'game_over', result, reason, fen, ply: played.length });
  }

  /** @param {Partial<LocalGame>} changes */
  #change(changes) {
    this.#count += 1;
    this.#game = { ...this.#current, ...changes };
    try {
      localStorage.setItem(STORED, JSON.stringify(this.#game));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }

  /** Sends an event of the game. @param {Message} message */
  #publish(message) {
    this.#seq += 1;
    this.receive({ table: LOCAL, game: this.#current.game, seq: this.#seq, ...message });
  }

  /** The legal moves after some moves, as the API returns them. @param {string[]} [moves] @param {string} [fen] where they began */
  async #legal(moves = this.#current.moves, fen = this.#game?.fen) {
    const engine = await loadEngine();
    return (await engine?.ask({ about: 'legal', fen, moves: moves.join(' ') })) ?? { code: 'unreachable' };
  }
}

/** @returns {LocalGame | null} */
function readStored() {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? 'null');
  } catch {
    return null;
  }
}
