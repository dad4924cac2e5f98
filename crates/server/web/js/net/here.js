/** Takes messages for the table that the page keeps, and loads what keeps it. */

import { isLocal, LOCAL } from '../core/local.js';
import { guestName } from '../core/settings.js';
import { viewedId } from '../core/state.js';

/**
 * @import {App} from '../app.js'
 * @import {LocalTable} from '../engine/local_table.js'
 * @import {Message} from '../protocol.js'
 */

export class Here {
  /** @type {Promise<LocalTable> | null} */
  #table = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** Takes a message, if it is for that table, and says whether it is. @param {Message} message */
  takes(message) {
    const isOurs = isLocal(message, this.app.store.state);
    if (isOurs) this.#take(message);
    return isOurs;
  }

  /** Shows the table, if it is in view and nothing is known of it: a game that was begun earlier. */
  follow() {
    if (viewedId(this.app.store.state) === LOCAL && !this.#table) this.#take({ type: 'watch', table: LOCAL });
  }

  /** @param {Message} message */
  async #take(message) {
    this.#table ??= this.#load();
    try {
      (await this.#table).take(message);
    } catch {
      this.#table = null;
      return this.app.notify('error.unreachable');
    }
    if (message.type === 'create_table') this.app.notify('notice.local');
  }

  async #load() {
    const { LocalTable } = await import('../engine/local_table.js');
    const { store } = this.app;
    store.update((state) => ({ ...state, me: { ...state.me, name: state.me.name || guestName(Math.random()) } }));
    return new LocalTable((message) => this.app.receive(message), () => store.state.me.name);
  }
}
