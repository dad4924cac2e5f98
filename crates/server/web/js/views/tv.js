/** The game that is watched most, as the front page and `/tv` show it. */

import { sideBelow } from '../core/state.js';
import { isRunning, other } from '../core/table.js';
import { boardView, stillView } from '../game/view.js';
import { h } from '../ui/dom.js';
import { boardNode } from './board.js';
import { gamePage } from './game.js';
import { icon, link } from './parts.js';
import { playerRow } from './player.js';
import { readFen, START } from '../game/pieces.js';
import { resultText } from './result.js';

/** @import {Context} from './context.js' */

/** A small board with the game on it. @param {Context} context */
export function tvPanel(context) {
  const { state, table, t, now, frame, act } = context;
  const game = table?.game;
  if (!table || !game) {
    return h('section.tv', { key: 'empty', 'aria-label': t('lobby.tv') },
      h('div.player', { key: 'white' }, h('span.name', null, t('lobby.tvEmpty'))),
      boardNode(stillView(false, readFen(START).pieces), t),
      h('div.player', { key: 'black' }));
  }
  const below = sideBelow(state);
  return h('section.tv', { key: 'tv', 'aria-label': t('lobby.tv') },
    playerRow(state, table, other(below), t, now),
    boardNode(boardView(state, frame), t),
    playerRow(state, table, below, t, now),
    h('p.tv-foot', { key: 'foot' },
      h('span', null, isRunning(table) ? t('lobby.tv') : resultText(table, t)),
      link(`/g/${table.id}`, [icon('eye'), t('lobby.tvOpen')], act.go, { class: 'tv-open' })));
}

/** @param {Context} context */
export function tvPage(context) {
  const { table, t } = context;
  if (table?.game) return gamePage(context);
  return h('main.message', { id: 'main', key: 'tv' }, h('h1', null, t('lobby.tvEmpty')));
}
