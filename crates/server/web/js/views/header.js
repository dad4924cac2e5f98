/** The bar at the top, and what hangs from it when something is wrong. */

import { isProjected, playerPath } from '../core/route.js';
import { h } from '../ui/dom.js';
import { button, icon, iconButton, link } from './parts.js';

/** @import {Context} from './context.js' */

/** @type {{name: string, path: string}[]} */
const LINKS = [
  { name: 'lobby', path: '/' },
  { name: 'tv', path: '/tv' },
  { name: 'games', path: '/games' },
  { name: 'analysis', path: '/analysis' },
  { name: 'editor', path: '/editor' },
  { name: 'explorer', path: '/explorer' },
  { name: 'help', path: '/help' },
  { name: 'account', path: '/account' },
];

/** Where nothing comes without a connection. */
const LIVE = ['lobby', 'tv', 'game', 'tournament'];

/** @param {Context} context */
export function header(context) {
  const { state, t, act, pages } = context;
  const { lang, theme, sound } = state.settings;
  const hasBoard = context.table?.game != null && state.route.name !== 'lobby';
  const isDark = theme === 'dark';
  return h('header.top', { key: 'top' },
    link('#main', t('nav.skip'), act.skip, { class: 'skip button' }),
    link('/', [h('span.logo', { 'aria-hidden': 'true' }), h('span.title', null, t('app.title'))], act.go, { class: 'home', 'aria-label': t('app.title') }),
    h('nav', { id: 'menu', popover: 'auto', 'aria-label': t('nav.main'), on: { click: menuChosen } }, LINKS.filter(({ name }) => pages.has(name)).map(({ name, path }) =>
      link(path, t(`nav.${name}`), act.go, { key: name, 'aria-current': state.route.name === name ? 'page' : null }))),
    h('div.tools', null,
      linkState(context),
      hasBoard && iconButton('zen', `${t('game.zen')} (z)`, act.zen, { id: 'zen', 'aria-pressed': state.form.zen ? 'true' : 'false' }),
      button(lang === 'en' ? 'RU' : 'EN', () => act.set('lang', lang === 'en' ? 'ru' : 'en'),
        { class: 'text-button', lang: lang === 'en' ? 'ru' : 'en', 'aria-label': lang === 'en' ? 'RU – Русский' : 'EN – English' }),
      iconButton(isDark ? 'sun' : 'moon', `${t('settings.theme')}: ${t(isDark ? 'settings.theme.light' : 'settings.theme.dark')}`,
        () => act.set('theme', isDark ? 'light' : 'dark'), { class: 'wide' }),
      iconButton(sound ? 'sound' : 'mute', t('settings.sound'), () => act.set('sound', !sound), { 'aria-pressed': sound ? 'true' : 'false', class: 'wide' }),
      ownPage(context),
      iconButton('gear', t('nav.settings'), () => act.open('settings')),
      iconButton('menu', t('nav.main'), () => {}, { popovertarget: 'menu' })));
}

/** To the player's page of who looks at this one. @param {Context} context */
function ownPage({ state: { me, route }, t, act }) {
  const label = t('nav.ownGames');
  const isHere = route.name === 'player' && route.id === me.name;
  return me.name && link(playerPath(me.name), icon('person'), act.go,
    { class: 'button icon-button', id: 'own-page', title: label, 'aria-label': label, 'aria-current': isHere ? 'page' : null });
}

/** The menu of a small screen goes once something is chosen there. @param {Event} event */
function menuChosen(event) {
  /** @type {HTMLElement} */ (event.currentTarget).hidePopover();
}

/** The dot that says how the connection is. @param {Context} context */
function linkState({ state, t }) {
  const { status, rtt } = state.connection;
  const isUp = status === 'online' || status === 'slow';
  const text = isUp && rtt != null ? t(`link.${status}`, { n: Math.round(rtt) }) : t(status === 'off' || status === 'replaced' ? `link.${status}` : 'link.connecting');
  return h('span', { class: `link ${isUp ? status : 'away'}`, role: 'img', 'aria-label': text, title: text },
    h('span.dot'), h('span.rtt', { 'aria-hidden': 'true' }, isUp && rtt != null ? `${Math.round(rtt)} ms` : ''));
}

/** What is wrong with the connection; nothing while it is fine. @param {Context} context */
export function banner({ state, t, act, now }) {
  const { status, retryAt } = state.connection;
  const seconds = retryAt == null ? 0 : Math.max(0, Math.ceil((retryAt - now) / 1000));
  // Another connection has taken over, which the rest of the site does not need; guests cannot keep a name without it.
  const isIdle = status === 'replaced' && (isProjected(state.route) || (state.me.account && !LIVE.includes(state.route.name)));
  const isShown = !isIdle && status !== 'online' && status !== 'slow' && (status !== 'connecting' || state.connection.attempt > 0);
  const texts = {
    connecting: t('link.trying'),
    lost: seconds > 0 ? t('link.lost', { n: seconds }) : t('link.trying'),
    full: t('link.full', { n: seconds }),
    restarting: t('link.restarting'),
    replaced: t('link.replaced'),
    outdated: t('link.outdated'),
    off: t('link.off'),
    online: '',
    slow: '',
  };
  const answer = {
    replaced: () => button(t('link.useHere'), act.reconnect, { class: 'primary' }),
    outdated: () => button(t('link.reload'), act.reload, { class: 'primary' }),
    off: () => button(t('link.connect'), act.reconnect, { class: 'primary' }),
    lost: () => button(t('link.now'), act.reconnect),
    full: () => button(t('link.now'), act.reconnect),
  }[/** @type {string} */ (status)];
  return h('div', { key: 'banner', class: `banner${isShown ? ' shown' : ''} ${status}`, role: 'status' },
    isShown && h('span', null, texts[status]), isShown && answer?.());
}

/** A short message that goes away by itself. @param {Context} context */
export function toast({ state, t, act }) {
  const { notice } = state;
  if (!notice) return null;
  const text = notice.key.startsWith('error.') && t(notice.key) === notice.key
    ? t('error.other', { code: notice.key.slice(6) }) : t(notice.key, notice.params);
  return h('div.toast', { key: `toast${notice.times}`, role: 'status' },
    h('span', null, text), iconButton('close', t('notice.dismiss'), act.dismiss));
}
