/**
 * Lets pieces travel: which position is drawn while moves come in, one after the other.
 *
 * Moves are shown in their order and never at the same time. Whoever is more than one behind, after
 * an absence say, sees the newest position at once.
 */

import { sideBelow, viewedTable } from '../core/state.js';
import { middle } from '../game/squares.js';

/**
 * @import {App} from '../app.js'
 * @import {Frame} from '../game/view.js'
 * @import {State} from '../core/state.js'
 */

const HOP_MS = 170;
const LONGEST_HOPS = 8;
const MOST_BEHIND = 1;
/** A computer's answer is not shown sooner than this after the own move, in milliseconds. */
const ANSWER_MS = 320;

export class Animator {
  /** @type {string} the game that is drawn */
  #game = '';
  /** @type {number} how many of its moves are drawn */
  #ply = 0;
  #moving = false;
  #wasShown = false;
  #ownAt = 0;
  /** @type {Animation | null} */
  #animation = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** What to draw for a state. @param {State} state @returns {Frame | null} */
  frame(state) {
    const table = viewedTable(state);
    const game = table?.game;
    if (!table || !game) {
      this.#jump('', 0);
      return null;
    }
    const key = `${table.id}/${game.game}`;
    const target = state.board.viewPly ?? game.ply;
    const behind = target - this.#ply;
    if (key !== this.#game || behind < 0 || behind > MOST_BEHIND || !this.#isWanted(state)) {
      this.#jump(key, target);
    } else if (behind > 0 && !this.#moving && !this.#timer) {
      const own = game.moves[this.#ply]?.color === table.you;
      if (own && state.board.viewPly == null && this.#wasShown) {
        this.#ownAt = performance.now();
        this.#jump(key, this.#ply + 1);
        return this.frame(state);
      }
      this.#schedule(own);
    }
    return { ply: Math.min(this.#ply, target), moving: this.#moving };
  }

  /** The own move has been shown while it was on its way to the server. */
  shown() {
    this.#wasShown = true;
  }

  /** Ends what is on its way. */
  finish() {
    if (this.#moving || this.#timer) this.#done();
  }

  /** After drawing: sets the piece that moves in motion. @param {State} state */
  drawn(state) {
    if (!this.#moving || this.#animation) return;
    const move = viewedTable(state)?.game?.moves[this.#ply - 1];
    const to = move?.squares[move.squares.length - 1];
    const piece = to && document.querySelector(`.board .piece[data-at="${to}"]:not(.ghost)`);
    if (!move || !piece) return this.#done();
    const flipped = sideBelow(state) === 'black';
    const places = move.squares.map((square) => middle(square, flipped)).map(({ x, y }) => `translate(${x}px, ${y}px)`);
    const hops = Math.min(places.length - 1, LONGEST_HOPS);
    this.#animation = piece.animate(places.map((transform) => ({ transform, easing: 'ease-in-out' })), { duration: HOP_MS * hops });
    this.#animation.onfinish = () => this.#done();
  }

  /** @param {boolean} own */
  #schedule(own) {
    const wait = own ? 0 : Math.max(0, this.#ownAt + ANSWER_MS - performance.now());
    if (wait > 0) this.#timer = setTimeout(() => this.#begin(), wait);
    else this.#begin(false);
  }

  #begin(redraw = true) {
    this.#timer = undefined;
    this.#ply += 1;
    this.#moving = true;
    if (redraw) this.app.redraw();
  }

  #done() {
    this.#stop();
    this.app.redraw();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#animation) {
      this.#animation.onfinish = null;
      this.#animation.cancel();
    }
    this.#animation = null;
    this.#moving = false;
  }

  /** @param {string} game @param {number} ply */
  #jump(game, ply) {
    this.#stop();
    this.#wasShown = false;
    this.#game = game;
    this.#ply = ply;
  }

  /** @param {State} state */
  #isWanted(state) {
    return state.settings.animate && !document.hidden && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  }
}
