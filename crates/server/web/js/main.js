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

const remembered = readSettings(storedSettings(), navigator.languages);
const inAddress = new URLSearchParams(location.search).get('lang');
const isAsked = inAddress === 'ru' || inAddress === 'en';
if (isAsked) remembered.lang = inAddress;

await learn(remembered.lang);
export const app = new App(remembered);
const screen = new Screen(app, /** @type {Element} */ (document.getElementById('app')));
screen.draw();
app.start();
if (isAsked) app.setting('lang', inAddress);

addEventListener('keydown', pageKeys(app));
addEventListener('pointerdown', (event) => {
  document.documentElement.classList.remove('kbd');
  if (event.isTrusted) unlock();
});
addEventListener('keydown', unlock);
document.addEventListener('visibilitychange', () => screen.draw());
