/** Blocks and reports of players, and what moderators do. */

import { signInAddress } from '../core/route.js';
import { askAs } from '../net/signed.js';

/**
 * @import {App} from '../app.js'
 *
 * @typedef {{by: string, reason: string, game?: string, text: string, at_ms: number}} Report
 * @typedef {{name: string, role: string, muted_until_ms: number, suspended_until_ms: number, sanctions: number, reports: Report[]}} ReportedPlayer
 * @typedef {{id: number, at_ms: number, moderator: string, action: string, player: string, reason: string, until_ms: number}} LogEntry
 * @typedef {{name: string, role: string}} StaffEntry
 *
 * @typedef {object} ModerationPage what `state.page` is on these pages
 * @property {string} [key] the token and the address that it was asked for with
 * @property {{name: string, role: string, blocks: string[], code?: string}} [account]
 * @property {boolean} [isGuest] whether the player to be reported has no account
 * @property {ReportedPlayer[]} [players]
 * @property {LogEntry[]} [log]
 * @property {boolean} [hasMore] whether the log goes on
 * @property {StaffEntry[]} [staff]
 * @property {string} [code] a code that was made for somebody, as an address
 * @property {string} [problem] what was wrong with the last request
 * @property {string} [done] what it has done
 */

/** So many entries of the log come at a time. */
const PAGE = 50;

export class Moderation {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /** @returns {ModerationPage} */
  get page() {
    return this.app.store.state.page;
  }

  /** Gets what the page lacks. */
  follow() {
    const { route, me } = this.app.store.state;
    if (!['report', 'moderation'].includes(route.name) || !me.account) return;
    const key = `${me.token} ${location.pathname}`;
    if (this.page.key === key) return;
    this.app.store.update((state) => ({ ...state, page: { key } }));
    this.#load();
  }

  async #load() {
    const { key } = this.page;
    const account = await this.#ask('GET', '/account');
    const change = (/** @type {ModerationPage} */ changes) => this.page.key === key && this.#change(changes);
    const { route } = this.app.store.state;
    const known = route.name === 'report' ? await this.#ask('GET', `/account/blocks/${encodeURIComponent(route.id ?? '')}`) : {};
    change({ account, isGuest: known.code === 'not_found' });
    if (this.app.store.state.route.name !== 'moderation' || !moderates(account.role)) return;
    const [queue, log, staff] = await Promise.all(['reports', 'log', 'staff'].map((path) => this.#ask('GET', `/moderation/${path}`)));
    const code = queue.code ?? log.code ?? staff.code;
    if (code) change({ problem: problemOf(code) });
    else change({ players: queue.players, log: log.entries, hasMore: log.entries.length === PAGE, staff: staff.staff });
  }

  /** Gets older entries of the log. */
  async more() {
    const log = this.page.log ?? [];
    const { entries = [], code } = await this.#ask('GET', `/moderation/log?before=${log.at(-1)?.id}`);
    this.#change({ log: [...log, ...entries], hasMore: entries.length === PAGE, problem: code && problemOf(code) });
  }

  /** @param {string} name @param {boolean} isBlocked */
  async block(name, isBlocked) {
    if (isBlocked) await this.#do('/account/blocks', { name }, 'moderation.blocked');
    else await this.#do(`/account/blocks/${encodeURIComponent(name)}/end`, {}, 'moderation.unblocked');
  }

  /** @param {{name: string, reason: string, game: string, text: string}} report */
  async report(report) {
    const game = /([\w-]+-\d+)\/?(#\d+)?$/.exec(report.game.trim())?.[1] ?? report.game.trim();
    await this.#do('/account/reports', { ...report, game }, 'moderation.reported');
  }

  /** Does something with a player. @param {string} name @param {string} action @param {any} [body] */
  async act(name, action, body) {
    await this.#do(`/moderation/players/${encodeURIComponent(name.trim())}/${action}`, body, `moderation.has.${action}`);
  }

  /** Makes a code for a new account. */
  async invite() {
    const { invitation, code } = await this.#ask('POST', '/moderation/invitations');
    this.#change({ code: invitation && `${location.origin}/invitation#${invitation}`, problem: code && problemOf(code), done: undefined });
    await this.#load();
  }

  /** Makes a link for somebody who cannot sign in. @param {string} name */
  async link(name) {
    const { qr, code } = await this.#ask('POST', `/moderation/players/${encodeURIComponent(name.trim())}/link`);
    this.#change({ done: undefined, ...(qr ? { code: signInAddress(name.trim()) + code, problem: undefined } : { problem: problemOf(code) }) });
    await this.#load();
  }

  /** @param {string} path @param {any} body @param {string} done */
  async #do(path, body, done) {
    const { code } = await this.#ask('POST', path, body);
    this.#change({ problem: code && problemOf(code), done: code ? undefined : done, code: undefined });
    await this.#load();
  }

  /** @param {string} method @param {string} path @param {any} [body] @returns {Promise<any>} */
  #ask(method, path, body) {
    return askAs(this.app.store.state.me.token, method, `/api${path}`, body);
  }

  /** @param {ModerationPage} changes */
  #change(changes) {
    if (!['report', 'moderation'].includes(this.app.store.state.route.name)) return;
    this.app.store.update((state) => ({ ...state, page: { ...state.page, ...changes } }));
  }
}

/** Whether an account with this role handles reports. @param {string} role */
export function moderates(role) {
  return role === 'moderator' || role === 'administrator';
}

/** @param {string} code */
function problemOf(code) {
  return `moderation.problem.${code}`;
}
