/** Where the focus goes when its element is gone, and from the first link of the page. */

/** To the board of a game, if that is wanted, or else to the contents of the page. @param {boolean} toBoard */
export function focusMain(toBoard) {
  const main = document.getElementById('main');
  if (!main) return;
  main.tabIndex = -1;
  const board = toBoard && document.querySelector('main.game [data-sq][tabindex="0"]');
  /** @type {HTMLElement} */ (board || main).focus({ preventScroll: true });
}
