/** Looking back on a game: positions, variations, and what the server says of them. */

import { branch, newTree, notedTree, grow, learnt, line, markedFrom, movesTo, path, tellsMore, through, written } from '../game/tree.js';
import { readFen, START } from '../game/pieces.js';
import { emptyTable, other } from '../core/table.js';
import { gameTable, nodeAt, openedTable, readMoves, readTable, studyAddress } from '../core/line.js';
import { ask, asked, askLines } from '../net/ask.js';
import { withSaved } from './conditional.js';
import { setUp } from './editor.js';
import { Files } from './files.js';
import { liveFollower } from './live.js';
import { Thinking } from './thinking.js';

/**
 * @import {App} from '../app.js'
 * @import {PlayedMove} from '../protocol.js'
 * @import {Choice} from '../game/input.js'
 * @import {Route} from '../core/route.js'
 * @import {Table} from '../core/table.js'
 * @import {Evaluation, Node, Tree} from '../game/tree.js'
 * @import {Problem} from '../core/problem.js'
 * @import {OpenedFile} from './files.js'
 *
 * @typedef {object} StudyPage
 * @property {string} key the address it was made for
 * @property {string} search what the address says now
 * @property {Route} route the last one that was followed
 * @property {number} opened how many nodes there were at first
 * @property {Tree} tree
 * @property {number} at the node in view
 * @property {Table} table the way to it as a table, for the board
 * @property {PlayedMove[]} whole the line in view to its end
 * @property {string} link where that line is found again
 * @property {string | null} id of the game in the archive
 * @property {Problem | null} problem
 * @property {OpenedFile | null} file the text of several games that was opened last
 * @property {{tags: {[name: string]: string}, result: string} | null} imported what a text says of the game
 * @property {{code: string} | null} silent why there is no evaluation
 * @property {boolean} isLoading
 * @property {number} lines how many of the best moves are shown
 * @property {boolean} isEndless whether the engine looks at the position in view until another one is
 * @property {boolean} [hasSaved] whether the conditional moves that were saved are on the board
 * @property {boolean} isQuiet whether what the engine thinks is hidden, and not asked for position by position
 */

/** And at each position of a game. */
const TIME_IN_GAME = 100;
/** Who is busy is asked again after so many milliseconds. */
const AGAIN_MS = 1500;
/** The address follows so many milliseconds after the last step: browsers refuse many changes in a row. */
const ADDRESS_MS = 50;
/** Tables of endings have no more pieces than this. */
const MOST_IN_TABLES = 7;

export class Study {
  /** What is being asked, so that it is asked once. @type {Set<string>} */
  #asking = new Set();
  #stop = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #addressing;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.editor = setUp(app);
    this.live = liveFollower(app);
    this.files = new Files();
    this.thinking = new Thinking(app, (key, at, evaluation) => this.#evaluated(key, at, evaluation), (key, silent) => this.#page().key === key && this.#change({ silent }));
  }

  /** Gets what the page in view lacks. */
  follow() {
    const { route, page } = this.app.store.state;
    if (route.name === 'analysis' || route.name === 'editor') this.live.rest();
    if (route.name !== 'analysis') this.thinking.rest();
    if (route.name === 'editor') this.editor.follow();
    else if (route.name !== 'analysis') this.live.follow();
    else if (page.key == null || (page.route !== route && page.search !== location.search)) this.#load(location.search);
    else if (!page.isLoading && page.route !== route) this.#show({ .../** @type {StudyPage} */ (/** @type {any} */ (page)), route, at: through(page.tree, page.at)[route.ply ?? -1] ?? page.at });
    else if (!page.isLoading) this.#look();
  }

  /** Plays a move on the board: a variation, if it is not the game's. @param {Choice} choice */
  play({ move, route }) {
    const page = this.#page();
    const { turn, ply } = /** @type {NonNullable<Table['game']>} */ (page.table.game);
    /** @type {PlayedMove} */
    const played = { ply, color: turn, move: move.move, squares: route.squares, captures: route.captures, promotes: move.promotes, elapsed_ms: 0 };
    this.#show({ ...page, ...grow(page.tree, page.at, played) });
  }

  /** Looks at a node. @param {number} at */
  at(at) {
    this.#show({ ...this.#page(), at });
  }

  /** Looks at the position after so many moves of the line in view. @param {number} ply */
  view(ply) {
    const { tree, at } = this.#page();
    const way = through(tree, at);
    this.at(way[Math.max(0, Math.min(way.length - 1, ply))] ?? 0);
  }

