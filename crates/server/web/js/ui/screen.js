/** Draws the page for a state, and keeps what no renderer can: title, theme, clocks, scrolling. */

import { isMine } from '../core/receive.js';
import { viewedTable } from '../core/state.js';
import { LOW_TIME_MS, nextChange, remaining } from '../game/clock.js';
import { translator } from '../i18n/words.js';
import { dialogNode } from '../views/dialogs.js';
import { banner, header, toast } from '../views/header.js';
import { PAGE_NAMES, pageNode } from '../views/pages.js';
import { iconButton } from '../views/parts.js';
import { pageTitle } from '../views/title.js';
import { announce } from './announcer.js';
import { patch } from './dom.js';
import { focusMain } from './focus.js';
import { boardKeys } from './keys.js';
import { playSound } from './sound.js';
import { pointerEvents } from './touch.js';

/**
 * @import {App} from '../app.js'
 * @import {Context} from '../views/context.js'
 * @import {State} from '../core/state.js'
 */

export class Screen {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The list of moves, and the place in it that is in sight. @type {[HTMLElement | null, string]} */
  #shown = [null, ''];
  #warned = '';
  #wasTurn = false;
  /** Graphs that are loaded later make the list smaller. */
  #resized = new ResizeObserver(() => {
    this.#shown[1] = '';
    this.#followMoves(this.app.store.state);
  });

  /** @param {App} app @param {Element} root */
  constructor(app, root) {
    this.app = app;
    this.root = root;
    this.boardEvents = { ...pointerEvents(app), keydown: boardKeys(app), focusin: focusMoved(app) };
    app.store.subscribe(() => this.draw());
  }

  draw() {
    const { app } = this;
    const { state } = app.store;
    const frame = app.animator.frame(state);
    const now = performance.now();
    const t = translator(state.settings.lang);
    const seen = viewedTable(state);
    const isPlaying = seen != null && isMine(seen);
    /** @type {Context} */
    const context = {
      state, t, now, frame, act: app.act, origin: location.origin,
      study: app.study, records: app.records, moderation: app.moderation, explorer: app.explorer, table: seen, boardEvents: this.boardEvents, pages: PAGE_NAMES,
      tools: () => [
        state.board.shapes.squares.length > 0 && iconButton('close', t('game.erase'), app.act.clear, { key: 'erase', id: 'erase' }),
        iconButton('flip', t('game.flip'), app.act.flip, { key: 'flip' }),
        isPlaying && iconButton('type', t('game.typeMove'), () => app.act.typing(), { key: 'type', class: 'narrow', 'aria-expanded': state.form.typing ? 'true' : 'false' }),
        iconButton('share', t('game.share'), () => app.act.open('share'), { key: 'share', 'data-icon': 'share' }),
      ].filter((tool) => tool !== false),
    };
    const isEmbedded = state.route.name === 'embed';
    const parts = [!isEmbedded && header(context), banner(context), pageNode(context), toast(context), dialogNode(context)];
    const focused = document.activeElement;
    patch(this.root, parts.filter((part) => part !== null && part !== false));
    // Who looks on goes through the game with the keys that move about on a board.
    if (focused !== document.body && document.activeElement === document.body) focusMain(isPlaying);
    app.animator.drawn(state);
    this.#document(state, t);
    this.#followMoves(state);
    this.#tick(state, now, t);
  }

  /** @param {State} state @param {(key: string) => string} t */
  #document(state, t) {
    const { lang, theme, board, size } = state.settings;
    const html = document.documentElement;
    html.lang = lang;
    html.dataset.theme = theme;
    html.dataset.board = board;
    html.style.setProperty('--scale', String(size / 100));
    html.toggleAttribute('data-zen', state.form.zen === true && state.route.name !== 'lobby' && viewedTable(state)?.game != null);
    html.dataset.page = state.route.name;
    const mine = Object.values(state.tables).some((table) => isMine(table) && table.game?.turn === table.you);
    const title = pageTitle(state, t);
    document.title = mine ? `● ${t('app.yourMove')} – ${title}` : state.turns > 0 ? `(${state.turns}) ${title}` : title;
    if (mine && !this.#wasTurn && document.hidden && state.settings.notify) new Notification(t('app.yourMove'), { tag: 'turn' });
    this.#wasTurn = mine;
    const sign = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel=icon]'));
    const wanted = mine && document.hidden ? '/assets/favicon-turn.svg' : '/assets/favicon.svg';
    if (sign && sign.getAttribute('href') !== wanted) sign.setAttribute('href', wanted);
  }

  /** Keeps the current move in sight in the list, after the last one the result, without scrolling the page. @param {State} state */
  #followMoves(state) {
    const game = viewedTable(state)?.game;
    const ply = state.board.viewPly ?? game?.ply ?? 0;
    const list = /** @type {HTMLElement | null} */ (document.querySelector('.moves'));
    const shown = `${ply} of ${list?.childElementCount}`;
    if (!list || (list === this.#shown[0] && shown === this.#shown[1])) return;
    if (list !== this.#shown[0]) {
      this.#resized.disconnect();
      this.#resized.observe(list);
    }
    this.#shown = [list, shown];
    const current = /** @type {HTMLElement | null} */ (list.querySelector('.current'));
    const isEnd = ply === game?.ply && list.querySelector('.result') != null;
    if (!current) list.scrollTo(0, 0);
    else if (isEnd) list.scrollTo(0, list.scrollHeight);
    else list.scrollTo({ top: current.offsetTop - list.clientHeight / 2, left: current.offsetLeft - list.clientWidth / 2 });
  }

  /** Draws again when a clock or a countdown shows something else. @param {State} state @param {number} now @param {(key: string) => string} t */
  #tick(state, now, t) {
    clearTimeout(this.#timer);
    const waits = [];
    const table = viewedTable(state);
    const change = table?.reading && nextChange(table.reading, now);
    if (change != null) waits.push(change);
    if (table?.reading?.turn) {
      const ms = remaining(table.reading, table.reading.turn, now);
      if (table.game && table.bots[table.game[table.reading.turn]]) waits.push(1000 - ((now - table.reading.at) % 1000) + 10);
      if (ms != null && table.you === table.reading.turn) this.#warn(`${table.id}/${table.game?.game}`, ms, state, t);
    }
    if (state.route.name === 'lobby') {
      for (const { reading } of Object.values(state.tables).filter(isMine)) {
        const next = reading && nextChange(reading, now);
        if (next != null) waits.push(next);
      }
    }
    const counts = [state.connection.retryAt, table?.presence.white.claimAt, table?.presence.black.claimAt, table?.said.white?.until, table?.said.black?.until];
    for (const at of counts) if (at != null && at > now) waits.push(((at - now) % 1000) + 20);
    if (waits.length > 0) this.#timer = setTimeout(() => this.draw(), Math.max(16, Math.min(...waits)));
  }

  /** Says once a game that the own time is low. @param {string} game @param {number} ms @param {State} state @param {(key: string) => string} t */
  #warn(game, ms, state, t) {
    if (ms >= LOW_TIME_MS || ms === 0 || this.#warned === game) return;
    this.#warned = game;
    announce(t('say.lowTime'), true);
    if (state.settings.sound) playSound('low');
  }
}

/** The keyboard's place on the board is where the focus is. @param {App} app */
function focusMoved(app) {
  return (/** @type {FocusEvent} */ event) => {
    const square = /** @type {HTMLElement} */ (event.target).closest('[data-sq]')?.getAttribute('data-sq');
    if (square && app.store.state.board.focus !== square) app.act.focus(square);
  };
}
