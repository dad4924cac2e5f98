/** Starts the page. */

import { App } from './app.js';
import { readSettings } from './core/settings.js';
import { learn } from './i18n/words.js';
import { Screen } from './ui/screen.js';
import { pageKeys } from './ui/keys.js';
import { unlock } from './ui/sound.js';

/** @returns {string | null} */
function storedSettings() {
  try {
    return localStorage.getItem('checkers.settings');
  } catch {
    return null;
  }
}

const settings = readSettings(storedSettings(), navigator.languages);
const asked = new URLSearchParams(location.search).get('lang');
if (asked === 'ru' || asked === 'en') settings.lang = asked;

await learn(settings.lang);
export const app = new App(settings);
const screen = new Screen(app, /** @type {Element} */ (document.getElementById('app')));
screen.draw();
app.start();
setTimeout(() => screen.loadDialogs(), 1000);

addEventListener('keydown', pageKeys(app));
addEventListener('pointerdown', (event) => {
  document.documentElement.classList.remove('kbd');
  if (event.isTrusted) unlock();
});
addEventListener('keydown', unlock);
document.addEventListener('visibilitychange', () => screen.draw());
