/** The openings and endings of a player. */

import { gamesIn, gamesPath } from '../core/records.js';
import { h } from '../ui/dom.js';
import { ENDING_VALUES, endingText } from './games.js';
import { link } from './parts.js';
import { tallyTable } from './tally.js';

/**
 * @import {Context} from './context.js'
 * @import {PlayerRecord} from '../actions/records.js'
 */

/** @param {Context} context @param {PlayerRecord} player */
export function profileTables({ state, t, act }, { name, openings, reasons, endings }) {
  const list = (/** @type {{[field: string]: string}} */ fields, /** @type {string} */ text) => link(gamesPath({ player: name, ...fields }), text, act.go);
  const opened = (/** @type {'white' | 'black'} */ color) => openings[color].map(({ name: opening, games }) => (
    { key: opening, name: list({ color, opening }, `1. ${opening}`), games }));
  const worth = ENDING_VALUES.map((ending) => ({ key: ending, name: list({ ending }, t(`player.ending.${ending}`)), games: endings[ending] }))
    .filter(({ games }) => gamesIn(games) > 0);
  const { lost_per_100: loss } = endings;
  return [
    tallyTable(t, 'whiteOpenings', opened('white'), t('player.of.openings')),
    tallyTable(t, 'blackOpenings', opened('black'), t('player.of.openings')),
    tallyTable(t, 'reasons', reasons.map(({ name: reason, games }) => ({ key: reason, name: list({ reason }, endingText(reason, t)), games }))),
    tallyTable(t, 'endings', worth, undefined, h('p.quiet-text', null, t('player.endingsAbout'),
      loss != null && ` ${t('player.endingLoss', { n: new Intl.NumberFormat(state.settings.lang).format(loss) })}`)),
  ];
}
