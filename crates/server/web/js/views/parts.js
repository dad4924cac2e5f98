/** Small pieces that all pages are made of. */

import { h } from '../ui/dom.js';

/**
 * @import {TableInfo} from '../protocol.js'
 * @import {Translate} from '../i18n/words.js'
 * @import {Child, Props} from '../ui/dom.js'
 */

/** A drawn sign from `icons.svg`. @param {string} name */
export function icon(name) {
  return h('svg.icon', { 'aria-hidden': 'true', viewBox: '0 0 24 24' }, h('use', { href: `/assets/icons.svg#${name}` }));
}

/** @param {string} label @param {() => void} onClick @param {Props} [props] */
export function button(label, onClick, props = {}) {
  return h('button', { type: 'button', ...props, on: { click: onClick } }, label);
}

/** @param {string} sign @param {string} label @param {() => void} onClick @param {Props} [props] */
export function iconButton(sign, label, onClick, props = {}) {
  const classes = ['icon-button', props.class].filter(Boolean).join(' ');
  return h('button', { type: 'button', title: label, 'aria-label': label, ...props, class: classes, on: { click: onClick } }, icon(sign));
}

/** A choice of one out of few, as buttons side by side. */
export function choices(
  /** @type {string} */ label,
  /** @type {{value: any, text: string, sign?: string}[]} */ options,
  /** @type {any} */ chosen,
  /** @type {(value: any) => void} */ choose,
) {
  return h('div.choices', { role: 'group', 'aria-label': label }, options.map(({ value, text, sign }) =>
    h('button', {
      type: 'button',
      key: String(value),
      class: value === chosen ? 'chosen' : '',
      'aria-pressed': value === chosen ? 'true' : 'false',
      title: sign ? text : null,
      'aria-label': sign ? text : null,
      on: { click: () => choose(value) },
    }, sign ? sign === 'half' ? halfMan() : h('span', { class: `man ${sign}`, 'aria-hidden': 'true' }) : text)));
}

function halfMan() {
  return h('span.man.half', { 'aria-hidden': 'true' });
}

/** A field with its name above it. @param {string} label @param {string} id @param {Child} field */
export function labelled(label, id, field) {
  return h('div.field', null, h('label', { for: id }, label), field);
}

/** @param {string} id @param {[string, string][]} options value and text @param {string} value @param {(value: string) => void} choose */
export function select(id, options, value, choose) {
  return h('select', {
    id,
    prop: { value },
    on: { change: (/** @type {any} */ event) => choose(event.target.value) },
  }, options.map(([option, text]) => h('option', { value: option, selected: option === value }, text)));
}

/** The clock of a table in a few signs. @param {TableInfo | null} info @param {Translate} t */
export function clockLabel(info, t) {
  const { white_clock: white, black_clock: black } = info ?? {};
  if (!white && !black) return t('lobby.unlimited');
  return white === black ? shortClock(white ?? '') : `${shortClock(white ?? '–')} / ${shortClock(black ?? '–')}`;
}

/** `5m+3s` as `5+3`, and `72h/move` as `3d/move`. @param {string} text */
export function shortClock(text) {
  const hours = /^(\d+)h\/move$/.exec(text)?.[1];
  if (Number(hours) % 24 === 0) return `${Number(hours) / 24}d/move`;
  const found = /^(\d+)m(?:\+(\d+)s)?$/.exec(text);
  return found ? `${found[1]}+${found[2] ?? 0}` : text;
}

/** The name of a seat's owner, or of the level that plays. @param {any} seat @param {Translate} t */
export function seatName(seat, t) {
  if (!seat) return '';
  const level = /^level[ :](\d+)$/.exec(seat.bot ?? '');
  return level ? `${t('game.bot')}, ${t('lobby.level', { n: level[1] }).toLowerCase()}` : seat.name;
}

/** A link that stays on the page. @param {string} path @param {Child} content @param {(path: string) => void} go @param {Props} [props] */
export function link(path, content, go, props = {}) {
  return h('a', {
    ...props,
    href: path,
    on: {
      click: (/** @type {MouseEvent} */ event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(path);
      },
    },
  }, content);
}
