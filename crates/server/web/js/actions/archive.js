/** Games that are over and whose tables are gone: from the archive. */

import { archivedTable } from '../core/archived.js';
import { emptyTable } from '../core/table.js';
import { noteEnd } from '../core/unfinished.js';
import { ask } from '../net/ask.js';

/** @import {App} from '../app.js' */

/** @param {App} app @param {string} id of a game, or of a table that is gone */
export async function loadArchived({ store }, id) {
  const own = Object.entries(store.state.unfinished).find(([, { table }]) => table === id);
  const game = own?.[0] ?? (id.includes('-') ? id : `${id}-1`);
  const record = await ask(`/api/games/${game}`);
  if (record.code) {
    store.update((state) => {
      const { [game]: _, ...unfinished } = state.unfinished;
      return { ...state, unfinished, archive: { ...state.archive, [id]: 'missing' } };
    });
    return;
  }
  const table = archivedTable(id, record, emptyTable(id));
  store.update((state) => noteEnd({ ...state, tables: { ...state.tables, [id]: table } }, table));
}
