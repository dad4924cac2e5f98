/** Following how a game goes, or went, in which no person plays now. */

import { isJudged } from '../core/state.js';
import { written } from '../game/tree.js';
import { ask, asked, askLines } from '../net/ask.js';

/** @import {App} from '../app.js' */

/** How long the server is to look at a position, in milliseconds. */
const LIVE_TIME = 100;

/** What finds out how the game in view goes, as far as it has not been asked. @param {App} app */
export function liveFollower(app) {
  let latest = '';
  let found = 0;
  let stop = new AbortController();
  /** Leaves the server to other questions. */
  const rest = () => {
    stop.abort();
    latest = '';
  };
  const follow = () => {
    const { table } = app;
    const game = table?.game;
    if (!table || !game || !isJudged(table) || game.ply === 0) return;
    const key = `${table.id}/${game.game}`;
    const known = () => (app.store.state.live?.key === key ? app.store.state.live.evaluations : []);
    // What was found may have been put aside with the rest of the state.
    if (known().length < found) latest = '';
    found = known().length;
    const missing = game.ply + 1 - found;
    if (missing <= 0 || latest === `${key} ${game.ply}`) return;
    latest = `${key} ${game.ply}`;
    const place = { fen: game.start_fen, moves: written(game.moves), time: LIVE_TIME };
    const take = (/** @type {any} */ evaluation) => {
      if (evaluation.code) return;
      const evaluations = [...known()];
      evaluations[evaluation.ply] = evaluation;
      app.store.set({ live: { key, evaluations } });
    };
    if (missing > 1) {
      stop.abort();
      stop = new AbortController();
      askLines(asked('/api/analysis/game', place), stop.signal, take);
    } else ask(asked('/api/analysis', place)).then(take);
  };
  return { follow, rest };
}
