/** Passes messages to the table that the page itself keeps, and loads its module. */

import { isLocal, LOCAL } from '../core/local.js';
import { guestName } from '../core/settings.js';
import { viewedId } from '../core/state.js';

/**
 * @import {App} from '../app.js'
 * @import {LocalTable} from '../engine/local_table.js'
 * @import {Message} from '../protocol.js'
 */

export class LocalConnection {
  /** @type {Promise<LocalTable> | null} */
  #table = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** Sends a message, if it is for that table. @param {Message} message @returns {boolean} whether it is */
  send(message) {
    const isForIt = isLocal(message, this.app.store.state);
    if (isForIt) this.#pass(message);
    return isForIt;
  }

  /** Shows the table, if it is in view and nothing is known of it: a game that was begun earlier. */
  follow() {
    if (viewedId(this.app.store.state) === LOCAL && !this.#table) this.#pass({ type: 'watch', table: LOCAL });
  }

  /** @param {Message} message */
  async #pass(message) {
    this.#table ??= this.#load();
    try {
      (await this.#table).handle(message);
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
