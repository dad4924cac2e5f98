/** The own games, for who comes to the lobby while they go on, and what may cost a seat in them. */

import { clockText, remaining } from '../game/clock.js';
import { readFen } from '../game/pieces.js';
import { coordinates } from '../game/squares.js';
import { endedUnseen } from '../core/unfinished.js';
import { holdsSeat, isRunning, other } from '../core/table.js';
import { h } from '../ui/dom.js';
import { clockLabel, link } from './parts.js';
import { playerName } from './player.js';

/**
 * @import {Color} from '../protocol.js'
 * @import {Context} from './context.js'
 * @import {Table} from '../core/table.js'
 */

/** Those where it is the own turn come first. @param {Context} context */
export function ownGames(context) {
  const { state, t, act } = context;
  const mine = Object.values(state.tables).filter((table) => holdsSeat(table) && table.info != null);
  const isTurn = (/** @type {Table} */ table) => isRunning(table) && table.game?.turn === table.you;
  const sorted = [...mine.filter(isTurn), ...mine.filter((table) => !isTurn(table))];
  return [
    ...sorted.map((table) => card(context, table)),
    ...endedUnseen(state).map(({ id, table, opponent }) => h('div.card.attention', { key: `ended-${id}` },
      h('span', null, t('lobby.ended', { name: opponent })),
      link(`/g/${table === 'main' ? id : table}`, t('lobby.seeEnd'), act.go, { class: 'button' }))),
  ];
}

/** @param {Context} context @param {Table} table */
function card(context, table) {
  const { t, act } = context;
  const isPlayed = isRunning(table);
  return h('section.card.attention.own-game', { key: `own-${table.id}`, 'data-own': table.id },
    isPlayed && position(table, t),
    h('div.own-text', null, isPlayed ? standing(context, table) : [h('strong', null, t('game.waiting')), h('span', null, clockLabel(table.info, t))]),
    link(`/g/${table.id}`, t(isPlayed ? 'lobby.return' : 'lobby.returnInvitation'), act.go, { class: 'button primary' }));
}

/** @param {Context} context @param {Table} table */
function standing({ t, now }, table) {
  const you = table.you ?? 'white';
  const time = (/** @type {Color} */ color) => {
    const ms = table.reading && remaining(table.reading, color, now);
    return ms == null ? null : clockText(ms);
  };
  const times = [you, other(you)].map(time).filter((text) => text != null);
  const isTurn = table.game?.turn === you;
  return [
    h('strong', null, t('lobby.against', { name: playerName(table, other(you), t) })),
    h('span', { class: isTurn ? 'your-turn' : '' }, t(isTurn ? 'game.yourMove' : 'game.theirMove', { color: other(you) })),
    times.length > 0 && h('span.clock-label', null, t('lobby.times', { mine: times[0], theirs: times[1] ?? '–' })),
  ];
}

/** A small picture of the position, from the own side. @param {Table} table @param {Context['t']} t */
function position(table, t) {
  const flipped = table.you === 'black';
  const pieces = readFen(table.game?.fen ?? '').pieces;
  const place = (/** @type {string} */ square) => {
    const { file, row } = coordinates(square);
    return flipped ? [7 - file, row] : [file, 7 - row];
  };
  const dark = Array.from({ length: 32 }, (_, i) => [(i % 4) * 2 + (Math.floor(i / 4) % 2 ? 0 : 1), Math.floor(i / 4)]);
  return h('svg.small-board', { viewBox: '0 0 8 8', role: 'img', 'aria-label': t('lobby.position', { n: table.game?.ply ?? 0 }) },
    dark.map(([x, y]) => h('rect', { x: String(x), y: String(y), width: '1', height: '1' })),
    pieces.map(({ square, color, king }) => {
      const [x = 0, y = 0] = place(square);
      return [
        h('circle', { class: color, cx: String(x + 0.5), cy: String(y + 0.5), r: '0.4' }),
        king && h('circle', { class: `crown ${color}`, cx: String(x + 0.5), cy: String(y + 0.5), r: '0.18' }),
      ];
    }));
}

/** What a reload costs where the browser remembers nothing. @param {Context} context */
export function storageWarning({ state, t }) {
  return state.kept ? null : h('p.card.storage-warning', { key: 'storage', role: 'note' }, t('lobby.notKept'));
}
