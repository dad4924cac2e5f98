/** The ratings of two who play a rated game, for the rows with their names: asked for when a game begins, and after its end. */

import { viewedTable } from '../core/state.js';
import { ask, asked } from '../net/ask.js';

/**
 * @import {App} from '../app.js'
 * @import {Table} from '../core/table.js'
 */

/** The server rates a game about so many milliseconds after its end. */
const RATED_AFTER = 2_500;

/** Asks for what is not known of the game in view, whenever that changes. @param {App} app */
export function followRatings(app) {
  let known = '';
  app.store.subscribe(() => {
    const table = viewedTable(app.store.state);
    if (!table?.info?.rated || !table.game) return;
    const { game, result } = table.game;
    const key = [table.id, game, result].join(' ');
    if (key === known) return;
    known = key;
    setTimeout(() => load(app, table), result == null ? 0 : RATED_AFTER);
  });
}

/** @param {App} app @param {Table} table */
async function load(app, { game, info, bots }) {
  const names = [game?.white, game?.black].filter((name) => name != null && !bots[name]);
  const isOver = game?.result != null;
  for (const name of /** @type {string[]} */ (names)) {
    const answer = await ask(asked(`/api/players/${encodeURIComponent(name)}/rating`, { clock: info?.white_clock }));
    const before = app.store.state.ratings[name];
    const change = isOver && before && before.rating !== answer.rating ? answer.rating - before.rating : null;
    const rating = answer.code ? null : { rating: answer.rating, provisional: answer.provisional, change };
    if (rating) app.store.update((state) => ({ ...state, ratings: { ...state.ratings, [name]: rating } }));
  }
}
