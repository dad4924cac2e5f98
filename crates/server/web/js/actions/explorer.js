/** Records searches in the browser, and goes through what they visited. */

import { fitted, within, zoomed } from '../game/icicle.js';
import { Trace } from '../game/trace.js';
import { explorerPath, keyOf, possible, questionOf, readSearch, readWanted } from '../core/explorer.js';
import { wantedOf } from '../core/lessons.js';
import { loadEngine } from '../net/ask.js';
import { Icicle } from '../ui/icicle.js';
import { Figures } from './figures.js';
import { Lessons } from './lessons.js';
import { Playback } from './playback.js';
import { TraceFiles } from './trace_files.js';

/**
 * @import {App} from '../app.js'
 * @import {Detail} from '../core/explain.js'
 * @import {Search, Wanted} from '../core/explorer.js'
 * @import {View} from '../game/icicle.js'
 *
 * @typedef {0 | 1} Place of one of the two trees
 * @typedef {object} ExplorerPage what `state.page` is there
 * @property {Wanted} wanted
 * @property {string} key what was recorded last
 * @property {boolean} recording
 * @property {{code: string, message?: string} | null} problem
 * @property {(Trace | null)[]} traces
 * @property {(Detail | null)[]} details of the selected node, and of what the other tree has of it
 * @property {number | null} time how many nodes the searches have entered; null is all
 * @property {boolean} playing
 * @property {number} speed in nodes a second
 * @property {boolean} compared whether colours say what the other search left out
 * @property {{tree: Place, node: number} | null} hovered
 */

/** @returns {Partial<ExplorerPage>} */
const fresh = () => ({
  problem: null, traces: [null, null], details: [null, null], time: null, playing: false, speed: 20, compared: true, hovered: null,
});

/** While a search is played, so many milliseconds pass between explanations. */
const BETWEEN_MS = 100;

