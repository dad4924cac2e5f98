/** The page's words in Russian. A word with a number has a form for each of `pluralForms`. */

import { game } from './ru_game.js';
import { site } from './ru_site.js';

/** @type {import('./words.js').Words} */
export const ru = { ...site, ...game };
