/** The account page: registration, sessions, credentials. */

import { signInAddress } from '../core/route.js';
import { holdsSeat } from '../core/table.js';
import { askAs, fetchAs } from '../net/signed.js';

/**
 * @import {App} from '../app.js'
 *
 * @typedef {{id: number, label: string, created_ms: number, used_ms: number, own: boolean}} SessionEntry
 * @typedef {{name: string, created_ms: number, used_ms: number, scopes: string[]}} BotEntry
 * @typedef {{id: number, label: string, scopes: string[], created_ms: number, used_ms: number}} TokenEntry
 * @typedef {{id: string, code?: string, name: string, clock: string, speed: string, until_ms: number}} LadderEntry
 * @typedef {{players: string[], positions: number, same: number}} SimilarPlayers
 * @typedef {{name: string, role: string, created_ms: number, password: boolean, recovery: number,
 *   sessions: SessionEntry[], bots: BotEntry[], tokens: TokenEntry[], blocks: string[], ladders: LadderEntry[], code?: string}} AccountOverview with a `code` if something is wrong
 *
 * @typedef {object} AccountPage what `state.page` is on this page
 * @property {string} [key] the token that the account was asked for with
 * @property {AccountOverview} [account]
 * @property {{code: string, qr: string}} [link] to sign in on another device
 * @property {{name: string, token: string}} [bot] a bot with its new token, shown this once
 * @property {string} [token] a new token, shown this once
 * @property {string} [leaving] the bot or the ladder that is to be deleted, or `end` and the ladder that is to be ended, once that is confirmed
 * @property {{id: string, pairs: SimilarPlayers[]}} [similar] how alike the players of a ladder play
 * @property {string} [refused] why the name cannot be kept
 * @property {string} [at] what the last request was about
 * @property {string} [problem] what was wrong with it
 * @property {string} [done] what it has done
 */

/** The code in the address of a link. */
const LINK = /^#([a-z0-9]{20,40})$/;

