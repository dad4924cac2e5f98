/**
 * Who has the page open is there, and nobody else: a page that is left gives its connection up, so that
 * the opponent knows at once, and has it again when the browser shows it again.
 */

import { isMine } from '../core/receive.js';
import { isProjected } from '../core/route.js';

/** @import {App} from '../app.js' */

/** Connects, as long as the page is open. @param {App} app */
export function followPresence(app) {
  // A tab that is opened in the background does not take the game away from the one in front.
  let isWaiting = isProjected(app.store.state.route) || (document.hidden && app.identity.recall() != null);
  const come = () => {
    if (document.hidden || isProjected(app.store.state.route)) return;
    isWaiting = false;
    app.socket.wake();
  };
  addEventListener('online', () => {
    if (!isWaiting) app.socket.wake();
  });
  addEventListener('pageshow', come);
  addEventListener('pagehide', () => app.socket.rest());
  document.addEventListener('visibilitychange', come);
  addEventListener('beforeunload', (event) => {
    // The browser asks whether to go: a seat that nobody could come back to would be lost.
    const { kept, tables } = app.store.state;
    if (!kept && Object.values(tables).some(isMine)) event.preventDefault();
  });
  if (!isWaiting) app.socket.connect();
}
