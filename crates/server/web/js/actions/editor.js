/** Setting a position up, piece by piece. */

import { fenOf, readFen, START } from '../game/pieces.js';
import { isDark } from '../game/squares.js';
import { ask, asked } from '../net/ask.js';

/**
 * @import {App} from '../app.js'
 * @import {Color} from '../protocol.js'
 * @import {Piece} from '../game/pieces.js'
 * @import {Problem} from '../core/problem.js'
 *
 * @typedef {{pieces: Piece[], turn: Color, brush: number, fen: string, problem: Problem | null,
 *   checked: string, legal: boolean}} EditorPage `fen` of what stands there; `checked`: the last one of which the
 *   server has said what is wrong with it, and whether it is a position at all
 */

/** Who cannot be reached is asked again after so many milliseconds. */
const CHECK_AGAIN_MS = 1500;

/** What is put on a square: nothing, or a piece of a colour. @type {([Color, boolean] | null)[]} */
export const BRUSHES = [['white', false], ['white', true], ['black', false], ['black', true], null];

/** The pieces after one has been put down; the same one on its square is taken off. @param {Piece[]} pieces @param {string} square @param {number} brush */
export function put(pieces, square, brush) {
  const chosen = BRUSHES[brush];
  const old = pieces.find((piece) => piece.square === square);
  const rest = pieces.filter((piece) => piece !== old);
  if (!chosen || !isDark(square)) return rest;
  const [color, king] = chosen;
  if (old?.color === color && old.king === king) return rest;
  return [...rest, { id: square, square, color, king }];
}

/** Why no game can start in a position, by what the server says of it. @param {any} answer @returns {Problem | null} */
export function problemOf(answer) {
  if (answer.code) return answer;
  if (answer.startable) return null;
  const { reason } = answer;
  return { code: 'unstartable', detail: reason && reason !== 'no_pieces' ? { kind: 'over', reason } : { kind: 'no_pieces' } };
}

/** @param {App} app */
export function setUp(app) {
  const { store } = app;
  let asking = '';
  const page = () => /** @type {EditorPage} */ (/** @type {any} */ (store.state.page));
  /** @param {Partial<EditorPage>} changes */
  const change = (changes) => store.update((state) => {
    const next = /** @type {any} */ ({ ...state.page, ...changes });
    return { ...state, page: { ...next, fen: fenOf(next.pieces, next.turn) } };
  });
  return {
    /** Begins with the position of the address, and has the server look at what is new. */
    follow() {
      if (!page().pieces) {
        const { pieces, turn } = readFen(store.state.route.query.fen ?? START);
        change({ pieces, turn, brush: 0, problem: null, checked: '', legal: false });
      } else if (page().checked !== page().fen) this.check();
    },
    async check() {
      const { fen } = page();
      if (asking === fen) return;
      asking = fen;
      const answer = await ask(asked('/api/legal', { fen }));
      const again = answer.code === 'unreachable';
      if (page().fen === fen) change({ problem: problemOf(answer), ...(!again && { checked: fen, legal: !answer.code }) });
      setTimeout(() => {
        if (asking === fen) asking = '';
        if (again) app.follow();
      }, again ? CHECK_AGAIN_MS : 0);
    },
    /** @param {string} square */
    put: (square) => change({ pieces: put(page().pieces, square, page().brush) }),
    /** @param {Partial<EditorPage>} changes */
    change,
    /** @param {string} text */
    async read(text) {
      const answer = await ask(asked('/api/legal', { fen: text }));
      if (answer.code) change({ problem: answer });
      else change(readFen(answer.fen));
    },
    clear: () => change({ pieces: [] }),
    start: () => change(readFen(START)),
    /** Whether the key means something. @param {string} key */
    key(key) {
      const brush = ['1', '2', '3', '4', 'e'].indexOf(key);
      if (brush >= 0) change({ brush });
      else if (key === 'c') this.clear();
      else if (key === 'f') app.act.flip();
      else return false;
      return true;
    },
  };
}
