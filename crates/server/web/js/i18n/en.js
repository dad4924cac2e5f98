/** The page's words in English. A word with a number has a form for each of `pluralForms`. */

import { game } from './en_game.js';
import { site } from './en_site.js';

/** @type {import('./words.js').Words} */
export const en = { ...site, ...game };
