/** Which page an address shows. A new page is one line here. */

import { h } from '../ui/dom.js';
import { embedPage } from './embed.js';
import { gamePage } from './game.js';
import { lobbyPage } from './lobby.js';
import { link } from './parts.js';
import { tvPage } from './tv.js';

/**
 * @import {Context} from './context.js'
 * @import {VElement} from '../ui/dom.js'
 */

/** @type {{[name: string]: (context: Context) => VElement}} */
const PAGES = { lobby: lobbyPage, game: gamePage, tv: tvPage, embed: embedPage };

/** The names of the pages there are. */
export const PAGE_NAMES = new Set(Object.keys(PAGES));

/** @param {Context} context */
export function pageNode(context) {
  return (PAGES[context.state.route.name] ?? notFound)(context);
}

/** @param {Context} context */
function notFound({ t, act }) {
  return h('main.message', { id: 'main', key: 'unknown' },
    h('h1', null, t('app.notFound')),
    link('/', t('app.home'), act.go, { class: 'button primary' }));
}