export class Explorer {
  /** What is being recorded. */
  #key = '';
  /** Whether the engine is being asked about a node. */
  #isAsking = false;
  /** Whether the node was selected by what is shown of another, which goes with it. */
  #hadFocus = false;
  /** The parts of the trees in view. Only the charts show them, so that zooming draws nothing else. @type {View[]} */
  views = [];

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.icicles = /** @type {Place[]} */ ([0, 1]).map((tree) => new Icicle({
      select: (node) => this.select(tree, node),
      open: (node) => this.zoomTo(tree, node),
      hover: (node) => this.#hover(tree, node),
      look: (view) => this.#look(tree, view),
    }));
    this.playback = new Playback(this);
    this.lessons = new Lessons(this);
    this.figures = new Figures(this);
    this.files = new TraceFiles(this);
  }

  get page() {
    return /** @type {ExplorerPage} */ (/** @type {any} */ (this.app.store.state.page));
  }

  /** @param {Partial<ExplorerPage>} changes */
  change(changes) {
    this.app.store.update((state) => ({ ...state, page: { ...state.page, ...changes } }));
  }

  /** Records what the address asks for, and draws. */
  follow() {
    const { route } = this.app.store.state;
    const { lesson } = this.lessons;
    if (route.name !== 'explorer' && !lesson) {
      this.playback.stop();
      return;
    }
    const wanted = lesson ? wantedOf(lesson) : readWanted(route.query);
    const key = keyOf(wanted);
    if (this.page.key !== key) this.#record(wanted, key);
    this.#draw();
    this.lessons.follow();
  }

  #draw() {
    const { traces, time, compared, details } = this.page;
    const { theme } = this.app.store.state.settings;
    traces?.forEach((trace, tree) => {
      const view = this.views[tree];
      const chosen = this.page.wanted.tree === tree ? this.page.wanted.node : details[tree]?.node ?? null;
      this.icicles[tree]?.show(trace && view ? {
        trace, view, whole: this.whole, time: Math.min(trace.count, time ?? trace.count), selected: chosen,
        compared: compared && traces[1] != null, theme,
      } : null);
    });
  }

  /** How many nodes the charts are as wide as. */
  get whole() {
    return Math.max(1, ...this.page.traces.map((trace) => trace?.count ?? 0));
  }

  /** Asks for other searches or another position. @param {Partial<Wanted>} changes */
  want(changes) {
    this.app.go(explorerPath({ ...this.page.wanted, tree: 0, node: 0, ...changes }));
  }

  /** @param {Place} tree @param {Partial<Search>} changes */
  wantSearch(tree, changes) {
    const { first, second } = this.page.wanted;
    const search = possible({ ...(tree === 0 ? first : second ?? first), ...changes });
    this.want(tree === 0 ? { first: search } : { second: search });
  }

  /** @param {[string, string, string | null]} pair */
  wantPair([, first, second]) {
    const search = readSearch(first);
    if (search) this.want({ first: search, second: second == null ? null : readSearch(second) });
  }

  /** Ends what is being recorded. */
  async stop() {
    this.giveUp();
    (await loadEngine())?.forgetTrees();
    this.change({ ...fresh(), problem: { code: 'stopped' } });
  }

  /** Has nothing shown of what is being recorded. */
  giveUp() {
    this.#key = '';
    this.change({ recording: false });
  }

  /** @param {Wanted} wanted @param {string} key */
  async #record(wanted, key) {
    const isSamePosition = this.page.traces != null && this.page.wanted?.fen === wanted.fen;
    this.playback.stop();
    this.change({ ...(!isSamePosition && fresh()), wanted, key, recording: true, problem: null });
    this.#key = key;
    const engine = await loadEngine();
    if (this.#key !== key) return;
    engine?.forgetTrees();
    const searches = [wanted.first, ...(wanted.second ? [wanted.second] : [])];
    const answers = await Promise.all(searches.map((search, tree) => engine?.trees(questionOf(search, wanted.fen, tree === 0 ? 0 : 1)) ?? { code: 'unreachable' }));
    if (this.#key !== key) return;
    await this.#take(answers);
  }

  /** Shows recorded or opened trees. @param {any[]} answers */
  async #take(answers) {
    const problem = answers.find((answer) => answer.code) ?? (answers.every((answer) => answer.recorded === 0) ? { code: 'over' } : null);
    if (problem) {
      this.change({ recording: false, problem, ...(problem.code === 'over' && { traces: [null, null] }) });
      return;
    }
    const traces = answers.map(({ file, ...report }) => new Trace(report, file ?? new ArrayBuffer(0)));
    await this.compare(traces);
    this.show([traces[0] ?? null, traces[1] ?? null]);
    const { tree, node } = this.page.wanted;
    this.select(tree, Math.max(0, Math.min(node, (traces[tree]?.count ?? 1) - 1)));
  }

  /** @param {(Trace | null)[]} traces */
  show(traces) {
    const whole = Math.max(1, ...traces.map((trace) => trace?.count ?? 0));
    this.views = traces.map(() => ({ from: 0, to: whole }));
    this.change({ recording: false, problem: null, traces, details: [null, null], time: null, hovered: null });
  }

  /** @param {Trace[]} traces */
  async compare([first, second]) {
    if (!first || !second) return;
    const answer = await (await loadEngine())?.trees({ about: 'compare' });
    if (!answer?.file) return;
    first.marks = new Uint8Array(answer.file, 0, first.count);
    second.marks = new Uint8Array(answer.file, first.count, second.count);
  }

  /** Shows a node, and what the other tree has of it. @param {Place} tree @param {number} node @param {Partial<ExplorerPage>} [changes] of the page besides */
  select(tree, node, changes = {}) {
    this.#hadFocus = document.activeElement?.closest('.explorer-node') != null;
    this.change({ wanted: { ...this.page.wanted, tree, node }, hovered: null, ...changes });
    if (!this.#isAsking) this.#explain();
  }

  /** Asks about the selected node, and again while another one has been selected meanwhile. */
  async #explain() {
    const { wanted: asked, traces } = this.page;
    this.#isAsking = asked != null;
    // The page may have been left.
    if (!asked) return;
    const { tree, node } = asked;
    const engine = await loadEngine();
    const detail = await engine?.trees({ about: 'node', tree, node });
    const otherTree = tree === 0 ? 1 : 0;
    const found = detail?.other && traces[otherTree] ? await engine?.trees({ about: 'node', tree: otherTree, node: detail.other.node }) : null;
    this.#isAsking = false;
    const { wanted, traces: now, playing } = this.page;
    const isCurrent = now === traces;
    if (wanted && (!isCurrent || wanted.tree !== tree || wanted.node !== node)) {
      this.#isAsking = true;
      setTimeout(() => this.#explain(), playing ? BETWEEN_MS : 0);
    }
    if (!wanted || !isCurrent || !detail || detail.code) return;
    const details = /** @type {(Detail | null)[]} */ ([null, null]);
    details[tree] = detail;
    details[otherTree] = found?.code ? null : found;
    this.change({ details });
    if (this.#hadFocus) requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector('.explorer-path [aria-current]'))?.focus({ preventScroll: true }));
    this.#bringIntoView(tree, node);
    if (!playing && !this.lessons.lesson) history.replaceState(null, '', explorerPath(wanted));
  }

  /** @param {Place} tree @param {number} node */
  #bringIntoView(tree, node) {
    const view = this.views[tree];
    if (!view || (node < view.to && node >= view.from)) return;
    const span = view.to - view.from;
    this.#look(tree, within({ from: node - span / 2, to: node + span / 2 }, this.whole));
  }

  /** Goes to a neighbour of the selected node. @param {'up' | 'down' | 'left' | 'right'} way */
  step(way) {
    const { wanted: { tree, node }, traces } = this.page;
    const trace = traces[tree];
    const next = trace && { up: () => trace.parent(node), down: () => trace.firstChild(node), left: () => trace.sibling(node, -1), right: () => trace.sibling(node, 1) }[way]();
    if (next != null) this.select(tree, next);
  }

  /** @param {Place} tree @param {View} view */
  #look(tree, view) {
    this.views[tree] = view;
    this.#draw();
  }

  /** @param {Place} tree @param {number} factor */
  zoom(tree, factor) {
    const { wanted } = this.page;
    const view = this.views[tree];
    if (!view) return;
    const isChosen = wanted.tree === tree && wanted.node >= view.from && wanted.node < view.to;
    this.#look(tree, zoomed(view, isChosen ? wanted.node : (view.from + view.to) / 2, factor, this.whole));
  }

  /** @param {Place} tree @param {number} node */
  zoomTo(tree, node) {
    const trace = this.page.traces[tree];
    if (trace) this.#look(tree, fitted(trace, node, this.whole));
  }

  /** @param {Place} tree */
  showWhole(tree) {
    this.#look(tree, { from: 0, to: this.whole });
  }

  /** @param {Place} tree @param {number | null} node */
  #hover(tree, node) {
    const { hovered } = this.page;
    if (node === (hovered?.tree === tree ? hovered.node : null)) return;
    this.change({ hovered: node == null ? null : { tree, node } });
  }

  /** Does what a key means on the chart of a tree; says whether it means something. @param {Place} tree @param {string} key */
  key(tree, key) {
    /** @type {{[key: string]: () => void}} */
    const keys = {
      ArrowUp: () => this.step('up'), ArrowDown: () => this.step('down'), ArrowLeft: () => this.step('left'), ArrowRight: () => this.step('right'),
      '+': () => this.zoom(tree, 2), '-': () => this.zoom(tree, 0.5), 0: () => this.showWhole(tree), Enter: () => this.zoomTo(tree, this.page.wanted.node),
      ' ': () => this.playback.toggle(), '.': () => this.playback.step(1), ',': () => this.playback.step(-1),
    };
    const act = keys[key];
    if (act && this.page.wanted.tree !== tree) this.select(tree, this.page.details[tree]?.node ?? 0);
    act?.();
    return act != null;
  }
}
