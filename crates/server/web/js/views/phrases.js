/** What players say to each other: phrases, chosen from a list. */

import { PHRASES } from '../core/phrases.js';
import { other } from '../core/table.js';
import { h } from '../ui/dom.js';
import { button, iconButton } from './parts.js';

/**
 * @import {Color} from '../protocol.js'
 * @import {Context} from './context.js'
 * @import {State} from '../core/state.js'
 * @import {Table} from '../core/table.js'
 * @import {Translate} from '../i18n/words.js'
 */

/** In the row of a person who plays you. @param {Context} context @param {Table} table @param {Color} color */
export function talkButton({ state, t, act }, table, color) {
  const isPerson = table.game != null && table.bots[table.game[color]] == null;
  if (state.route.name !== 'game' || table.you !== other(color) || table.closed != null || !isPerson) return null;
  return iconButton('chat', t('phrases.title'), () => act.open('phrases'), { key: 'talk', class: 'talk' });
}

/** What a player has just said. @param {State} state @param {Table} table @param {Color} color @param {Translate} t @param {number} now */
export function bubble({ settings }, table, color, t, now) {
  const said = table.said[color];
  const isHidden = !settings.phrases && table.you !== color;
  return said && said.until > now && !isHidden ? h('span.bubble', { key: 'bubble' }, t(`phrase.${said.phrase}`)) : null;
}

/** @param {Context} context */
export function phrases({ state, t, act }) {
  const { phrases: isShown } = state.settings;
  return [
    h('h2', { id: 'dialog-title' }, t('phrases.title')),
    h('div.answers', null, PHRASES.map((phrase) => button(t(`phrase.${phrase}`), () => act.sayPhrase(phrase), { key: phrase, 'data-phrase': phrase }))),
    h('label.check', { for: 'set-phrases' },
      h('input', { id: 'set-phrases', type: 'checkbox', prop: { checked: !isShown }, on: { change: () => act.set('phrases', !isShown) } }),
      h('span', null, t('phrases.mute'))),
  ];
}
