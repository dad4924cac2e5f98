/** Holds the state, and tells that it has changed, once for all changes of one turn. */

/** @template S */
export class Store {
  /** @type {S} */
  #state;
  /** @type {((state: S) => void)[]} */
  #listeners = [];
  #isDue = false;

  /** @param {S} state */
  constructor(state) {
    this.#state = state;
  }

  get state() {
    return this.#state;
  }

  /** @param {(state: S) => S} change */
  update(change) {
    const next = change(this.#state);
    if (next === this.#state) return;
    this.#state = next;
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      for (const listener of this.#listeners) listener(this.#state);
    });
  }

  /** @param {Partial<S>} changes */
  set(changes) {
    this.update((state) => ({ ...state, ...changes }));
  }

  /** @param {(state: S) => void} listener */
  subscribe(listener) {
    this.#listeners.push(listener);
  }
}
