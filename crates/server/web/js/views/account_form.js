/** The forms of the account page. */

import { h } from '../ui/dom.js';
import { button, labelled } from './parts.js';

/**
 * @import {AccountPage} from '../actions/account.js'
 * @import {Context} from './context.js'
 * @import {Translate} from '../i18n/words.js'
 */

/**
 * A form whose fields are read when it is sent.
 * @param {(fields: (name: string) => string) => void} send @param {...any} parts
 */
export function form(send, ...parts) {
  return h('form.account-form', {
    on: {
      submit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const data = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
        send((name) => String(data.get(name) ?? ''));
      },
    },
  }, parts);
}

/** What came of the last request, where the one that asked is told. @param {AccountPage} page @param {string[]} cards @param {Translate} t */
export function toldAt({ at, problem, done }, cards, t) {
  if (!at || !cards.includes(at)) return null;
  if (problem) return h('p.account-problem', { key: 'problem', role: 'alert' }, problemText(problem, t));
  return done && h('p.quiet-text', { key: 'done', role: 'status' }, t(done));
}

/** @param {string} key @param {Translate} t */
export function problemText(key, t) {
  return t(key) === key ? t('account.problem.other') : t(key);
}

/** @param {string} name @param {string} label @param {{[attribute: string]: any}} attributes */
export function field(name, label, attributes) {
  return labelled(label, `account-${name}`, h('input', { id: `account-${name}`, name, type: 'text', ...attributes }));
}

/** A code or a command, and a button that copies it. @param {Context} context @param {string} text @param {{[attribute: string]: any}} [attributes] of the text */
export function toCopy({ t, act }, text, attributes = {}) {
  return h('span.to-copy', { key: attributes.id ?? 'to-copy' }, h('code.account-token', attributes, text),
    button(t('game.copy'), () => act.copy(text)));
}
