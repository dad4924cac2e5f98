/** The pages of finished games and of those who played them: loaded when one of them is opened. */

import { Account } from '../actions/account.js';
import { Records } from '../actions/records.js';
import { accountPage } from './account.js';
import { gamesPage } from './games.js';
import { playerPage } from './player_page.js';
import { ratingsPage } from './ratings.js';

/**
 * @import {App} from '../app.js'
 * @import {Context} from './context.js'
 */

/** @type {{[name: string]: (context: Context) => any}} */
const recordPages = { games: gamesPage, player: playerPage, account: accountPage, ratings: ratingsPage };

/** All that the page asks of these modules. */
export const later = { pages: recordPages, start: (/** @type {App} */ app) => new Records(app, new Account(app)) };
