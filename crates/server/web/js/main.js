/** Starts the page. */

import { followRatings } from './actions/ratings.js';
import { followRounds } from './actions/rounds.js';
import { followTurns } from './actions/turns.js';
import { App } from './app.js';
import { readSettings, SETTINGS_KEY } from './core/settings.js';
import { isOnline } from './core/state.js';
import { learn } from './i18n/words.js';
import { Screen } from './ui/screen.js';
import { pageKeys } from './ui/keys.js';
import { unlock } from './ui/sound.js';

/** The page is kept for later so many milliseconds after it has started. */
const KEEP_AFTER_MS = 3000;

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
followRatings(app);
followTurns(app);
followRounds(app);
app.start();
if (isAsked) app.setting('lang', inAddress);

// Files of the built page have a version in their address. What they take must not delay the page.
if (import.meta.url.includes('/v/') && !location.pathname.startsWith('/embed/')) {
  setTimeout(() => isOnline(app.store.state) && navigator.serviceWorker?.register('/service-worker.js').catch(() => {}), KEEP_AFTER_MS);
}

addEventListener('keydown', pageKeys(app));
addEventListener('pointerdown', (event) => {
  document.documentElement.classList.remove('kbd');
  if (event.isTrusted) unlock();
});
addEventListener('keydown', unlock);
document.addEventListener('visibilitychange', () => screen.draw());
