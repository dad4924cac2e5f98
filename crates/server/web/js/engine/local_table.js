/** A game against the computer without a server: says what the server would say of a table. */

import { LOCAL } from '../core/local.js';
import { other } from '../core/table.js';
import { START } from '../game/pieces.js';
import { loadEngine } from '../net/ask.js';

/**
 * @import {Color, Message} from '../protocol.js'
 *
 * @typedef {object} Kept what is kept of a game
 * @property {number} game its number
 * @property {number} level
 * @property {number} seed of the computer
 * @property {Color} you
 * @property {string} fen where it began
 * @property {string[]} moves
 * @property {{result: string, reason: string} | null} over
 */

/** Where the browser keeps it. */
const STORED = 'checkers.localGame';
/** The computer takes at least so many milliseconds. */
const LEAST_MS = 400;

export class LocalTable {
  /** @type {Kept | null} */
  #game = readStored();
  #seq = 0;
  /** Counts what has happened, so that a move that comes too late is not played. */
  #count = 0;

  /** @param {(message: Message) => void} receive takes what is said @param {() => string} me the own name */
  constructor(receive, me) {
    this.receive = receive;
    this.me = me;
  }

  /** @param {Message} message what a player says */
  async take(message) {
    const isFirst = message.type === 'create_table' || message.type === 'watch';
    if (!this.#game && !isFirst) return;
    switch (message.type) {
      case 'create_table': return this.#create(message);
      case 'watch': case 'sync': return this.#show();
      case 'move': return this.#move(message);
      case 'resign': return this.#end(`${other(this.#kept.you)}_won`, 'resignation');
      case 'abort': return this.#end('interrupted', 'aborted');
      case 'offer_takeback': return this.#takeBack();
      case 'offer_draw': return this.#say({ type: 'declined', offer: 'draw', by: other(this.#kept.you) });
      case 'offer_rematch': return this.#begin({ ...this.#kept, game: this.#kept.game + 1, you: other(this.#kept.you), moves: [], over: null });
    }
  }

  /** @returns {Kept} */
  get #kept() {
    return /** @type {Kept} */ (this.#game);
  }

  /** @param {Message} wish */
  async #create({ bots, start_fen: fen = START }) {
    const you = bots.white ? 'black' : 'white';
    const { level } = bots[other(you)];
    const seed = Math.floor(Math.random() * 1e9);
    const known = await this.#ask([], fen);
    if (!known.startable) return this.receive({ type: 'error', code: known.code === 'unreachable' ? 'unreachable' : 'bad_table' });
    this.#seq = 0;
    this.#change({ game: (this.#game?.game ?? 0) + 1, level, seed, you, fen, moves: [], over: null });
    this.receive({ type: 'table_created', table: LOCAL });
    await this.#show();
  }

  /** @param {Kept} game */
  async #begin(game) {
    this.#seq = 0;
    this.#change(game);
    const known = await this.#ask();
    this.#say({ type: 'game_started', ...this.#state(known) });
    this.#goOn(known);
  }

  /** Says all that there is. */
  async #show() {
    if (!this.#game) return this.receive({ type: 'error', code: 'no_such_table', table: LOCAL });
    const { you, over } = this.#game;
    const known = await this.#ask();
    if (known.code) return this.receive({ ...known, type: 'error' });
    const [mine, theirs] = [{ name: this.me(), connected: true }, { name: this.#computer, connected: true, bot: this.#computer }];
    const seats = you === 'white' ? { white: mine, black: theirs } : { white: theirs, black: mine };
    const info = { id: LOCAL, kind: 'custom', visibility: 'link', draw_rules: 'fmjd64', casual: true, state: over ? 'over' : 'running', seats, watchers: 0, ply: known.played.length };
    this.receive({ type: 'table_state', table: LOCAL, you, info, state: this.#state(known) });
    this.#goOn(known);
  }

  get #computer() {
    return `level ${this.#kept.level}`;
  }

  /** @param {any} known */
  #state(known) {
    const { game, you, fen: start, over } = this.#kept;
    const [white, black] = you === 'white' ? [this.me(), this.#computer] : [this.#computer, this.me()];
    return { game, seq: this.#seq, white, black, start_fen: start, moves: known.played, fen: known.fen, ply: known.played.length, turn: known.turn, ...over };
  }

  /** @param {Message} message */
  async #move({ ply, move, game }) {
    const { moves, over } = this.#kept;
    if (game !== this.#kept.game || ply !== moves.length || over) return;
    await this.#play(move);
  }

  /** @param {string} move */
  async #play(move) {
    const { moves } = this.#kept;
    const known = await this.#ask([...moves, move]);
    if (moves !== this.#kept.moves) return;
    if (known.code) return this.receive({ type: 'error', code: 'illegal_move', table: LOCAL });
    this.#change({ moves: [...moves, move] });
    this.#say({ type: 'moved', played: known.played[moves.length], fen: known.fen, turn: known.turn });
    this.#goOn(known);
  }

  /** Whoever is to move does so, unless the game is over. @param {any} known */
  #goOn(known) {
    if (this.#kept.over) return;
    if (known.result) this.#end(known.result, known.reason, known);
    else if (known.turn !== this.#kept.you) this.#think(known.fen);
    else this.receive({ type: 'your_turn', table: LOCAL, game: this.#kept.game, ply: known.played.length, legal_moves: known.legal_moves });
  }

  /** @param {string} fen */
  async #think(fen) {
    const { level, seed, fen: start, moves } = this.#kept;
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
    const { moves, you, over } = this.#kept;
    const { turn } = await this.#ask();
    const ply = moves.length - (turn === you ? 2 : 1);
    if (over || ply < 0) return this.#say({ type: 'declined', offer: 'takeback', by: other(you) });
    this.#change({ moves: moves.slice(0, ply) });
    const known = await this.#ask();
    this.#say({ type: 'took_back', ply, fen: known.fen, turn: known.turn });
    this.#goOn(known);
  }

  /** @param {string} result @param {string} reason @param {any} [known] */
  async #end(result, reason, known) {
    if (this.#kept.over) return;
    this.#change({ over: { result, reason } });
    const { fen, played } = known ?? (await this.#ask());
    this.#say({ type: 'game_over', result, reason, fen, ply: played.length });
  }

  /** @param {Partial<Kept>} changes */
  #change(changes) {
    this.#count += 1;
    this.#game = { ...this.#kept, ...changes };
    try {
      localStorage.setItem(STORED, JSON.stringify(this.#game));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }

  /** Says what has happened in the game. @param {Message} message */
  #say(message) {
    this.#seq += 1;
    this.receive({ table: LOCAL, game: this.#kept.game, seq: this.#seq, ...message });
  }

  /** What is to be known of the position after some moves. @param {string[]} [moves] @param {string} [fen] where they began */
  async #ask(moves = this.#kept.moves, fen = this.#game?.fen) {
    const engine = await loadEngine();
    return (await engine?.ask({ about: 'legal', fen, moves: moves.join(' ') })) ?? { code: 'unreachable' };
  }
}

/** @returns {Kept | null} */
function readStored() {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? 'null');
  } catch {
    return null;
  }
}
