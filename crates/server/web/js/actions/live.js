/** Following how a game goes, or went, in which no person plays now. */

import { isJudged } from '../core/state.js';
import { written } from '../game/tree.js';
import { ask, asked, askLines } from '../net/ask.js';

/** @import {App} from '../app.js' */

/** How long the server is to look at a position, in milliseconds. */
const LIVE_TIME = 100;
/** Who is busy is asked again after so many milliseconds. */
const LIVE_AGAIN_MS = 1500;
/** What a position is worth, and every position on the way to it. */
const [ONE, EVERY] = ['/api/analysis', '/api/analysis/game'];

/**
 * What finds out how the game in view goes, by one question at a time: the latest position before
 * the others, and to its end, so that a server that is slower than the game still says how it stands.
 * @param {App} app
 */
export function liveFollower(app) {
  /** @type {{key: string, path: string, stop: AbortController} | null} */
  let asking = null;
  /** Leaves the server to other questions. */
  const rest = () => {
    asking?.stop.abort();
    asking = null;
  };
  const follow = async () => {
    const { table } = app;
    const game = table?.game;
    if (!table || !game || !isJudged(table) || game.ply === 0) return;
    const key = `${table.id}/${game.game}`;
    const known = () => (app.store.state.live?.key === key ? app.store.state.live.evaluations : []);
    const lacking = () => {
      if (!known()[game.ply]) return ONE;
      return game.moves.some((_, ply) => !known()[ply]) ? EVERY : null;
    };
    const path = lacking();
    if (!path || (asking?.key === key && (asking.path === ONE || path === EVERY))) return;
    rest();
    const stop = new AbortController();
    const mine = { key, path, stop };
    asking = mine;
    const take = (/** @type {any} */ evaluation) => {
      if (evaluation.code || known()[evaluation.ply]) return;
      const evaluations = [...known()];
      evaluations[evaluation.ply] = evaluation;
      app.store.set({ live: { key, evaluations } });
    };
    const question = asked(path, { fen: game.start_fen, moves: written(game.moves), time: LIVE_TIME });
    if (path === ONE) take(await ask(question, { signal: stop.signal }));
    else await askLines(question, stop.signal, take);
    setTimeout(() => {
      if (asking !== mine) return;
      asking = null;
      follow();
    }, lacking() === path ? LIVE_AGAIN_MS : 0);
  };
  return { follow, rest };
}
