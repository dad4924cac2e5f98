/** The forms of the account page. */

import { h } from '../ui/dom.js';
import { labelled } from './parts.js';

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

/** @param {string} name @param {string} label @param {{[attribute: string]: any}} attributes */
export function field(name, label, attributes) {
  return labelled(label, `account-${name}`, h('input', { id: `account-${name}`, name, type: 'text', ...attributes }));
}
