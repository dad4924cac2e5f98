/** Opens traces, and saves them as files, tables and pictures. */

import { explorerPath, keyOf, readWanted } from '../core/explorer.js';
import { colourOf, svgOf } from '../game/icicle.js';
import { Trace } from '../game/trace.js';
import { loadEngine } from '../net/ask.js';
import { coloursOf, rowHeight } from '../ui/icicle.js';

/** @import {Explorer, Place} from './explorer.js' */

export class TraceFiles {
  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
  }

  /** Opens a file of `checkers-lab trace` in place of a tree. @param {Place} tree @param {File} file */
  async open(tree, file) {
    const { explorer } = this;
    const engine = await loadEngine();
    const answer = await engine?.trees({ about: 'open_trace', tree }, [await file.arrayBuffer()]) ?? { code: 'unreachable' };
    if (answer.code) {
      explorer.app.notify(answer.code === 'unreachable' ? 'error.unreachable' : 'explorer.noTrace');
      return;
    }
    explorer.giveUp();
    const { wanted, traces } = explorer.page;
    const search = { name: answer.bot, depth: 0, order: 'off' };
    const other = tree === 0 ? 1 : 0;
    const kept = traces[other]?.report.fen === answer.fen ? traces[other] ?? null : null;
    const next = { ...wanted, fen: answer.fen, tree, node: 0, ...(tree === 0 ? { first: search, ...(!kept && { second: null }) } : { second: search }) };
    // The address says what is shown, so that another one is recorded, the one before too.
    explorer.app.go(explorerPath(next));
    explorer.change({ wanted: next, key: keyOf(readWanted(explorer.app.store.state.route.query)) });
    const opened = new Trace(answer, answer.file ?? new ArrayBuffer(0));
    const pair = tree === 0 ? [opened, kept] : [kept, opened];
    await explorer.compare(/** @type {Trace[]} */ (pair.filter(Boolean)));
    explorer.show(pair);
    explorer.select(tree, 0);
  }

  /** Saves a tree as a file for `checkers-lab`, as a table or as a picture. @param {Place} tree @param {'trace' | 'csv' | 'svg'} kind */
  async save(tree, kind) {
    const { explorer } = this;
    const trace = explorer.page.traces[tree];
    if (!trace) return;
    const name = `${trace.report.bot.replace(/[^\w=-]+/g, '-')}.${kind}`;
    if (kind === 'svg') {
      explorer.app.act.download(name, this.#picture(tree, trace));
      return;
    }
    const answer = await (await loadEngine())?.trees({ about: kind === 'csv' ? 'trace_table' : 'save_trace', tree });
    if (answer?.file) explorer.app.act.download(name, answer.file);
  }

  /** @param {Place} tree @param {Trace} trace */
  #picture(tree, trace) {
    const { explorer } = this;
    const { time, compared, traces } = explorer.page;
    const until = Math.min(trace.count, time ?? trace.count);
    const colours = coloursOf(document.getElementById(`chart-${tree}`) ?? document.documentElement);
    const colour = (/** @type {number} */ node) => {
      const name = colourOf(trace, node, until, compared && traces[1] != null);
      return /** @type {[string, string]} */ ([colours(name), colours(`${name}-text`)]);
    };
    return svgOf(trace, explorer.views[tree] ?? { from: 0, to: trace.count }, 1200, Math.max(14, rowHeight(trace)), until, colour, `${trace.report.bot} ${trace.report.fen}`);
  }
}
