/** Which page an address shows. A new page is one line here. */

import { h } from '../ui/dom.js';
import { embedPage } from './embed.js';
import { gamePage } from './game.js';
import { lobbyPage } from './lobby.js';
import { isJudged } from '../core/state.js';
import { link } from './parts.js';
import { tvPage } from './tv.js';

/**
 * @import {App} from '../app.js'
 * @import {Context} from './context.js'
 * @import {Table} from '../core/table.js'
 * @import {VElement} from '../ui/dom.js'
 */

/** @type {{[name: string]: (context: Context) => VElement}} */
const PAGES = { lobby: lobbyPage, game: gamePage, tv: tvPage, embed: embedPage };

/**
 * Modules with the pages that they have, and their style sheet: loaded when one of the pages is opened.
 * @typedef {'study' | 'records' | 'moderation' | 'explorer'} LaterName
 */
const LATER = {
  study: { pages: ['analysis', 'editor', 'help'], load: () => Promise.all([import('./study.js'), loadStyle('/assets/css/study.css')]) },
  records: { pages: ['games', 'player', 'account', 'ratings', 'tournaments', 'tournament', 'correspondence'], load: () => Promise.all([import('./records.js'), loadStyle('/assets/css/records.css')]) },
  moderation: { pages: ['report', 'moderation'], load: () => Promise.all([import('./moderation.js'), loadStyle('/assets/css/records.css')]) },
  explorer: { pages: ['explorer', 'lessons', 'lesson'], load: () => Promise.all([import('./explorer.js'), loadStyle('/assets/css/explorer.css')]) },
};
/**
 * What has been loaded.
 * @type {{study?: typeof import('./study.js').later, records?: typeof import('./records.js').later,
 *   moderation?: typeof import('./moderation.js').later, explorer?: typeof import('./explorer.js').later}}
 */
const loadedLater = {};

/** The names of the pages there are. */
export const PAGE_NAMES = new Set([...Object.keys(PAGES), ...Object.values(LATER).flatMap(({ pages }) => pages)]);

/**
 * The modules loaded later that what is in view needs.
 * @param {string} name @param {Table | null} table @returns {LaterName | null}
 */
export function laterOf(name, table) {
  const names = /** @type {LaterName[]} */ (Object.keys(LATER));
  const found = names.find((later) => LATER[later].pages.includes(name));
  return found ?? ((name === 'game' || name === 'tv') && table != null && isJudged(table) ? 'study' : null);
}

/** Loads modules, with how their pages look, and starts what the pages ask for. @param {LaterName} name @param {App} app */
export async function startLater(name, app) {
  const [{ later }] = await LATER[name].load();
  /** @type {any} */ (loadedLater)[name] = later;
  return later.start(app);
}

/** The dialogs that are loaded later. @returns {{[name: string]: (context: Context) => any}} */
export function laterDialogs() {
  return loadedLater.study?.dialogs ?? {};
}

/** @param {string} href */
function loadStyle(href) {
  return new Promise((loaded, failed) => {
    const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload: loaded });
    sheet.onerror = () => {
      sheet.remove();
      failed(new Error(href));
    };
    document.head.append(sheet);
  });
}

/** @param {Context} context */
export function pageNode(context) {
  const { name } = context.state.route;
  const { study, ...others } = loadedLater;
  const pages = Object.assign({}, PAGES, study?.pages, ...Object.values(others).map((later) => later.pages));
  const page = pages[name] ?? (PAGE_NAMES.has(name) ? loading : notFound);
  return page(context.study && study ? { ...context, live: study.live } : context);
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
