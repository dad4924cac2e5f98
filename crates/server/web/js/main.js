/** Starts the page. */

import { App } from './app.js';
import { readSettings, SETTINGS_KEY } from './core/settings.js';
import { learn } from './i18n/words.js';
import { Screen } from './ui/screen.js';
import { pageKeys } from './ui/keys.js';
import { unlock } from './ui/sound.js';

/** @returns {string | null} */
function storedSettings() {
  try {
    return localStorage.getItem(SETTINGS_KEY);
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
// Who sits at a table has all that a game needs: what comes after this needs the server's word alone.
await screen.loadDialogs();
app.start();

addEventListener('keydown', pageKeys(app));
addEventListener('pointerdown', (event) => {
  document.documentElement.classList.remove('kbd');
  if (event.isTrusted) unlock();
});
addEventListener('keydown', unlock);
document.addEventListener('visibilitychange', () => screen.draw());
