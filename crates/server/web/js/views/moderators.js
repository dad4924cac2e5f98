/** The page of moderators: open reports, the log, and for administrators roles and invitations. */

import { playerPath } from '../core/route.js';
import { moderates } from '../actions/moderation.js';
import { h } from '../ui/dom.js';
import { field, form, toCopy } from './account_form.js';
import { button, labelled, link } from './parts.js';
import { outcome, pick, reasonField } from './report.js';

/**
 * @import {Context} from './context.js'
 * @import {LogEntry, Moderation, ModerationPage, ReportedPlayer} from '../actions/moderation.js'
 */

/** Hours of a mute or a suspension. */
const HOURS = [1, 24, 7 * 24, 30 * 24, 365 * 24];
const ROLES = ['person', 'moderator', 'administrator'];

/** @param {Context} context */
export function moderatorsPage(context) {
  const { state, t } = context;
  const { account } = /** @type {ModerationPage} */ (state.page);
  return h('main.records.account', { id: 'main', key: 'moderation' },
    h('h1', { key: 'title' }, t('moderation.title')),
    outcome(context),
    state.me.account != null && (!state.me.account || (account && !account.code && !moderates(account.role))) ? h('p', { key: 'none' }, t('moderation.problem.not_moderator')) : cards(context));
}

/** @param {Context} context */
function cards(context) {
  const { state, t, moderation } = context;
  const { players, account, log } = /** @type {ModerationPage} */ (state.page);
  if (!players || !moderation) return h('p.quiet-text', { key: 'wait' }, t('app.loading'));
  return [
    h('section.card', { key: 'reports', 'aria-labelledby': 'reports-title' },
      h('h2', { id: 'reports-title' }, t('moderation.reports')),
      players.length === 0 ? h('p', { key: 'none' }, t('moderation.noReports'))
        : h('ul.account-sessions', { key: 'players' }, players.map((player) => reportedPlayer(context, moderation, player)))),
    h('section.card', { key: 'act', 'aria-labelledby': 'act-title' },
      h('h2', { id: 'act-title' }, t('moderation.act')),
      h('p', null, t('moderation.actText')),
      sanctionForm(t, moderation)),
    account?.role === 'administrator' && administration(context, moderation),
    log && logCard(context, moderation, log),
  ];
}

/** @param {Context} context @param {Moderation} moderation @param {ReportedPlayer} player */
function reportedPlayer(context, moderation, { name, muted_until_ms: muted, suspended_until_ms: suspended, sanctions, reports }) {
  const { t, act, now } = context;
  const time = timeIn(context);
  const wall = performance.timeOrigin + now;
  return h('li.reported', { key: name },
    h('div', { key: 'who' }, h('strong', null, link(playerPath(name), name, act.go)),
      sanctions > 0 && h('span.quiet-text', { key: 'sanctions' }, ` ${t('moderation.sanctions', { n: sanctions })}`),
      muted > wall && h('p', { key: 'muted' }, t('moderation.mutedUntil', { time: time(muted) })),
      suspended > wall && h('p', { key: 'suspended' }, t('moderation.suspendedUntil', { time: time(suspended) }))),
    h('ul', { key: 'reports' }, reports.map(({ by, reason, game, text, at_ms: at }) => h('li', { key: `${by} ${at}` },
      h('span', null, h('span.quiet-text', null, `${time(at)}, `), link(playerPath(by), by, act.go), `: ${t(`moderation.reason.${reason}`)}`,
        text && ` – ${text}`, game && [' ', link(`/analysis?game=${game}`, t('moderation.toGame'), act.go, { key: 'game' })])))),
    sanctionForm(t, moderation, name, reports[0]?.reason),
    button(t('moderation.dismiss'), () => moderation.act(name, 'dismiss'), { key: 'dismiss', 'aria-label': `${t('moderation.dismiss')}: ${name}` }));
}