  /** Goes to the next marked move, or the last one before. @param {1 | -1} step @returns {boolean} whether there is one */
  mistake(step) {
    const { tree, at, isQuiet } = this.#page();
    const to = tree && !isQuiet ? markedFrom(tree, at, step) : null;
    if (to != null) this.at(to);
    return to != null;
  }

  /** Plays the best move that the server has found. @returns {boolean} whether it has found one */
  playBest() {
    const { tree, at } = this.#page();
    const best = tree?.[at]?.evaluation?.lines[0];
    if (best) this.follows(best.moves.slice(0, 1));
    return best != null;
  }

  /** Hides what the engine thinks, or shows it again. */
  toggle() {
    this.#change({ isQuiet: !this.#page().isQuiet });
  }

  /** Shows so many of the best moves. @param {number} lines */
  showLines(lines) {
    this.#change({ lines });
  }

  /** Has the engine go on with the position in view without end, or not. */
  toggleEndless() {
    this.#change({ isEndless: !this.#page().isEndless });
  }

  /** Says what the other side would play if it were to move. */
  async threat() {
    const { tree, at } = this.#page();
    const moves = await this.thinking.threat(tree?.[at]?.fen ?? null);
    if (moves) this.app.notify(moves.length > 0 ? 'study.threat' : 'study.noThreat', { moves: moves.slice(0, 3).join(' ') });
  }

