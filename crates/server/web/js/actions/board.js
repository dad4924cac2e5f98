/** Choosing, sending, preparing and taking back a move on the board. */

import { candidates, click, fromTo, movable, mustCapture, nextSquares } from '../game/input.js';
import { aloud, isTold, readCommand } from '../game/aloud.js';
import { moveText, typed } from '../game/typed.js';
import { withClockAtRest } from '../core/clocks.js';
import { isMine } from '../core/receive.js';
import { ownMoves, viewedTable } from '../core/state.js';
import { ask, asked } from '../net/ask.js';
import { boardView, seenPly, seenShapes } from '../game/view.js';
import { translator } from '../i18n/words.js';

/**
 * @import {App} from '../app.js'
 * @import {Choice} from '../game/input.js'
 * @import {State} from '../core/state.js'
 * @import {Translate} from '../i18n/words.js'
 */

/** So many arrows and circles are on the board at most. */
const MOST_SHAPES = 32;

/** @param {App} app */
export function boardActions(app) {
  const { store } = app;
  /** @param {Partial<State['board']>} changes */
  const board = (changes) => store.update((state) => ({ ...state, board: { ...state.board, ...changes } }));

  return {
    /** @param {string} square */
    click(square) {
      const { state } = store;
      if (state.route.name === 'editor') return app.study?.editor.put(square);
      const legal = ownMoves(state);
      if (!legal) return prepare(square);
      app.animator.finish();
      const chosen = click(legal, state.board.path, square, { finish: finishes(state) });
      if (chosen.play) return submit(chosen.play);
      const forced = chosen.refused && mustCapture(legal);
      board({
        path: chosen.path,
        refused: chosen.refused ? { code: forced ? 'forced' : 'typed.illegal', times: (state.board.refused?.times ?? 0) + 1 } : null,
      });
    },
    /** Whether a piece may be picked up there. @param {string} square */
    canPick(square) {
      const { state } = store;
      const legal = ownMoves(state);
      const { path } = state.board;
      if (legal) return path[path.length - 1] === square || (movable(legal).has(square) && path.length <= 1);
      return boardView(state, null).own != null && isOwn(state, square);
    },
    /** A piece is picked up by dragging: chosen, if it was not. @param {string} square */
    pick(square) {
      const legal = ownMoves(store.state);
      const { path } = store.state.board;
      if (legal) {
        if (path[path.length - 1] !== square) board({ path: [square], refused: null });
      } else choosePremove(square);
    },
    /** It is dropped. @param {string} square @param {string} from */
    drop(square, from) {
      if (!ownMoves(store.state)) return square === from ? board({ path: [] }) : prepare(square);
      if (square !== from || isNext(square)) this.click(square);
    },
    clear: () => board({ path: [], premove: null, refused: null, shapes: { ply: 0, squares: [] } }),
    erase: () => seenShapes(store.state).length > 0 && board({ shapes: { ply: 0, squares: [] } }),
    /** Draws an arrow, or a circle where both squares are one; what is there already goes. @param {string} from @param {string} to */
    mark(from, to) {
      const { state } = store;
      if (from === to && (state.board.path.length > 0 || state.board.premove)) return this.clear();
      const shape = from === to ? from : from + to;
      const others = seenShapes(state).filter((other) => other !== shape);
      const isThere = others.length < seenShapes(state).length;
      board({ shapes: { ply: seenPly(state), squares: isThere ? others : [...others, shape].slice(-MOST_SHAPES) } });
    },
    stepBack: () => board({ path: store.state.board.path.slice(0, -1) }),
    /** @param {string | null} square */
    focus: (square) => board({ focus: square }),
    /** A move or a command as text; says whether it was one. @param {string} text */
    type(text) {
      const t = translator(store.state.settings.lang);
      const command = readCommand(text);
      const typedProblem = command ? obey(command, t) : played(text, t);
      store.update((state) => ({ ...state, form: { ...state.form, typedProblem } }));
      return typedProblem == null;
    },
    /** Plays the move that was prepared, if it is possible; a piece in the hand that cannot move is put back. */
    playPrepared() {
      const { state } = store;
      const { premove, path } = state.board;
      const legal = ownMoves(state);
      if (legal && path.length > 0 && candidates(legal, path).length === 0) board({ path: [] });
      if (!premove || !legal) return;
      board({ premove: null });
      const choice = fromTo(legal, ...premove);
      if (choice) submit(choice);
      else app.notify('notice.premoveDropped');
    },
  };

  /** Plays a move that is typed, or says what is wrong with it. @param {string} text @param {Translate} t */
  function played(text, t) {
    const legal = ownMoves(store.state);
    if (!legal) return t('error.not_your_turn');
    const result = typed(legal, text);
    if (!('play' in result)) return t(`typed.${result.problem}`, { moves: 'fits' in result ? result.fits.join(', ') : '' });
    submit(result.play);
    return null;
  }

  /** Does what a command says, or says why not. @param {NonNullable<ReturnType<typeof readCommand>>} typed @param {Translate} t */
  function obey({ command, of }, t) {
    const { state } = store;
    if (command == null) return t('typed.command');
    if (isTold(command)) {
      app.notify('say.text', { text: aloud(command, { state, t, now: performance.now() }, of) });
      return null;
    }
    const table = viewedTable(state);
    if (!table || !isMine(table)) return t('error.not_seated');
    if (command === 'resign') app.act.open('resign');
    else app.act.offer(command);
    return null;
  }

  /** @param {string} square */
  function isNext(square) {
    const legal = ownMoves(store.state);
    return legal != null && nextSquares(legal, store.state.board.path).has(square);
  }

  /** A move for when the opponent has moved, from one square to another. @param {string} square */
  function prepare(square) {
    const { state } = store;
    if (boardView(state, null).own == null || state.board.pending) return;
    const [from] = state.board.path;
    if (from != null && square !== from && !isOwn(state, square)) board({ path: [], premove: isThought(from, square) ? [from, square] : null });
    else if (from === square) board({ path: [] });
    else if (isOwn(state, square)) choosePremove(square);
    else board({ path: [], premove: null });
  }

  /** Whether a move may be possible in the next turn; what is not known is. @param {string} from @param {string} to */
  function isThought(from, to) {
    const { premoves } = store.state.board;
    return premoves == null || premoves.moves.some((move) => move[0] === from && move[1] === to);
  }

  /** A piece to be moved in the next turn; the server says where to. @param {string} square */
  async function choosePremove(square) {
    board({ path: [square], premove: null });
    const game = viewedTable(store.state)?.game;
    if (!game || game.turn === viewedTable(store.state)?.you || store.state.board.premoves?.ply === game.ply) return;
    const { premoves } = await ask(asked('/api/premoves', { fen: game.fen }));
    if (premoves && viewedTable(store.state)?.game?.ply === game.ply) board({ premoves: { ply: game.ply, moves: premoves } });
  }

  /** @param {Choice} choice */
  function submit(choice) {
    const { state } = store;
    const table = viewedTable(state);
    if (!table?.game) return;
    if (state.route.name === 'analysis') return app.study?.play(choice);
    const text = moveText(choice.move, choice.route.squares);
    const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
    const sentAt = performance.now();
    const pending = { id, table: table.id, game: table.game.game, ply: table.game.ply, choice, text, sentAt };
    const touched = { ...state.board, path: [], pending, refused: null, premove: null };
    store.update((known) => ({ ...withClockAtRest(known, table.id, sentAt), board: touched }));
    app.sendPending();
  }
}

/** Whether a capture with one way left is played to its end at once. @param {State} state */
function finishes(state) {
  const { finish } = state.settings;
  const table = viewedTable(state);
  const isWithBot = table?.game != null && [table.game.white, table.game.black].some((name) => table.bots[name]);
  return finish === 'always' || (finish === 'bots' && isWithBot);
}

/** @param {State} state @param {string} square */
function isOwn(state, square) {
  const view = boardView(state, null);
  return view.pieces.some((piece) => piece.square === square && piece.color === view.own && piece.look === 'still');
}
