/**
 * Who this tab is. The secret that the server gave lies in the tab's own storage, so that two tabs
 * are two guests and a reload is the same one. A copy lies where all tabs see it: a tab opened
 * after the last one was closed comes back as that one, to a game that still runs.
 */

const OWN = 'checkers.me';
const SHARED = 'checkers.last';
/** Who was not heard of for so long is gone, in milliseconds. */
const ALIVE_MS = 8_000;

/** @typedef {{name: string, token: string}} Known */

export class Identity {
  constructor() {
    addEventListener('pagehide', () => this.#share(0));
  }

  /** Who this tab is, or was when it was closed. @returns {Known | null} */
  recall() {
    const own = stored(() => sessionStorage.getItem(OWN));
    if (own) return own;
    const last = stored(() => localStorage.getItem(SHARED));
    return last && Date.now() - last.alive > ALIVE_MS ? { name: last.name, token: last.token } : null;
  }

  /** @param {string} name @param {string} token */
  remember(name, token) {
    keep(() => sessionStorage.setItem(OWN, JSON.stringify({ name, token })));
    this.alive();
  }

  /** This tab is there still. */
  alive() {
    this.#share(Date.now());
  }

  forget() {
    keep(() => sessionStorage.removeItem(OWN));
    keep(() => localStorage.removeItem(SHARED));
  }

  /** @param {number} alive */
  #share(alive) {
    const own = stored(() => sessionStorage.getItem(OWN));
    if (own) keep(() => localStorage.setItem(SHARED, JSON.stringify({ ...own, alive })));
  }
}

/** @param {() => string | null} get @returns {any} */
function stored(get) {
  try {
    const known = JSON.parse(get() ?? 'null');
    return typeof known?.token === 'string' && typeof known?.name === 'string' ? known : null;
  } catch {
    return null;
  }
}

/** @param {() => void} set */
function keep(set) {
  try {
    set();
  } catch {
    // Without storage a reload is a new guest.
  }
}
