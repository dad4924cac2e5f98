/** Holds the page together: state, connection, address, and what messages make it do. */

import { createActions } from './actions/actions.js';
import { loadArchived } from './actions/archive.js';
import { notice, receive } from './core/receive.js';
import { LOCAL } from './core/local.js';
import { isProjected, readRoute } from './core/route.js';
import { guestName, SETTINGS_KEY, writeSettings } from './core/settings.js';
import { freshBoard, initialState, isOnline, viewedId, viewedTable } from './core/state.js';
import { Store } from './core/store.js';
import { AT_FIRST, changes, wanted } from './net/subscriptions.js';
import { Socket } from './net/socket.js';
import { Animator } from './ui/animator.js';
import { announce } from './ui/announcer.js';
import { followPresence } from './net/presence.js';
import { Identity } from './net/identity.js';
import { LocalConnection } from './net/local.js';
import { reloadIfOutdated } from './net/version.js';
import { playSound } from './ui/sound.js';
import { learn, translator } from './i18n/words.js';
import { laterOf, startLater } from './views/pages.js';

/**
 * @import {Message} from './protocol.js'
 * @import {Effect} from './core/receive.js'
 * @import {State} from './core/state.js'
 * @import {Settings} from './core/settings.js'
 * @import {LaterName} from './views/pages.js'
 */

/** The version of the protocol that the page speaks. */
const PROTOCOL = 1;
/** After this a connection is called slow, in milliseconds there and back. */
const SLOW_MS = 500;
/** A move without an answer is sent again after so many milliseconds. */
const RESEND_MS = 2_500;
const NOTICE_MS = 5_000;

export class App {
  /** @param {Settings} settings */
  constructor(settings) {
    const route = readRoute(location.pathname, location.search, location.hash);
    /** @type {Store<State>} */
    this.store = new Store(initialState(route, settings));
    this.identity = new Identity(route.name !== 'embed');
    this.store.set({ board: { ...freshBoard(), viewPly: route.ply }, kept: this.identity.isKept, unfinished: this.identity.unfinished() });
    this.keptUnfinished = this.store.state.unfinished;
    this.animator = new Animator(this);
    this.told = AT_FIRST;
    this.noticeTimed = 0;
    /** @type {import('./actions/study.js').Study | null} */
    this.study = null;
    /** @type {import('./actions/records.js').Records | null} */
    this.records = null;
    /** @type {import('./actions/moderation.js').Moderation | null} */
    this.moderation = null;
    /** @type {import('./actions/explorer.js').Explorer | null} */
    this.explorer = null;
    /** @type {Set<LaterName>} what is being loaded */
    this.loading = new Set();
    this.hasHinted = false;
    this.local = new LocalConnection(this);
    this.act = createActions(this);
    const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
    this.socket = new Socket(url, {
      opened: () => this.#join(),
      message: (message) => this.receive(message),
      pong: (rtt) => this.#pong(rtt),
      changed: (news) => this.#linkChanged(news),
    });
    this.store.subscribe(() => this.follow());
  }

