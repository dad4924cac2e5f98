/** The tokens on the account page, and what a token may be used for. */

import { h } from '../ui/dom.js';
import { field, form, toCopy, toldAt } from './account_form.js';
import { button } from './parts.js';

/**
 * @import {Account, AccountOverview, AccountPage} from '../actions/account.js'
 * @import {Context} from './context.js'
 * @import {Translate} from '../i18n/words.js'
 */

const SCOPES = ['read', 'play', 'challenge', 'tournament'];

/** @param {Context} context @param {AccountPage} page @param {AccountOverview} overview @param {Account} account */
export function tokens(context, page, { tokens: own }, account) {
  const { state, t } = context;
  const { token } = page;
  const day = (/** @type {number} */ ms) => new Intl.DateTimeFormat(state.settings.lang, { dateStyle: 'medium' }).format(ms);
  return h('section.card', { key: 'tokens', 'aria-labelledby': 'tokens-title' },
    h('h2', { id: 'tokens-title' }, t('account.tokens')),
    h('p', null, t('account.tokensText')),
    token && h('p', { key: 'new', role: 'status' }, t('account.newTokenText'), ' ', toCopy(context, token, { id: 'own-token' })),
    own.length > 0 && h('ul.account-sessions', { key: 'own' }, own.map(({ id, label, scopes, used_ms: used }) => h('li', { key: String(id) },
      h('span', null, label, h('span.quiet-text', null, ` ${scopes.map((scope) => t(`account.scope.${nameOf(scope)}`)).join(', ')}, ${t('account.used', { day: day(used) })}`)),
      button(t('account.revoke'), () => account.revoke(id), { 'aria-label': `${t('account.revoke')}: ${label}` })))),
    form((fields) => account.createToken(fields('label'), scopesIn(fields, 'own')),
      field('label', t('account.tokenLabel'), { autocomplete: 'off', required: true, maxlength: '60' }),
      scopeFields(t, 'own', ['read', 'tournament']),
      h('button', { type: 'submit', id: 'create-token' }, t('account.createToken'))),
    toldAt(page, ['tokens'], t));
}

/** A person organises tournaments, a bot enters them. @param {string} scope */
function nameOf(scope) {
  return scope === 'tournament' ? 'organise' : scope;
}

/** Boxes to tick. @param {Translate} t @param {string} of the form @param {string[]} scopes */
export function scopeFields(t, of, scopes) {
  return h('fieldset.account-choice', { key: 'scopes' }, h('legend', null, t('account.scopes')),
    scopes.map((scope) => h('label.check', { key: scope, for: `account-${of}-${scope}` },
      h('input', { id: `account-${of}-${scope}`, name: `${of}-${scope}`, type: 'checkbox', checked: true }),
      h('span', null, t(`account.scope.${of === 'own' ? nameOf(scope) : scope}`)))));
}

/** The scopes that are ticked. @param {(name: string) => string} fields @param {string} of the form */
export function scopesIn(fields, of) {
  return SCOPES.filter((scope) => fields(`${of}-${scope}`) !== '');
}