export class Account {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The name that a guest wants to keep, and a code if it takes one. @type {{name: string, invitation: string} | null} */
    this.wish = null;
  }

  /** @returns {AccountPage} */
  get page() {
    return this.app.store.state.page;
  }

  /** Gets what the page lacks. */
  follow() {
    const { route, me } = this.app.store.state;
    if (route.name !== 'account') this.wish = null;
    this.#keepWish();
    if (route.name !== 'account' || !me.account || !me.token || this.page.key === me.token) return;
    // The invitation has just been used.
    if (me.recovery && this.invitation) history.replaceState(null, '', '/account');
    this.#change({ key: me.token });
    this.#load();
  }

  async #load() {
    const account = await this.ask('GET', '');
    this.#change({ account });
  }

  /** The code that a link has brought here. */
  get linkCode() {
    return location.pathname === '/invitation' ? null : codeInAddress();
  }

  /** The invitation that a link has brought here. */
  get invitation() {
    return location.pathname === '/invitation' ? codeInAddress() : null;
  }

  /** Whether the invitation is the link for the first administrator. */
  get isForAdministrator() {
    return this.invitation != null && location.search === '?administrator';
  }

  /** Becomes the administrator by the link that the server has printed. @param {string} code */
  async claim(code) {
    const answer = await this.ask('POST', '/administrator', { code });
    if (answer.done) history.replaceState(null, '', '/account');
    this.#told('administrator', answer.done ? { done: 'account.isAdministrator' } : { problem: failureOf(answer) });
    await this.#load();
  }

  /** Asks for an account under a name, which the guest takes first. @param {string} name @param {string} invitation */
  keep(name, invitation) {
    this.#change({ refused: undefined });
    this.wish = { name: name.trim(), invitation: invitation.trim() };
    if (this.wish.name === this.app.store.state.me.name) this.#keepWish();
    else if (this.#isSeated()) this.wish = null;
    else this.app.rename(this.wish.name);
  }

  /** Keeps the name that the guest wanted, unless the server has refused it. */
  #keepWish() {
    const { me } = this.app.store.state;
    if (!this.wish || !me.joined || me.wish != null) return;
    const { name, invitation } = this.wish;
    this.wish = null;
    if (me.name === name) this.app.send({ type: 'keep_name', ...(invitation && { invitation }) });
  }

  /** Whether the player has a seat, which a change of name would lose; says so. */
  #isSeated() {
    const isSeated = Object.values(this.app.store.state.tables).some(holdsSeat);
    if (isSeated) this.app.notify('error.renameLater');
    return isSeated;
  }

  /** Signs in by name and password, or by a code. @param {{name: string, password: string} | {code: string}} shown */
  async signIn(shown) {
    if (this.#isSeated()) return;
    const answer = await this.ask('POST', '/sign-in', { ...shown, label: deviceName(navigator.userAgent) });
    if (!answer.token) return this.#told('sign-in', { problem: failureOf(answer) });
    if (this.linkCode) history.replaceState(null, '', '/account');
    this.app.identity.remember(answer.name, answer.token);
    this.#comeIn();
  }

  async signOut() {
    if (!this.#isSeated()) await this.#leave('sign-out');
  }

  /** Asks for something that ends the session, and joins as a guest if it is done. @param {string} path @param {any} [body] */
  async #leave(path, body) {
    const { token } = this.app.store.state.me;
    // The server disconnects whoever is signed out, which is no news here.
    this.app.socket.stop();
    const answer = await this.ask('POST', `/${path}`, body);
    if (!answer.done) {
      this.app.socket.connect();
      return this.#told(path, { problem: failureOf(answer) });
    }
    // Another tab may have joined as a guest already.
    if (this.app.identity.recall()?.token === token) {
      this.app.identity.forget();
      // The name is the account's.
      this.app.setting('name', '');
    }
    this.#comeIn();
  }

  /** Joins with the stored identity, of which it is not known yet whether it is an account. */
  #comeIn() {
    this.app.store.update((state) => ({ ...state, page: {}, me: { ...state.me, account: undefined } }));
    this.app.socket.connect();
  }

  /** @param {number} id */
  async endSession(id) {
    await this.#tell('POST', `/sessions/${id}/end`, undefined, 'account.ended');
  }

  /** @param {string} name @param {string[]} scopes */
  async createBot(name, scopes) {
    await this.#askForToken('/bots', { name: name.trim(), scopes });
  }

  /** @param {string} label @param {string[]} scopes */
  async createToken(label, scopes) {
    const { token, code } = await this.ask('POST', '/tokens', { label: label.trim(), scopes });
    this.#told('tokens', { token, problem: code && failureOf({ code }) });
    await this.#load();
  }

  /** @param {number} id */
  async revoke(id) {
    this.#change({ token: undefined });
    await this.#tell('POST', `/tokens/${id}/revoke`, undefined, 'account.revoked');
  }

  /** @param {string} name */
  async renewToken(name) {
    await this.#askForToken(`${botPath(name)}/token`);
  }

  /** @param {string} path @param {any} [body] */
  async #askForToken(path, body) {
    const answer = await this.ask('POST', path, body);
    this.#told('bots', answer.token ? { bot: answer } : { bot: undefined, problem: failureOf(answer) });
    await this.#load();
  }

  /** Asks whether to delete a bot or a ladder, or to end a ladder, or no longer does. @param {string} [name] */
  askToDelete(name) {
    this.#change({ leaving: name });
  }

  /** @param {string} name */
  async deleteBot(name) {
    this.#change({ leaving: undefined, bot: undefined });
    await this.#tell('POST', `${botPath(name)}/delete`, undefined, 'account.botDeleted');
  }

  /** @param {{name: string, clock: string, days: number}} wanted */
  async createLadder(wanted) {
    const answer = await this.ask('POST', '/ladders', wanted);
    this.#told('ladders', answer.id ? { done: 'account.ladderCreated' } : { problem: failureOf(answer) });
    await this.#load();
  }

  /** @param {string} id @param {'end' | 'delete'} how */
  async closeLadder(id, how) {
    this.#change({ leaving: undefined, similar: undefined });
    await this.#tell('POST', `/ladders/${id}/${how}`, undefined, how === 'end' ? 'account.ladderEnded' : 'account.ladderDeleted');
  }

  /** Asks how alike the players of a ladder play. @param {string} id */
  async compare(id) {
    const answer = await this.ask('GET', `/ladders/${id}/similarity`);
    this.#told('ladders', answer.pairs ? { similar: { id, pairs: answer.pairs } } : { problem: failureOf(answer) });
  }

  /** @param {string} password */
  async setPassword(password) {
    await this.#tell('POST', '/password', { password }, 'account.passwordSet');
  }

  async renewRecovery() {
    const answer = await this.ask('POST', '/recovery');
    if (answer.recovery) this.app.store.update((state) => ({ ...state, me: { ...state.me, recovery: answer.recovery } }));
    this.#told('recovery', { problem: answer.recovery ? undefined : failureOf(answer) });
    document.getElementById('codes-title')?.scrollIntoView();
    await this.#load();
  }

  async makeLink() {
    const answer = await this.ask('POST', '/link', { page: signInAddress(this.app.store.state.me.name) });
    this.#told('link', answer.qr ? { link: answer } : { problem: failureOf(answer) });
  }

  /** Downloads all data of the account. */
  async exportAll() {
    try {
      const answer = await fetchAs(this.app.store.state.me.token, 'GET', '/api/account/export');
      if (answer.headers.get('content-type') === 'application/zip') this.app.act.download('account.zip', await answer.arrayBuffer());
      else this.#told('export', { problem: failureOf(await answer.json()) });
    } catch {
      this.#told('export', { problem: failureOf({ code: 'unreachable' }) });
    }
  }

  /** Deletes the account, if its name was repeated. @param {string} name */
  async delete(name) {
    const { me } = this.app.store.state;
    if (name.trim() !== me.name) return this.#told('delete', { problem: 'account.problem.wrong_name' });
    if (this.#isSeated()) return;
    await this.#leave('delete', { name: me.name });
  }

  /** @param {string} method @param {string} path @param {any} body @param {string} done */
  async #tell(method, path, body, done) {
    const answer = await this.ask(method, path, body);
    this.#told(path.split('/')[1] ?? '', answer.done ? { done } : { problem: failureOf(answer) });
    await this.#load();
  }

  /** What came of a request is told where it was made. @param {string} at @param {AccountPage} outcome */
  #told(at, outcome) {
    this.#change({ at, problem: undefined, done: undefined, ...outcome });
  }

  /** Asks the server something about the account. @param {string} method @param {string} path @param {any} [body] @returns {Promise<any>} */
  ask(method, path, body) {
    return askAs(this.app.store.state.me.token, method, `/api/account${path}`, body);
  }

  /** @param {AccountPage} changes */
  #change(changes) {
    if (this.app.store.state.route.name !== 'account') return;
    this.app.store.update((state) => ({ ...state, page: { ...state.page, ...changes } }));
  }
}

/** A code behind the `#` of the address. */
function codeInAddress() {
  return LINK.exec(location.hash)?.[1] ?? null;
}

/** @param {string} name */
function botPath(name) {
  return `/bots/${encodeURIComponent(name)}`;
}

/** @param {{code: string}} answer the key of what was wrong */
function failureOf({ code }) {
  return `account.problem.${code}`;
}

/** What to call this browser in the list of sessions, such as `Firefox, Linux`. @param {string} agent */
export function deviceName(agent) {
  const first = (/** @type {string[]} */ names) => names.find((name) => agent.includes(name)) ?? '';
  const browser = first(['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari']);
  const system = first(['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux']);
  const names = /** @type {{[name: string]: string}} */ ({ Edg: 'Edge', OPR: 'Opera', 'Mac OS': 'macOS' });
  return [browser, system].filter(Boolean).map((name) => names[name] ?? name).join(', ');
}
