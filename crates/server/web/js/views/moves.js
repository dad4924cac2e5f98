/** The list of moves, and the buttons that go through it. */

import { h } from '../ui/dom.js';
import { iconButton } from './parts.js';

/**
 * @import {PlayedMove} from '../protocol.js'
 * @import {Mark} from '../game/tree.js'
 * @import {Translate} from '../i18n/words.js'
 *
 * @typedef {{moves: PlayedMove[], ply: number, result: string | null, marks?: (Mark | null)[]}} MoveList
 *   `ply`: the position that is looked at; `marks` of the moves that led to each
 */

/** How a mistake is written beside its move. @type {{[mark in Mark]: string}} */
const SIGNS = { inaccuracy: '?!', mistake: '?', blunder: '??' };

/**
 * @param {MoveList} list
 * @param {Translate} t
 * @param {(ply: number) => void} view
 */
export function moveList({ moves, ply, result, marks = [] }, t, view) {
  const first = moves[0]?.color === 'black' ? 1 : 0;
  const lines = [];
  const node = (/** @type {number} */ at) => moveButton(moves, at, ply, marks[at + 1], t, view);
  for (let at = -first; at < moves.length; at += 2) {
    lines.push(h('li', { key: `line${at}` },
      h('span.number', null, `${(at + first) / 2 + 1}.`),
      node(at), node(at + 1)));
  }
  return h('ol.moves', { 'aria-label': t('game.moves'), tabindex: '0' },
    lines.length > 0 ? lines : h('li.none', { key: 'none' }, t('game.noMoves')),
    result && h('li.result', { key: 'result' }, result));
}

/** @param {PlayedMove[]} moves @param {number} at @param {number} ply @param {Mark | null | undefined} mark @param {Translate} t @param {(ply: number) => void} view */
function moveButton(moves, at, ply, mark, t, view) {
  const move = moves[at];
  if (!move) return h('span', { key: `gap${at}` }, at < 0 ? '…' : null);
  const current = ply === at + 1;
  return h('button', {
    key: `move${at}`,
    type: 'button',
    class: `move ${mark ?? ''}${current ? ' current' : ''}`,
    'data-ply': at + 1,
    'aria-current': current ? 'true' : null,
    on: { click: () => view(at + 1) },
  }, move.move, signOf(mark, t));
}

/** @param {Mark | null | undefined} mark @param {Translate} t */
export function signOf(mark, t) {
  return mark && h('span.sign', { title: t(`study.${mark}`, { n: 1 }) }, SIGNS[mark]);
}

/** @param {number} ply @param {number} last @param {Translate} t @param {(ply: number) => void} view */
export function moveKeys(ply, last, t, view) {
  const go = (/** @type {number} */ to) => () => view(Math.max(0, Math.min(last, to)));
  return h('div.move-keys', { role: 'group', 'aria-label': t('game.moves') },
    iconButton('first', t('game.first'), go(0), { disabled: ply === 0 }),
    iconButton('back', t('game.back'), go(ply - 1), { disabled: ply === 0 }),
    iconButton('forward', t('game.forward'), go(ply + 1), { disabled: ply >= last }),
    iconButton('last', t('game.last'), go(last), { disabled: ply >= last }));
}
