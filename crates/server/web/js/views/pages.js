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
const LATER = new Set(['analysis', 'editor', 'help', 'games', 'player', 'explorer', 'lessons', 'lesson']);
/** Of these, those of finished games. */
const RECORDS = new Set(['games', 'player']);
/** And those that look into searches. */
const EXPLORER = new Set(['explorer', 'lessons', 'lesson']);
/** @type {typeof import('./study.js').later | null} */
let studies = null;
/** @type {typeof import('./records.js').later | null} */
let records = null;
/** @type {typeof import('./explorer.js').later | null} */
let explorer = null;

/** The names of the pages there are. */
export const PAGE_NAMES = new Set([...Object.keys(PAGES), ...LATER]);

/**
 * The modules loaded later that what is in view needs.
 * @param {string} name @param {Table | null} table @returns {'study' | 'records' | 'explorer' | null}
 */
export function laterOf(name, table) {
  if (RECORDS.has(name)) return 'records';
  if (EXPLORER.has(name)) return 'explorer';
  return LATER.has(name) || ((name === 'game' || name === 'tv') && table != null && isJudged(table)) ? 'study' : null;
}

/** Loads the pages for looking back and looking things up, and how they look. */
export async function loadStudy() {
  if (!studies) {
    const [{ later }] = await Promise.all([import('./study.js'), loadStyle('/assets/css/study.css')]);
    studies = later;
  }
  return studies;
}

/** The dialogs that are loaded with them. @returns {{[name: string]: (context: Context) => any}} */
export function laterDialogs() {
  return studies?.dialogs ?? {};
}

/** Loads the pages of finished games, and how they look. */
export async function loadRecords() {
  if (!records) {
    const [{ later }] = await Promise.all([import('./records.js'), loadStyle('/assets/css/records.css')]);
    records = later;
  }
  return records;
}

/** Loads the search explorer and the lessons, and how they look. */
export async function loadExplorer() {
  if (!explorer) {
    const [{ later }] = await Promise.all([import('./explorer.js'), loadStyle('/assets/css/explorer.css')]);
    explorer = later;
  }
  return explorer;
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
  const page = PAGES[name] ?? studies?.pages[name] ?? records?.pages[name] ?? explorer?.pages[name] ?? (LATER.has(name) ? loading : notFound);
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
