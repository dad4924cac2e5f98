/** What a person can do on the page. Renderers get these and nothing else of the app. */

import { freshBoard, viewedTable } from '../core/state.js';
import { holdsSeat, isRunning, offerBy, other } from '../core/table.js';
import { botsOnly, newGame, request } from '../core/new_game.js';
import { serverAt } from '../core/route.js';
import { ask } from '../net/ask.js';
import { focusMain } from '../ui/focus.js';
import { boardActions } from './board.js';

/**
 * @import {App} from '../app.js'
 * @import {Color, OfferKind} from '../protocol.js'
 *
 * @typedef {ReturnType<typeof createActions>} Actions
 */

/** @param {App} app */
export function createActions(app) {
  return { ...pageActions(app), ...lobbyActions(app), ...gameActions(app), ...boardActions(app) };
}

/** @param {App} app */
function pageActions(app) {
  const { store } = app;
  return {
    /** @param {string} path */
    go: (path) => app.go(path),
    /** @param {string} name @param {any} value */
    set: (name, value) => app.setting(name, value),
    /** @param {string} name */
    open: (name) => store.set({ dialog: { name } }),
    close: () => store.set({ dialog: null }),
    /** Shows nothing but the game, or everything again. */
    zen: () => store.update((state) => ({ ...state, form: { ...state.form, zen: !state.form.zen } })),
    dismiss: () => store.set({ notice: null }),
    reconnect: () => app.socket.connect(),
    disconnect: () => app.leave(),
    /** To the server at an address: the own one is connected to, the page of another is opened. @param {string} address */
    connect(address) {
      const origin = serverAt(address, location.origin);
      if (origin == null) app.notify('error.bad_address');
      else if (origin === location.origin) app.socket.connect();
      else location.assign(origin);
    },
    reload: () => location.reload(),
    skip: () => focusMain(true),
    /** @param {{[name: string]: any}} changes */
    fill: (changes) => store.update((state) => ({ ...state, form: { ...state.form, ...changes } })),
    /** @param {string} text */
    copy(text) {
      copyText(text).then(() => app.notify('game.copied'), () => {});
    },
    /** @param {string} name @param {string | ArrayBuffer} content */
    download(name, content) {
      const url = URL.createObjectURL(new Blob([content], { type: 'text/plain' }));
      const link = Object.assign(document.createElement('a'), { href: url, download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    },
  };
}

/** Copies without the newer interface where the page did not come over TLS, or may not use it. @param {string} text */
async function copyText(text) {
  try {
    if (navigator.clipboard) return await navigator.clipboard.writeText(text);
  } catch {
    // The browser refuses.
  }
  const area = Object.assign(document.createElement('textarea'), { value: text });
  const parent = document.querySelector('dialog[open]') ?? document.body;
  parent.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('the browser refuses to copy');
}

/** @param {App} app */
function lobbyActions(app) {
  const { store } = app;
  return {
    startGame() {
      const { form } = store.state;
      app.send(request(newGame(form), Math.random()));
    },
    /** Two computers of the chosen level play, to be watched. */
    watchComputers() {
      app.send(botsOnly(newGame(store.state.form)));
    },
    /** Finds out who is here. */
    async people() {
      const { players = [] } = await ask('/api/players');
      store.update((state) => ({ ...state, form: { ...state.form, people: players } }));
    },
    /** Challenges somebody to the game that is set up. @param {string} opponent */
    invite(opponent) {
      app.send({ ...request({ ...newGame(store.state.form), against: 'friend' }, Math.random()), opponent });
    },
    /** Plays who waits for a quick game with this clock. @param {string} clock @param {boolean} rated */
    quick(clock, rated) {
      store.update((state) => ({ ...state, form: { ...state.form, against: 'quick' } }));
      app.send({ type: 'quick', clock, ...(rated && { rated }) });
    },
    /** From a game of a tournament to the next one. @param {string} tournament */
    nextPairing(tournament) {
      app.go(`/tournament/${tournament}`);
      app.send({ type: 'quick', tournament });
    },
    cancelQuick: () => app.send({ type: 'cancel_quick' }),
    /** @param {string} table @param {Color} color */
    sit(table, color) {
      app.watch(table);
      app.send({ type: 'take_seat', table, color });
      app.go(`/g/${table}`);
    },
    /** @param {string} table */
    acceptChallenge(table) {
      dropChallenge(table);
      app.watch(table);
      app.send({ type: 'take_seat', table, color: 'random' });
      app.go(`/g/${table}`);
    },
    /** @param {string} table */
    declineChallenge(table) {
      dropChallenge(table);
      app.send({ type: 'decline_challenge', table });
    },
    withdraw() {
      const table = viewedTable(store.state);
      if (table) app.send({ type: 'leave_seat', table: table.id });
      app.go('/');
    },
    /** @param {string} name */
    rename(name) {
      if (Object.values(store.state.tables).some(holdsSeat)) app.notify('error.renameLater');
      else if (name.trim() && name.trim() !== store.state.me.name) app.rename(name.trim());
    },
  };

  /** @param {string} table */
  function dropChallenge(table) {
    store.update((state) => ({ ...state, challenges: state.challenges.filter((open) => open.table !== table) }));
  }
}

/** @param {App} app */
function gameActions(app) {
  const { store } = app;
  /** Says something about the game in view. @param {{type: string, [field: string]: any}} message */
  const say = (message) => {
    const table = viewedTable(store.state);
    if (table?.game) app.send({ ...message, table: table.id, game: table.game.game });
  };
  return {
    resign() {
      store.set({ dialog: null });
      say({ type: 'resign' });
    },
    abort: () => say({ type: 'abort' }),
    /** @param {OfferKind} kind */
    offer(kind) {
      const table = viewedTable(store.state);
      const isTheirs = table?.you && offerBy(table, kind) === other(table.you);
      say({ type: `${isTheirs ? 'accept' : 'offer'}_${kind}` });
    },
    /** @param {OfferKind} kind @param {boolean} yes */
    answer: (kind, yes) => say({ type: `${yes ? 'accept' : 'decline'}_${kind}` }),
    /** @param {string} phrase */
    sayPhrase(phrase) {
      store.set({ dialog: null });
      say({ type: 'say', phrase });
    },
    /** @param {'win' | 'draw'} result */
    claim: (result) => say({ type: 'claim', result }),
    /** Opens the field for typed moves where there is no room for it, or closes it. */
    typing() {
      const typing = !store.state.form.typing;
      store.update((state) => ({ ...state, form: { ...state.form, typing } }));
      if (typing) requestAnimationFrame(() => document.getElementById('typed-move')?.focus());
    },
    flip: () => store.update((state) => ({ ...state, board: { ...state.board, flipped: !state.board.flipped } })),
    /** Looks at the position after `ply` moves. @param {number} ply */
    view(ply) {
      if (store.state.route.name === 'analysis') return app.study?.view(ply);
      store.update((state) => {
        const table = viewedTable(state);
        const last = table?.game?.ply ?? 0;
        const to = Math.max(0, Math.min(last, ply));
        const isLatest = to === last && table != null && (isRunning(table) || ply >= last);
        return { ...state, board: { ...state.board, viewPly: isLatest ? null : to, path: [] } };
      });
    },
    /** From the game that is over to the one that is played there now. */
    nextGame: () => store.set({ held: null, board: freshBoard() }),
    resetBoard: () => store.update((state) => ({ ...state, board: { ...freshBoard(), flipped: state.board.flipped } })),
  };
}
