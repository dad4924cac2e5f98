/** The account page: registration, signing in, and the settings of an account. */

import { playerPath, reportPath, signInAddress } from '../core/route.js';
import { holdsSeat } from '../core/table.js';
import { h } from '../ui/dom.js';
import { field, form, problemText, toCopy, toldAt } from './account_form.js';
import { ladders } from './account_ladders.js';
import { scopesIn, scopeFields, tokens } from './account_tokens.js';
import { button, link } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {AccountPage, AccountOverview} from '../actions/account.js'
 */

/** @param {Context} context */
export function accountPage(context) {
  const { state, t, records } = context;
  const { me } = state;
  const page = /** @type {AccountPage} */ (state.page);
  const parts = me.account == null || !records ? [h('p.quiet-text', { key: 'wait' }, t('app.loading'))]
    : me.account ? [records.account.linkCode && signIn(context), administrator(context), ...ownAccount(context, page)]
      : records.account.linkCode ? [signIn(context), link('/account', t('lobby.keep'), context.act.go, { key: 'others', class: 'button quiet' })] : [keepName(context), signIn(context)];
  return h('main.records.account', { id: 'main', key: 'account' },
    h('h1', { key: 'title' }, me.account ? me.name : t('account.title')),
    toldAt(page, ['administrator'], t),
    recoveryCodes(context),
    parts);
}

/** @param {Context} context */
function keepName({ state, t, records }) {
  const { name, registration } = state.me;
  const account = /** @type {import('../actions/account.js').Account} */ (records?.account);
  const { invitation, isForAdministrator } = account;
  const { refused } = /** @type {AccountPage} */ (state.page);
  const isSeated = Object.values(state.tables).some(holdsSeat);
  if (!registration || (registration === 'closed' && !invitation)) return h('section.card', { key: 'keep' }, h('p', null, t(registration ? 'account.closed' : 'account.none')));
  return h('section.card', { key: 'keep', 'aria-labelledby': 'keep-title' },
    h('h2', { id: 'keep-title' }, t('account.keep')),
    h('p', null, t('account.keepText')),
    isForAdministrator && h('p', { key: 'administrator' }, h('strong', null, t('account.administratorText'))),
    form((fields) => account.keep(fields('other'), fields('invitation')),
      field('other', t('lobby.name'), { autocomplete: 'nickname', required: true, maxlength: '30', value: name, readonly: isSeated, 'aria-describedby': 'keep-problem' }),
      h('p.account-problem', { id: 'keep-problem', role: 'status' }, refused ? refusalText(refused, t) : isSeated ? t('error.renameLater') : ''),
      (registration === 'invitation' || invitation) && field('invitation', t('account.invitation'), { autocomplete: 'off', required: true, value: invitation ?? '' }),
      h('button.primary', { type: 'submit', id: 'keep-name' }, t('account.keepButton'))));
}

/** @param {string} code @param {Context['t']} t */
function refusalText(code, t) {
  return problemText(code === 'bad_token' ? 'account.problem.wrong_secret' : `error.${code}`, t);
}

/** For an account that has followed the link for the first administrator. @param {Context} context */
function administrator({ t, records }) {
  const account = /** @type {import('../actions/account.js').Account} */ (records?.account);
  const { invitation, isForAdministrator } = account;
  return invitation && isForAdministrator && h('section.card', { key: 'administrator', 'aria-labelledby': 'administrator-title' },
    h('h2', { id: 'administrator-title' }, t('account.administratorTitle')),
    h('p', null, t('account.administratorText')),
    button(t('account.administratorButton'), () => account.claim(invitation), { id: 'claim', class: 'primary' }));
}

