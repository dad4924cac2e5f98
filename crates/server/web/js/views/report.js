/** Blocking and reporting a player. */

import { playerPath } from '../core/route.js';
import { h } from '../ui/dom.js';
import { field, form } from './account_form.js';
import { button, labelled, link } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {ModerationPage} from '../actions/moderation.js'
 */

export const REASONS = ['cheating', 'sandbagging', 'stalling', 'chat', 'name', 'other'];

/** @param {Context} context */
export function reportPage(context) {
  const { state, t, act } = context;
  const name = state.route.id ?? '';
  return h('main.records.account', { id: 'main', key: `report ${name}` },
    h('h1', { key: 'title' }, link(playerPath(name), name, act.go)),
    outcome(context),
    state.me.account === false ? h('p', { key: 'guest' }, t('moderation.guest'), ' ', link('/account', t('moderation.toAccount'), act.go)) : choicesAbout(context, name));
}

/** @param {Context} context @param {string} name */
function choicesAbout({ state, t, moderation }, name) {
  const { account, isGuest } = /** @type {ModerationPage} */ (state.page);
  if (isGuest) return h('p', { key: 'none' }, t('moderation.problem.not_found'));
  if (!account || !moderation) return h('p.quiet-text', { key: 'wait' }, t('app.loading'));
  if (account.code || name === state.me.name) return null;
  const isBlocked = account.blocks.includes(name);
  return [
    h('section.card', { key: 'block', 'aria-labelledby': 'block-title' },
      h('h2', { id: 'block-title' }, t('moderation.block')),
      h('p', null, t(isBlocked ? 'moderation.isBlocked' : 'moderation.blockText')),
      button(t(isBlocked ? 'moderation.unblockButton' : 'moderation.blockButton'), () => moderation.block(name, !isBlocked), { id: 'block' })),
    h('section.card', { key: 'report', 'aria-labelledby': 'report-title' },
      h('h2', { id: 'report-title' }, t('moderation.report')),
      h('p', null, t('moderation.reportText')),
      form((fields) => { moderation.report({ name, reason: fields('reason'), game: fields('game'), text: fields('text') }); },
        reasonField(t),
        field('game', t('moderation.game'), { autocomplete: 'off', maxlength: '200', value: state.route.query.game ?? '' }),
        field('text', t('moderation.text'), { autocomplete: 'off', maxlength: '500' }),
        h('button', { type: 'submit', id: 'send-report' }, t('moderation.send')))),
  ];
}

/** What the last request has done, or what was wrong with it. @param {Context} context */
export function outcome({ state, t }) {
  const { problem, done, account } = /** @type {ModerationPage} */ (state.page);
  const wrong = problem ?? (account?.code && `moderation.problem.${account.code}`);
  return [
    h('p.account-problem', { key: 'problem', role: 'alert' }, wrong ? t(t(wrong) === wrong ? 'moderation.problem.other' : wrong) : ''),
    h('p.quiet-text', { key: 'done', role: 'status' }, done ? t(done) : ''),
  ];
}

/** @param {Context['t']} t @param {string} [id] of the form's field @param {string} [chosen] @param {boolean} [required] */
export function reasonField(t, id = 'reason', chosen = '', required = true) {
  return pick(t('moderation.reason'), `account-${id}`, 'reason', REASONS.map((value) => [value, t(`moderation.reason.${value}`)]), chosen, required);
}

/** A choice in which nothing is chosen at first, unless it says what. @param {string} label @param {string} id @param {string} name @param {[string, string][]} options @param {string} [chosen] @param {boolean} [required] */
export function pick(label, id, name, options, chosen = '', required = true) {
  return labelled(label, id, h('select', { id, name, required },
    [['', '–'], ...options].map(([value, text]) => h('option', { key: value, value, selected: value === chosen }, text))));
}