  start() {
    addEventListener('popstate', () => this.#arrive());
    addEventListener('hashchange', () => this.#arrive());
    setInterval(() => this.#resend(), 500);
    followPresence(this);
    this.follow();
  }

  /** @param {Message} message @returns {boolean} whether there was a connection to send it on */
  send(message) {
    return this.local.send(message) || this.socket.send(message);
  }

  /** Takes in what the server says. @param {Message} message */
  receive(message) {
    const { state, effects } = receive(this.store.state, message, performance.now());
    this.store.update(() => state);
    if (message.type === 'joined') this.#joined(message.protocol);
    for (const effect of effects) this.#do(effect);
    if (message.type === 'your_turn' || message.type === 'table_state') this.act.playPrepared();
  }

  /** Goes to an address of the page. @param {string} path */
  go(path) {
    if (path !== location.pathname + location.search + location.hash) history.pushState(null, '', path);
    this.#arrive();
    scrollTo(0, 0);
  }

  /** What cannot be had now, a language or being notified, is not changed to. @param {string} name @param {any} value */
  async setting(name, value) {
    if (name === 'lang' && !(await learn(value))) return this.notify('error.unreachable');
    if (name === 'notify' && value && await globalThis.Notification?.requestPermission() !== 'granted') return this.notify('notice.notNotified');
    this.store.update((state) => ({ ...state, settings: { ...state.settings, [name]: value } }));
    this.#keepSettings();
  }

  /** @param {string} key @param {{[name: string]: any}} [params] */
  notify(key, params) {
    this.store.update((state) => ({ ...state, notice: notice(state, key, params) }));
    announce(translator(this.store.state.settings.lang)(key, params), false);
  }

  /** Comes in anew under another name, or stays who it was if it cannot have that one. @param {string} wish */
  rename(wish) {
    this.store.update((state) => ({ ...state, me: { ...state.me, wish } }));
    this.socket.connect();
  }

  /** Ends the connection until a person wants one again. */
  leave() {
    this.socket.stop();
    this.#linkChanged({ status: 'off', retryAt: null, attempt: 0 });
  }

  /** Sends the move that waits for its confirmation, again if need be. */
  sendPending() {
    const { pending } = this.store.state.board;
    if (!pending || (pending.table !== LOCAL && !isOnline(this.store.state))) return;
    const { table, game, ply, text: move, id } = pending;
    this.send({ type: 'move', table, game, ply, move, id });
    this.animator.shown();
    this.store.update((state) => ({ ...state, board: { ...state.board, pending: { ...pending, sentAt: performance.now() } } }));
  }

  /** Comes to a table before anything else is said there. @param {string} table */
  watch(table) {
    if (this.told.tables.includes(table)) return;
    this.told = { ...this.told, tables: [...this.told.tables, table] };
    this.send({ type: 'watch', table });
  }

  /** Follows the tables that the page shows now, and no others. */
  follow() {
    const later = laterOf(this.store.state.route.name, this.table);
    if (later) this.#later(later);
    if (this.store.state.dialog?.name === 'share' && !this.study) this.#later('study');
    this.#timeNotice();
    this.#keepUnfinished();
    this.local.follow();
    if (!this.store.state.me.joined) return;
    const next = wanted(this.store.state);
    const messages = changes(this.told, next, this.store.state);
    this.told = next;
    for (const message of messages) this.send(message);
  }

  #keepUnfinished() {
    const { unfinished } = this.store.state;
    if (unfinished !== this.keptUnfinished) this.identity.keepUnfinished(unfinished);
    this.keptUnfinished = unfinished;
  }

  /** Lets a notice go after a while. */
  #timeNotice() {
    const { notice: shown } = this.store.state;
    if (!shown || shown.times === this.noticeTimed) return;
    this.noticeTimed = shown.times;
    setTimeout(() => {
      if (this.store.state.notice?.times === shown.times) this.store.set({ notice: null });
    }, NOTICE_MS);
  }

  /** @param {boolean} [anew] whether nobody is to be who they were */
  #join(anew = false) {
    const { me, me: { wish = null }, settings } = this.store.state;
    const known = anew || wish != null ? null : this.identity.recall();
    const name = wish ?? known?.name ?? (settings.name || guestName(Math.random()));
    const { recovery } = me.name === name ? me : {};
    this.store.update((state) => ({ ...state, me: { ...state.me, name, joined: false, token: known?.token ?? null, wish, recovery } }));
    this.send({ type: 'join', name, lobby: true, ...(known && { token: known.token }) });
  }

