/** Heads of the columns of tables with numbers. */

import { h } from '../ui/dom.js';

/** @import {Translate} from '../i18n/words.js' */

/** A rating, its error and the games behind it. @param {Translate} t */
export function ratingHeads(t) {
  return [h('th', { key: 'rating', scope: 'col' }, t('ratings.rating')), signHead('±', t('ratings.deviation')), signHead('#', t('player.games'))];
}

/** The head of a narrow column. @param {string} sign @param {string} text what it stands for */
export function signHead(sign, text) {
  return h('th', { key: sign, scope: 'col', title: text }, h('span', { 'aria-hidden': 'true' }, sign), h('span.unseen', null, text));
}
