/** In a tournament in rounds, whoever has finished a game waits for the next one, wherever the page is then. */

import { tournamentOf } from '../core/route.js';
import { isRunning } from '../core/table.js';
import { ask } from '../net/ask.js';

/** @import {App} from '../app.js' */

/** Waits for the next game whenever one ends. @param {App} app */
export function followRounds(app) {
  /** @type {Set<string>} */
  let running = new Set();
  app.store.subscribe(() => {
    const own = Object.values(app.store.state.tables).filter(({ you, info }) => you && tournamentOf(info?.event));
    const ended = own.filter((table) => running.has(table.id) && table.game?.result != null);
    running = new Set(own.filter(isRunning).map(({ id }) => id));
    for (const { info } of ended) wait(app, /** @type {string} */ (tournamentOf(info?.event)));
  });
}

/** @param {App} app @param {string} tournament */
async function wait(app, tournament) {
  const { format, stage } = await ask(`/api/tournaments/${tournament}`);
  if (format && format !== 'arena' && stage !== 'over' && !app.store.state.queue) app.send({ type: 'quick', tournament });
}