/** @param {Context['t']} t @param {Moderation} moderation @param {string} [name] of the player, if it is not asked for @param {string} [reason] of the report */
function sanctionForm(t, moderation, name, reason) {
  const id = (/** @type {string} */ part) => `account-${part}${name ? `-${name}` : ''}`;
  return form((fields) => {
    const action = fields('action');
    moderation.act(name ?? fields('player'), action, action === 'lift' ? {} : { hours: Number(fields('hours')), reason: fields('reason') });
  },
  !name && field('player', t('moderation.player'), { autocomplete: 'off', required: true, maxlength: '40' }),
  pick(t('moderation.action'), id('action'), 'action', ['suspend', 'mute', 'lift'].map((value) => [value, t(`moderation.action.${value}`)])),
  labelled(t('moderation.time'), id('hours'), h('select', { id: id('hours'), name: 'hours' },
    HOURS.map((value) => h('option', { value: String(value) }, t(value < 24 ? 'moderation.hours' : 'moderation.days', { n: value < 24 ? value : value / 24 }))))),
  reasonField(t, id('reason').replace('account-', ''), reason, name != null),
  h('button', { type: 'submit' }, t('moderation.do')));
}

/** @param {Context} context @param {Moderation} moderation */
function administration(context, moderation) {
  const { state, t, act } = context;
  const { staff = [], code } = /** @type {ModerationPage} */ (state.page);
  return h('section.card', { key: 'staff', 'aria-labelledby': 'staff-title' },
    h('h2', { id: 'staff-title' }, t('moderation.staff')),
    h('ul.account-sessions', { key: 'list' }, staff.map(({ name, role }) => h('li', { key: name }, link(playerPath(name), name, act.go), h('span', null, t(`moderation.role.${role}`))))),
    form((fields) => { moderation.act(fields('member'), 'role', { role: fields('role') }); },
      field('member', t('moderation.player'), { autocomplete: 'off', required: true, maxlength: '40' }),
      labelled(t('moderation.role'), 'account-role', h('select', { id: 'account-role', name: 'role' }, ROLES.map((value) => h('option', { value }, t(`moderation.role.${value}`))))),
      h('button', { type: 'submit' }, t('moderation.appoint'))),
    form((fields) => { moderation.link(fields('forgetful')); },
      field('forgetful', t('moderation.cannotSignIn'), { autocomplete: 'off', required: true, maxlength: '40' }),
      h('button', { type: 'submit' }, t('moderation.makeLink'))),
    button(t('moderation.invite'), () => moderation.invite(), { id: 'invite' }),
    code && h('p', { key: 'code', role: 'status' }, t('moderation.once'), ' ', toCopy(context, code, { id: 'made-code' })));
}

/** @param {Context} context @param {Moderation} moderation @param {LogEntry[]} log */
function logCard(context, moderation, log) {
  const { state, t, act } = context;
  const { hasMore } = /** @type {ModerationPage} */ (state.page);
  const time = timeIn(context);
  const who = (/** @type {string} */ name, /** @type {string} */ otherwise) => (name ? link(playerPath(name), name, act.go) : t(otherwise));
  return h('section.card', { key: 'log', 'aria-labelledby': 'log-title' },
    h('h2', { id: 'log-title' }, t('moderation.log')),
    h('ul.account-sessions', null, log.map(({ id, at_ms: at, moderator, action, player, reason, until_ms: until }) => h('li', { key: String(id) },
      h('span', null, h('span.quiet-text', null, `${time(at)} `), who(moderator, 'moderation.operator'), `: ${t(`moderation.did.${action}`)}`,
        action !== 'invitation' && [' ', who(player, 'moderation.deleted')],
        reason && ` (${t(`moderation.reason.${reason}`)})`,
        until > 0 && h('span.quiet-text', null, ` ${t('moderation.until', { time: time(until) })}`))))),
    hasMore && button(t('moderation.more'), () => moderation.more()));
}

/** @param {Context} context @returns {(ms: number) => string} */
function timeIn({ state }) {
  return (ms) => new Intl.DateTimeFormat(state.settings.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}
