/** Tells screen readers what happens, through two regions that are always in the document. */

/** @param {string} text @param {boolean} urgent whether it may interrupt */
export function announce(text, urgent) {
  const region = document.getElementById(urgent ? 'say-now' : 'say');
  if (!region) return;
  // The same words twice are news twice.
  region.textContent = region.textContent === text ? `${text} ` : text;
}
