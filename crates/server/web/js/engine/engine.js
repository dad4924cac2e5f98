/** The engine in the browser: answers what the server's API answers about positions, without the server. */

import { readFen } from '../game/pieces.js';

/**
 * @typedef {{[name: string]: string | number | null | undefined}} Question what is asked and about what, as the
 *   engine reads it
 */

/** The engine, and tables of endings. */
const FILES = { engine: '/assets/engine.wasm.gz', tables: ['/assets/endings-2-5.wdl', '/assets/endings-2-4.dist'] };
/** The tables are loaded when a position has so few pieces: they are a few exchanges away. */
const PIECES_NEAR_TABLES = 10;
/** What a browser needs. */
const CAN_RUN = typeof Worker === 'function' && typeof WebAssembly === 'object' && typeof DecompressionStream === 'function';

/** Says that the engine cannot run here, or could not be loaded. */
const UNREACHABLE = { code: 'unreachable' };
/** Says that a search was ended. */
const STOPPED = { code: 'stopped' };

/** A question that is asked. */
class Task {
  /** @param {Question} question @param {ArrayBuffer[]} files attached to it @param {(result: any) => void} report takes the result so far */
  constructor(question, files, report) {
    this.text = JSON.stringify(question);
    this.files = files;
    this.report = report;
    /** @type {(answer: any) => void} */
    this.done = () => {};
    /** @type {Promise<any>} */
    this.answer = new Promise((done) => (this.done = done));
  }
}

/** A worker, which answers one question after the other. */
class EngineWorker {
  /** @type {Worker | null} */
  #worker = null;
  /** The first of them is being answered. @type {Task[]} */
  #tasks = [];
  /** Whether the worker was started with other files. */
  #isOld = false;

  /** @param {() => Promise<{module: WebAssembly.Module, tables: ArrayBuffer[]} | null>} load */
  constructor(load) {
    this.load = load;
  }

  /**
   * @param {Question} question @param {{files?: ArrayBuffer[], report?: (result: any) => void}} [how]
   * @returns {Promise<any>} the answer; `elapsed` is what it took in milliseconds, and what is attached to it is its `file`
   */
  async ask(question, { files = [], report = () => {} } = {}) {
    const task = new Task(question, files, report);
    this.#tasks.push(task);
    if (this.#tasks.length === 1) this.#next();
    return task.answer;
  }

  /** Ends what is under way, with the worker: a search reads no messages. The next question starts another one. @param {any} answer */
  stop(answer) {
    if (this.#tasks.length === 0) return;
    this.#worker?.terminate();
    this.#worker = null;
    for (const task of this.#tasks.splice(0)) task.done(answer);
  }

  /** Has the next question start another worker, with the files of then. */
  renew() {
    this.#isOld = true;
  }

  async #next() {
    const task = this.#tasks[0];
    if (!task) return;
    if (this.#isOld) {
      this.#worker?.terminate();
      this.#worker = null;
      this.#isOld = false;
    }
    const worker = this.#worker ?? (await this.#start());
    if (task !== this.#tasks[0]) return;
    if (worker) worker.postMessage({ question: task.text, files: task.files });
    else this.stop(UNREACHABLE);
  }

  async #start() {
    const files = await this.load();
    if (!files) return null;
    if (this.#worker) return this.#worker;
    const worker = new Worker('/assets/js/engine/worker.js', { type: 'module' });
    worker.postMessage(files);
    worker.onmessage = ({ data }) => this.#take(data);
    worker.onerror = () => this.stop(UNREACHABLE);
    this.#worker = worker;
    return worker;
  }

  /** @param {{report?: string, answer?: string, elapsed?: number, file?: ArrayBuffer}} data */
  #take({ report, answer, elapsed, file }) {
    if (report) this.#tasks[0]?.report(JSON.parse(report));
    if (!answer) return;
    this.#tasks.shift()?.done({ ...JSON.parse(answer), elapsed, ...(file && { file }) });
    this.#next();
  }
}

export class Engine {
  /** @type {Promise<WebAssembly.Module | null> | null} */
  #module = null;
  /** @type {ArrayBuffer[]} */
  #tables = [];
  /** @type {Promise<void> | null} */
  #loading = null;
  #quick = new EngineWorker(() => this.#files());
  #search = new EngineWorker(() => this.#files());
  #trees = new EngineWorker(() => this.#files());

  /** Whether it has run here, so that it answers at once. */
  isReady = false;

  /** The answer, or what is wrong: its `code` is `unreachable` if the engine cannot run. @param {Question} question @returns {Promise<any>} */
  ask(question) {
    return this.#quick.ask(question);
  }

  /**
   * Searches a position, and ends the search before it.
   * @param {Question} question @param {string} fen the position @param {(result: any) => void} report takes the result after each depth
   * @returns {Promise<any>} as above; its `code` is `stopped` if the search was ended
   */
  search(question, fen, report) {
    this.rest();
    if (readFen(fen).pieces.length <= PIECES_NEAR_TABLES) this.#loading ??= this.#loadTables();
    return this.#search.ask(question, { report });
  }

  /** Ends the search. */
  rest() {
    this.#search.stop(STOPPED);
  }

  /** Asks about recorded trees, which are kept. @param {Question} question @param {ArrayBuffer[]} [files] @returns {Promise<any>} */
  trees(question, files) {
    return this.#trees.ask(question, { files });
  }

  /** Ends what is being recorded; the trees are lost. */
  forgetTrees() {
    this.#trees.stop(STOPPED);
  }

  async #files() {
    this.#module ??= load();
    const module = await this.#module;
    this.isReady = module != null;
    if (!module) this.#module = null;
    return module && { module, tables: this.#tables };
  }

  /** Questions from then on have the tables. */
  async #loadTables() {
    try {
      this.#tables = await Promise.all(FILES.tables.map(async (path) => (await checked(path)).arrayBuffer()));
      this.#quick.renew();
      this.#search.renew();
    } catch {
      this.#loading = null;
    }
  }
}

/** The engine of the page. */
export const engine = new Engine();

/** @param {string} path */
async function checked(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

async function load() {
  if (!CAN_RUN) return null;
  try {
    const { body } = await checked(FILES.engine);
    const bytes = body?.pipeThrough(new DecompressionStream('gzip'));
    return await WebAssembly.compileStreaming(new Response(bytes, { headers: { 'content-type': 'application/wasm' } }));
  } catch {
    return null;
  }
}
