/** The pages of finished games and of those who played them: loaded when one of them is opened. */

import { Account } from '../actions/account.js';
import { Correspondence } from '../actions/correspondence.js';
import { Records } from '../actions/records.js';
import { Tournaments } from '../actions/tournaments.js';
import { accountPage } from './account.js';
import { correspondencePage } from './correspondence.js';
import { gamesPage } from './games.js';
import { playerPage } from './player_page.js';
import { ratingsPage } from './ratings.js';
import { tournamentPage } from './tournament.js';
import { tournamentsPage } from './tournaments.js';

/**
 * @import {App} from '../app.js'
 * @import {Context} from './context.js'
 */

/** @type {{[name: string]: (context: Context) => any}} */
const recordPages = { games: gamesPage, player: playerPage, account: accountPage, ratings: ratingsPage, tournaments: tournamentsPage, tournament: tournamentPage, correspondence: correspondencePage };

/** All that the page asks of these modules. */
export const later = { pages: recordPages, start: startRecords };

/** @param {App} app */
function startRecords(app) {
  const account = new Account(app);
  return new Records(app, account, new Tournaments(app, account), new Correspondence(app, account));
}
