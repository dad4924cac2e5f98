/** What the tab, the history and bookmarks call a page. */

import { viewedTable } from '../core/state.js';
import { playerName } from './player.js';

/**
 * @import {State} from '../core/state.js'
 * @import {Table} from '../core/table.js'
 * @import {Translate} from '../i18n/words.js'
 */

/** Between the names of the players, by result. @type {{[result: string]: string}} */
const SCORES = { white_won: '1–0', black_won: '0–1', draw: '½–½' };

/** @param {State} state @param {Translate} t */
export function pageTitle(state, t) {
  const own = ownTitle(state, t);
  return own ? `${own} – ${t('app.title')}` : t('app.title');
}

/** What tells the page from the others; nothing for the front page. @param {State} state @param {Translate} t */
function ownTitle(state, t) {
  const { name, id, query } = state.route;
  const table = viewedTable(state);
  switch (name) {
    case 'lobby': return '';
    case 'player': case 'report': return id;
    case 'tournament': return state.page.tournament?.name ?? t('nav.tournaments');
    case 'game': case 'embed': return state.archive[id ?? ''] === 'missing' ? t('app.notFoundTitle') : playersTitle(table, t);
    case 'analysis': return [playersTitle(table, t), t('nav.analysis')].filter(Boolean).join(' – ');
    case 'games': return [query.player, t('nav.games')].filter(Boolean).join(' – ');
    case 'unknown': return t('app.notFoundTitle');
    default: return t(`nav.${name}`);
  }
}

/** `anna 1–0 boris`. @param {Table | null} table @param {Translate} t */
function playersTitle(table, t) {
  if (!table) return '';
  const [white, black] = [playerName(table, 'white', t), playerName(table, 'black', t)];
  if (!white || !black) return white || black;
  return `${white} ${SCORES[table.game?.result ?? ''] ?? '–'} ${black}`;
}
