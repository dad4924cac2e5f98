/**
 * Who the people at this browser are: one for all its tabs. The secret that the server gave lies where
 * all tabs see it. A board on another page is nobody's, and keeps nothing.
 */

const ME = 'checkers.me';
const UNFINISHED = 'checkers.unfinished';

/** @typedef {{name: string, token: string}} Known */

export class Identity {
  /** Who this tab was last, for as long as it is open. @type {Known | null} */
  #known = null;

  /** @param {boolean} isShared whether the browser is to remember it */
  constructor(isShared) {
    this.isShared = isShared;
    /** Whether the browser remembers it, if it is to. */
    this.isKept = !isShared || keep('checkers.kept', 'yes');
  }

  /** @returns {Known | null} */
  recall() {
    const known = this.isShared ? kept(ME) : null;
    return typeof known?.token === 'string' && typeof known?.name === 'string' ? known : this.#known;
  }

  /** @param {string} name @param {string} token */
  remember(name, token) {
    this.#known = { name, token };
    if (this.isShared) keep(ME, JSON.stringify(this.#known));
  }

  /** Forgets the identity. */
  forget() {
    this.#known = null;
    if (this.isShared) keep(ME, 'null');
  }

  /** The own games whose end nobody here has seen. @returns {{[game: string]: any}} */
  unfinished() {
    return (this.isShared && kept(UNFINISHED)) || {};
  }

  /** @param {{[game: string]: any}} games */
  keepUnfinished(games) {
    if (this.isShared) keep(UNFINISHED, JSON.stringify(games));
  }
}

/** @param {string} key @returns {any} */
function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} value @returns {boolean} whether the browser keeps it */
function keep(key, value) {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
