/** Which page an address shows. A new page is one line here. */

import { h } from '../ui/dom.js';
import { embedPage } from './embed.js';
import { gamePage } from './game.js';
import { lobbyPage } from './lobby.js';
import { isJudged } from '../core/state.js';
import { link } from './parts.js';
import { tvPage } from './tv.js';

/**
 * @import {Context} from './context.js'
 * @import {Table} from '../core/table.js'
 * @import {VElement} from '../ui/dom.js'
 */

/** @type {{[name: string]: (context: Context) => VElement}} */
const PAGES = { lobby: lobbyPage, game: gamePage, tv: tvPage, embed: embedPage };

/** Those that are loaded when they are opened. */
const LATER = new Set(['analysis', 'editor', 'help']);
/** @type {typeof import('./study.js').later | null} */
let studies = null;

/** The names of the pages there are. */
export const PAGE_NAMES = new Set([...Object.keys(PAGES), ...LATER]);

/** Whether what is in view is made by modules that are loaded later. @param {string} name @param {Table | null} table */
export function isLater(name, table) {
  return LATER.has(name) || ((name === 'game' || name === 'tv') && table != null && isJudged(table));
}

/** Loads them. */
export async function loadLater() {
  return (studies ??= (await import('./study.js')).later);
}

/** @param {Context} context */
export function pageNode(context) {
  const { name } = context.state.route;
  const page = PAGES[name] ?? studies?.pages[name] ?? (LATER.has(name) ? loading : notFound);
  return page(context.study && studies ? { ...context, live: studies.live } : context);
}

/** @param {Context} context */
function loading({ state, t }) {
  return h('main.message', { id: 'main', key: 'loading', 'aria-live': 'polite' },
    h('h1', null, t(state.unreachable ? 'link.trying' : 'app.loading')));
}

/** @param {Context} context */
function notFound({ t, act }) {
  return h('main.message', { id: 'main', key: 'unknown' },
    h('h1', null, t('app.notFound')),
    link('/', t('app.home'), act.go, { class: 'button primary' }));
}