  /** @param {number} protocol the server's version of it */
  #joined(protocol) {
    if (protocol !== PROTOCOL) {
      this.socket.stop();
      this.store.update((state) => ({ ...state, connection: { status: 'outdated', rtt: null, retryAt: null, attempt: 0 } }));
      return;
    }
    this.told = AT_FIRST;
    // Another tab may have seen more meanwhile.
    if (this.identity.isKept) this.store.set({ unfinished: (this.keptUnfinished = this.identity.unfinished()) });
    this.follow();
    const { pending } = this.store.state.board;
    if (pending) this.sendPending();
  }

  /** @param {number} rtt */
  #pong(rtt) {
    if (this.store.state.connection.attempt > 0) announce(translator(this.store.state.settings.lang)('link.back'), false);
    this.store.update((state) => {
      const smooth = state.connection.rtt == null ? rtt : state.connection.rtt * 0.7 + rtt * 0.3;
      const status = smooth > SLOW_MS ? /** @type {const} */ ('slow') : /** @type {const} */ ('online');
      return { ...state, connection: { status, rtt: smooth, retryAt: null, attempt: 0 } };
    });
  }

  /** @param {{status: any, retryAt: number | null, attempt: number}} news */
  #linkChanged(news) {
    this.store.update((state) => ({
      ...state,
      me: { ...state.me, joined: false },
      queue: news.status === 'replaced' ? null : state.queue,
      connection: { ...news, rtt: null },
    }));
    const t = translator(this.store.state.settings.lang);
    if (news.status !== 'connecting') announce(t(`link.${news.status === 'lost' ? 'trying' : news.status}`, { n: 1 }), false);
  }

  #arrive() {
    const route = readRoute(location.pathname, location.search, location.hash);
    this.store.update((state) => {
      const before = viewedId(state);
      const next = { ...state, route, held: null, dialog: null, form: { ...state.form, typedProblem: null } };
      const isSame = before != null && before === viewedId(next);
      const isStudy = route.name === 'analysis' && state.route.name === 'analysis';
      const board = isStudy || (isSame && route.ply == null) ? state.board : { ...freshBoard(), viewPly: route.ply };
      return { ...next, board, page: route.name === state.route.name ? state.page : {} };
    });
    if (!isProjected(route)) this.socket.wake();
  }

  /** The pages that are loaded later get what they lack, once they are here. @param {LaterName} name */
  async #later(name) {
    if (this[name]) return this[name].follow();
    if (this.loading.has(name)) return;
    this.loading.add(name);
    try {
      const words = learn(this.store.state.settings.lang, name);
      /** @type {any} */ (this)[name] = await startLater(name, this);
      await words;
      this.store.set({ unreachable: false });
    } catch {
      reloadIfOutdated();
      this.store.set({ unreachable: true });
      setTimeout(() => {
        this.loading.delete(name);
        this.follow();
      }, NOTICE_MS);
    }
  }

  #resend() {
    const { pending } = this.store.state.board;
    if (pending && performance.now() - pending.sentAt > RESEND_MS) this.sendPending();
  }

  #keepSettings() {
    try {
      localStorage.setItem(SETTINGS_KEY, writeSettings(this.store.state.settings));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }

  /** @param {Effect} effect */
  #do(effect) {
    const { settings } = this.store.state;
    switch (effect.kind) {
      case 'send': this.send(effect.message); break;
      case 'sound': if (settings.sound) playSound(effect.sound, () => this.#hintAtSound()); break;
      case 'say': announce(translator(settings.lang)(effect.key, effect.params), effect.urgent === true); break;
      case 'go': this.go(effect.path); break;
      case 'remember': this.identity.remember(effect.name, effect.token); this.#keepSettings(); break;
      case 'join': setTimeout(() => this.#join(effect.anew), effect.later ? 1000 : 0); this.#keepSettings(); break;
      case 'archive': loadArchived(this, effect.id); break;
    }
  }

  /** Says once that the browser lets no sound be heard yet. */
  #hintAtSound() {
    if (!this.hasHinted) this.notify('notice.soundBlocked');
    this.hasHinted = true;
  }

  /** Draws again although nothing has changed but the time. */
  redraw() {
    this.store.update((state) => ({ ...state }));
  }

  /** The table in view. */
  get table() {
    return viewedTable(this.store.state);
  }
}