/** @param {Context} context */
function signIn({ t, records, state }) {
  const account = /** @type {import('../actions/account.js').Account} */ (records?.account);
  if (!state.me.registration) return null;
  const code = account.linkCode;
  const { name } = state.route.query;
  return h('section.card', { key: 'sign-in', 'aria-labelledby': 'sign-in-title' },
    h('h2', { id: 'sign-in-title' }, t(code ? 'account.byLink' : 'account.signIn')),
    code ? [h('p', { key: 'text' }, name && h('strong', null, `${t('account.name')}: ${name}. `), t('account.byLinkText')), button(t('account.signInButton'), () => account.signIn({ code }), { key: 'go', class: 'primary', id: 'sign-in-link' })] : [
      form((fields) => account.signIn({ name: fields('name'), password: fields('password') }),
        field('name', t('account.name'), { autocomplete: 'username', required: true, maxlength: '30' }),
        field('password', t('account.password'), { type: 'password', autocomplete: 'current-password', required: true }),
        h('button', { type: 'submit', id: 'sign-in' }, t('account.signInButton'))),
      form((fields) => account.signIn({ code: fields('code') }),
        field('code', t('account.code'), { autocomplete: 'off', required: true }),
        h('button', { type: 'submit', id: 'sign-in-code' }, t('account.signInButton'))),
    ],
    toldAt(/** @type {AccountPage} */ (state.page), ['sign-in'], t));
}

/** @param {Context} context @param {AccountPage} page */
function ownAccount(context, page) {
  const { t, act, state, records } = context;
  const account = /** @type {import('../actions/account.js').Account} */ (records?.account);
  const { account: overview } = page;
  if (!overview) return [h('p.quiet-text', { key: 'wait' }, t('app.loading'))];
  if (overview.code) return [h('p.account-problem', { key: 'wait' }, problemText(`account.problem.${overview.code}`, t))];
  return [
    h('p', { key: 'games' }, link(playerPath(state.me.name), t('account.games'), act.go),
      ['moderator', 'administrator'].includes(overview.role) && [' · ', link('/moderation', t('nav.moderation'), act.go, { key: 'moderation', id: 'to-moderation' })]),
    h('section.card', { key: 'link', 'aria-labelledby': 'link-title' },
      h('h2', { id: 'link-title' }, t('account.otherDevice')),
      h('p', null, t('account.otherDeviceText')),
      page.link && h('div.account-link', { key: 'qr' },
        h('img', { src: `data:image/svg+xml,${encodeURIComponent(page.link.qr)}`, alt: t('account.qr'), width: '240', height: '240' }),
        toCopy(context, signInAddress(state.me.name) + page.link.code, { id: 'link-address' })),
      button(t('account.makeLink'), () => account.makeLink(), { id: 'make-link' }),
      toldAt(page, ['link'], t)),
    h('section.card', { key: 'password', 'aria-labelledby': 'password-title' },
      h('h2', { id: 'password-title' }, t(overview.password ? 'account.changePassword' : 'account.choosePassword')),
      h('p', null, t('account.passwordText')),
      form((fields) => account.setPassword(fields('new-password')),
        field('new-password', t('account.newPassword'), { type: 'password', autocomplete: 'new-password', required: true, minlength: '8', maxlength: '128' }),
        h('button', { type: 'submit', id: 'set-password' }, t('account.setPassword'))),
      toldAt(page, ['password'], t)),
    bots(context, page, overview, account),
    tokens(context, page, overview, account),
    ladders(context, page, overview, account),
    h('section.card', { key: 'recovery', 'aria-labelledby': 'recovery-title' },
      h('h2', { id: 'recovery-title' }, t('account.recovery')),
      h('p', null, t('account.recoveryLeft', { n: overview.recovery })),
      button(t('account.renew'), () => account.renewRecovery(), { id: 'renew-recovery' }),
      toldAt(page, ['recovery'], t)),
    sessions(context, page, overview, account),
    overview.blocks.length > 0 && h('section.card', { key: 'blocks', 'aria-labelledby': 'blocks-title' },
      h('h2', { id: 'blocks-title' }, t('account.blocks')),
      h('p', null, overview.blocks.map((name, at) => [at > 0 && ', ', link(reportPath(name), name, act.go, { key: name })]))),
    h('section.card', { key: 'leave', 'aria-labelledby': 'leave-title' },
      h('h2', { id: 'leave-title' }, t('account.data')),
      button(t('account.export'), () => account.exportAll(), { id: 'export-account' }),
      toldAt(page, ['export'], t),
      h('p', null, t('account.deleteText')),
      form((fields) => account.delete(fields('delete')),
        field('delete', t('account.deleteName', { name: state.me.name }), { autocomplete: 'off', required: true }),
        h('button.danger', { type: 'submit', id: 'delete-account' }, t('account.delete'))),
      toldAt(page, ['delete'], t)),
  ];
}