  /** Plays a line that the server has found, and shows it after so many moves. @param {string[]} moves @param {number} [ply] @param {number} [from] */
  async follows(moves, ply = 1, from = this.#page().at) {
    const { key, tree, table } = this.#page();
    const played = await readMoves(table.game?.start_fen, tree, from, moves);
    if (!played || this.#page().key !== key) return;
    const grown = branch(this.#page().tree, from, played);
    this.#show({ ...this.#page(), tree: grown.tree, at: nodeAt(grown.tree, grown.at, path(tree, from).length - 1 + ply) });
  }

  /** Opens a text, or a game of the last one, and shows what was read or what is wrong with it. @param {(files: Files) => Promise<any>} how */
  async open(how) {
    const answer = await how(this.files);
    if (answer.code) return this.#change({ problem: answer });
    this.app.go(this.files.path);
    // The same moves may have other notes.
    if (!this.#page().isLoading) this.#load(location.search);
  }

  /** @returns {StudyPage} */
  #page() {
    return /** @type {any} */ (this.app.store.state.page);
  }

  /** @param {Partial<StudyPage>} changes */
  #change(changes) {
    this.app.store.update((state) => ({ ...state, page: { ...state.page, ...changes } }));
  }

  /** @param {string} key */
  async #load(key) {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#asking.clear();
    this.thinking.forget();
    const { route, route: { query, ply } } = this.app.store.state;
    const blank = emptyTable('analysis');
    this.app.store.set({ page: { key, search: key, route, opened: 1, isLoading: true, tree: newTree([]), at: 0, table: blank, whole: [], link: '/analysis', id: null, problem: null, file: this.files.file, imported: null, silent: null, lines: this.#page().lines ?? 3, isEndless: false, isQuiet: query.conditional != null || (this.#page().isQuiet ?? false) } });
    const read = await this.files.readAt(key);
    const found = read ? readTable(read, query) : await openedTable(query, Object.values(this.app.store.state.tables));
    if (this.#page().key !== key) return;
    if (found.code) {
      this.#show({ ...this.#page(), isLoading: false, problem: found, table: gameTable(START, query) });
      return;
    }
    const game = read ? notedTree(read) : newTree(found.game.moves);
    const { tree, at: end, hasSaved } = await withSaved(this.app, query, game, found.game.start_fen);
    if (this.#page().key !== key) return;
    // The side that was below during the game stays there.
    if (found.you === 'black') this.app.store.update((state) => ({ ...state, board: { ...state.board, flipped: true } }));
    this.#show({ ...this.#page(), isLoading: false, tree, at: nodeAt(tree, end, ply), hasSaved, opened: game.length, id: query.game ?? null, table: found, file: this.files.file, imported: read && { tags: read.tags, result: read.result } });
    if (game.length > 1 && !query.conditional) this.#evaluateAll(key, found.game.start_fen, line(game));
  }

  /** Shows a node: the way to it becomes the board's game. @param {StudyPage} page */
  #show(page) {
    const moves = movesTo(page.tree, page.at);
    const here = /** @type {Node} */ (page.tree[page.at]);
    const game = /** @type {NonNullable<Table['game']>} */ (page.table.game);
    const whole = through(page.tree, page.at).flatMap((id) => page.tree[id]?.move ?? []);
    const link = studyAddress(page);
    this.#address(link, moves.length);
    const last = moves[moves.length - 1];
    const turn = last ? other(last.color) : readFen(game.start_fen).turn;
    const table = {
      ...page.table,
      you: null,
      reading: null,
      game: { ...game, moves, ply: moves.length, turn, fen: here.fen ?? '' },
      legal: here.legal && { ply: moves.length, moves: here.legal },
    };
    this.app.store.update((state) => ({
      ...state,
      page: { ...page, table, whole, link, search: link.slice('/analysis'.length) },
      board: { ...state.board, path: [], viewPly: null, refused: null, pending: null },
      form: { ...state.form, typedProblem: null },
    }));
  }

  /** Has the address name the position in view. @param {string} link @param {number} ply */
  #address(link, ply) {
    const { key } = this.#page();
    clearTimeout(this.#addressing);
    this.#addressing = setTimeout(() => {
      if (this.app.store.state.route.name === 'analysis' && this.#page().key === key) history.replaceState(null, '', `${link}#${ply}`);
    }, ADDRESS_MS);
  }

  /** Keeps what was found out about a node. @param {string} key @param {number} at @param {Partial<Node>} changes */
  #learn(key, at, changes) {
    const page = this.#page();
    if (page.key !== key || !page.tree[at]) return;
    const next = { ...page, tree: learnt(page.tree, at, changes) };
    if (at === page.at && changes.legal) this.#show(next);
    else this.#change({ tree: next.tree });
  }

  /** Asks for what is not known of the node in view. */
  #look() {
    const page = this.#page();
    const { key, tree, at, table } = page;
    const here = tree[at];
    if (!here || !table.game) return;
    const place = { fen: table.game.start_fen, moves: written(movesTo(tree, at)) };
    if (!here.legal) {
      this.#once(`legal ${at}`, async () => {
        const answer = await ask(asked('/api/legal', place));
        if (answer.code) this.#again(`legal ${at}`);
        else this.#learn(key, at, { fen: answer.fen, legal: answer.legal_moves, reason: answer.reason ?? null });
      });
      return;
    }
    this.thinking.follow(page, place);
    const { pieces } = readFen(here.fen ?? '');
    if (!here.verdict && here.legal.length > 0 && pieces.length <= MOST_IN_TABLES) {
      this.#once(`table ${at}`, async () => {
        const verdict = await ask(asked('/api/tablebase', { fen: here.fen }));
        if (verdict.value) this.#learn(key, at, { verdict });
      });
    }
  }

  /** Keeps what the engine has found out about a node, if it is more than is known. @param {string} key @param {number} at @param {Evaluation} evaluation */
  #evaluated(key, at, evaluation) {
    const known = this.#page().tree?.[at]?.evaluation;
    if (tellsMore(evaluation, known)) this.#learn(key, at, { evaluation });
  }

  /** Asks once more in a moment, if that is still wanted. @param {string} what */
  #again(what) {
    setTimeout(() => {
      this.#asking.delete(what);
      this.follow();
    }, AGAIN_MS);
  }

  /** @param {string} key @param {string} fen @param {number[]} way */
  #evaluateAll(key, fen, way) {
    const moves = written(movesTo(this.#page().tree, way[way.length - 1] ?? 0));
    const path = asked('/api/analysis/game', { fen, moves, time: TIME_IN_GAME });
    askLines(path, this.#stop.signal, (evaluation) => {
      if (evaluation.code) {
        const isOver = evaluation.code === 'game_running' || this.#page().key !== key;
        if (!isOver) setTimeout(() => this.#page().key === key && this.#evaluateAll(key, fen, way), AGAIN_MS);
        return;
      }
      const at = way[evaluation.ply] ?? 0;
      const known = this.#page().tree[at]?.evaluation;
      this.#learn(key, at, { evaluation: known && !tellsMore(evaluation, known) ? known : evaluation, survey: evaluation });
    });
  }

  /** @param {string} what @param {() => Promise<void>} question */
  #once(what, question) {
    if (this.#asking.has(what)) return;
    this.#asking.add(what);
    question();
  }
}
