/** Notifications of turns, on the page of games by correspondence. */

import { h } from '../ui/dom.js';
import { button } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {Correspondence, CorrespondencePage} from '../actions/correspondence.js'
 */

/** @param {Context} context @param {Correspondence} service */
export function notifications({ state, t }, service) {
  const { notifying } = /** @type {CorrespondencePage} */ (state.page);
  return notifying && h('section.card.tournament-card', { key: 'notifications', 'aria-labelledby': 'notifications-title' },
    h('h2', { id: 'notifications-title' }, t('correspondence.notify')),
    h('p', { key: notifying }, t(`correspondence.notify.${notifying}`)),
    notifying === 'off' && button(t('correspondence.notify.start'), () => service.notify(true), { key: 'start', id: 'start-notifying' }),
    notifying === 'on' && button(t('correspondence.notify.stop'), () => service.notify(false), { key: 'stop', id: 'stop-notifying' }));
}