/** @param {Context} context @param {AccountPage} page @param {AccountOverview} overview @param {import('../actions/account.js').Account} account */
function sessions(context, page, { sessions: open }, account) {
  const { t } = context;
  const day = dayIn(context);
  return h('section.card', { key: 'sessions', 'aria-labelledby': 'sessions-title' },
    h('h2', { id: 'sessions-title' }, t('account.sessions')),
    h('ul.account-sessions', null, open.map(({ id, label, used_ms: used, own }) => h('li', { key: String(id) },
      h('span', null, label || t('account.firstDevice'), own && h('strong', null, ` (${t('account.thisDevice')})`),
        h('span.quiet-text', null, `, ${t('account.used', { day: day(used) })}`)),
      !own && button(t('account.end'), () => account.endSession(id), { 'aria-label': `${t('account.end')}: ${label || t('account.firstDevice')}` })))),
    toldAt(page, ['sessions', 'sign-out'], t),
    button(t('account.signOut'), () => account.signOut(), { id: 'sign-out' }));
}

/** @param {Context} context @param {AccountPage} page @param {AccountOverview} overview @param {import('../actions/account.js').Account} account */
function bots(context, page, overview, account) {
  const { t, act } = context;
  const day = dayIn(context);
  return h('section.card', { key: 'bots', 'aria-labelledby': 'bots-title' },
    h('h2', { id: 'bots-title' }, t('account.bots')),
    h('p', null, t('account.botsText')),
    page.bot && h('div.account-bot', { key: 'token', role: 'status' },
      h('p', null, t('account.token', { name: page.bot.name })), toCopy(context, page.bot.token, { id: 'token' }),
      h('p', null, t('account.runBot')), toCopy(context, commandOf(page.bot.token), { id: 'run-bot' })),
    overview.bots.length > 0 && h('ul.account-sessions', { key: 'own' }, overview.bots.map(({ name, used_ms: used }) => h('li', { key: name },
      h('span', null, link(playerPath(name), name, act.go), h('span.quiet-text', null, ` ${t('account.used', { day: day(used) })}`)),
      page.leaving === name ? h('span.account-choice', { key: 'sure' }, t('account.sure'), button(t('account.deleteBot'), () => account.deleteBot(name), { class: 'danger' }), button(t('account.keepBot'), () => account.askToDelete()))
        : h('span.account-choice', { key: 'do' },
          button(t('account.newToken'), () => account.renewToken(name), { 'aria-label': `${t('account.newToken')}: ${name}` }),
          button(t('account.deleteBot'), () => account.askToDelete(name), { 'aria-label': `${t('account.deleteBot')}: ${name}` }))))),
    form((fields) => account.createBot(fields('bot'), scopesIn(fields, 'bot')),
      field('bot', t('account.botName'), { autocomplete: 'off', required: true, maxlength: '25' }),
      scopeFields(t, 'bot', ['read', 'play', 'challenge', 'tournament']),
      h('button', { type: 'submit', id: 'create-bot' }, t('account.createBot'))),
    toldAt(page, ['bots'], t));
}

/** A command that lets a bot of ours play. @param {string} token */
function commandOf(token) {
  const server = `${location.protocol.replace('http', 'ws')}//${location.host}`;
  return `CHECKERS_TOKEN=${token} checkers-bot --server ${server} --bot level:level=5 --quick --rated --games 0`;
}

/** @param {Context} context @returns {(ms: number) => string} */
function dayIn({ state }) {
  return (ms) => new Intl.DateTimeFormat(state.settings.lang, { dateStyle: 'medium' }).format(ms);
}

/** The codes that are shown only once. @param {Context} context */
function recoveryCodes({ state: { me: { recovery } }, t, act }) {
  return recovery && h('section.card.attention', { key: 'codes', 'aria-labelledby': 'codes-title' },
    h('h2', { id: 'codes-title' }, t('account.codes')),
    h('p', null, t('account.codesText')),
    h('ul.account-codes', null, recovery.map((code) => h('li', { key: code }, h('code', null, code)))),
    button(t('game.copy'), () => act.copy(recovery.join('\n')), { id: 'copy-codes' }));
}
