/** Where the focus goes when its element is gone, and from the first link of the page. */

/** To the board, if there is one to play on, or else to the contents. */
export function focusMain() {
  const main = document.getElementById('main');
  if (!main) return;
  main.tabIndex = -1;
  /** @type {HTMLElement} */ (document.querySelector('main.game [data-sq][tabindex="0"]') ?? main).focus({ preventScroll: true });
}
