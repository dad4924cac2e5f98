/** A player's row above or below the board: name, clock, whether they are there. */

import { clockText, LOW_TIME_MS, remaining } from '../game/clock.js';
import { positions, readFen } from '../game/pieces.js';
import { isRunning, other } from '../core/table.js';
import { isOnline } from '../core/state.js';
import { h } from '../ui/dom.js';
import { seatName } from './parts.js';
import { bubble } from './phrases.js';

/**
 * @import {Color} from '../protocol.js'
 * @import {State} from '../core/state.js'
 * @import {Table} from '../core/table.js'
 * @import {Child} from '../ui/dom.js'
 * @import {Translate} from '../i18n/words.js'
 */

/**
 * @param {State} state @param {Table} table @param {Color} color @param {Translate} t @param {number} now
 * @param {Child} [talk] a button beside the name
 */
export function playerRow(state, table, color, t, now, talk) {
  const turn = isRunning(table) && table.game?.turn === color;
  const away = isRunning(table) && table.info?.kind !== 'correspondence' && !table.presence[color].connected;
  const name = playerName(table, color, t);
  const isYou = table.you === color;
  const won = table.game?.result === `${color}_won`;
  return h('div', { class: `player ${color}${turn ? ' turn' : ''}${away ? ' away' : ''}`, key: color },
    h('span', { class: `man ${color}`, 'aria-hidden': 'true' }),
    h('span.name', { title: name }, name || '…',
      isYou && h('span.you', null, ` (${t('game.you')})`)),
    table.info?.rated && ratingOf(state, name, t),
    won && h('span.badge.won', null, '1'),
    table.game?.result === 'draw' && h('span.badge', null, '½'),
    talk,
    bubble(state, table, color, t, now),
    away && h('span.badge.gone', null, t('game.gone')),
    takenBy(state, table, color, t),
    clock(state, table, color, name, t, now));
}

/** @param {State} state @param {string} name @param {Translate} t */
function ratingOf({ ratings }, name, t) {
  const known = ratings[name];
  if (!known) return null;
  const { rating, provisional, change } = known;
  return h('span.rating', { title: t('game.rating') }, `${rating}${provisional ? '?' : ''}`,
    change != null && ` (${change > 0 ? '+' : '−'}${Math.abs(change)})`);
}

/** @param {Table} table @param {Color} color @param {Translate} t */
export function playerName(table, color, t) {
  const name = table.game?.[color] ?? table.info?.seats[color]?.name ?? '';
  return seatName({ name, bot: table.bots[name] }, t);
}

/** How many pieces the side has captured. @param {State} state @param {Table} table @param {Color} color @param {Translate} t */
function takenBy(state, table, color, t) {
  if (!table.game) return null;
  const { start_fen: start, moves } = table.game;
  const theirs = other(color);
  const count = (/** @type {{color: Color}[]} */ pieces) => pieces.filter((piece) => piece.color === theirs).length;
  const ply = state.board.viewPly ?? moves.length;
  const taken = count(readFen(start).pieces) - count(positions(start, moves)[ply] ?? []);
  return h('span.taken', { 'aria-label': t('game.captured', { n: taken }), title: t('game.captured', { n: taken }), role: 'img' },
    taken > 0 ? h('span', { class: `man small ${theirs}` }) : null, taken > 0 ? `×${taken}` : null);
}

/** @param {State} state @param {Table} table @param {Color} color @param {string} name @param {Translate} t @param {number} now */
function clock(state, table, color, name, t, now) {
  const ms = table.reading && remaining(table.reading, color, now);
  if (ms == null) return h('span.clock.none', { key: 'clock' });
  const running = table.reading?.turn === color;
  const unknown = running && !isOnline(state);
  const low = ms < LOW_TIME_MS && table.game?.result == null;
  return h('span', {
    key: 'clock',
    class: `clock${running ? ' running' : ''}${low ? ' low' : ''}${unknown ? ' unknown' : ''}`,
    role: 'timer',
    'aria-label': t('game.clockOf', { name }),
    title: unknown ? t('game.paused') : null,
  }, clockText(ms), unknown && ' ?');
}
