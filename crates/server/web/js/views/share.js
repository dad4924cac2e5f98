/** Links and texts of a game, to be copied or saved. */

import { LOCAL } from '../core/local.js';
import { lookBack } from '../core/route.js';
import { other } from '../core/table.js';
import { pdnText } from '../game/pdn.js';
import { fenOf, positions } from '../game/pieces.js';
import { h } from '../ui/dom.js';
import { button } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {Game} from '../core/table.js'
 */

/** @param {Context} context */
export function shareDialog({ state, table, t, act, origin }) {
  const game = table?.game;
  if (!table || !game) return [];
  const ply = state.board.viewPly ?? game.ply;
  const id = game.result != null && game.id ? game.id : table.id;
  const isStudy = state.route.name === 'analysis';
  // No server knows a game that the page keeps: others are told its moves.
  const isLocal = table.id === LOCAL;
  const address = isStudy ? `${origin}${state.page.link}` : isLocal ? `${origin}${lookBack(game, ply)}` : `${origin}/g/${id}`;
  const site = isLocal || (isStudy && !game.id) ? '?' : `${origin}/g/${id}`;
  const pdn = pdnText(table, isStudy ? { site, tree: state.page.tree, ...state.page.imported } : { site });
  const fen = ply === game.ply ? game.fen : fenOf(positions(game.start_fen, game.moves)[ply] ?? [], sideAt(game, ply));
  const line = (/** @type {string} */ name, /** @type {string} */ text, /** @type {any} */ more = null) => h('div.field', { key: name },
    h('label', { for: `share-${name}` }, t(`share.${name}`)),
    h('div.copy', null,
      h('input', { id: `share-${name}`, readonly: true, prop: { value: text }, on: { focus: (/** @type {any} */ event) => event.target.select() } }),
      button(t('game.copy'), () => act.copy(text)), more));
  return [
    h('h2', { id: 'dialog-title' }, t('share.title')),
    line('link', address),
    !isLocal && (isStudy || ply !== game.ply) && line('linkPly', `${address}#${ply}`),
    line('fen', fen, button(t('share.download'), () => act.download(`${id}-${ply}.fen`, `${fen}\n`))),
    h('div.field', { key: 'pdn' },
      h('label', { for: 'share-pdn' }, t('share.pdn')),
      h('textarea', { id: 'share-pdn', readonly: true, rows: '5', prop: { value: pdn } }),
      h('div.answers', null,
        button(t('game.copy'), () => act.copy(pdn)),
        button(t('share.download'), () => act.download(`${id}.pdn`, pdn)))),
    !isLocal && (!isStudy || game.id) && line('embed', `<iframe src="${origin}/embed/${id}" width="480" height="600"></iframe>`),
    h('div.answers', null, button(t('share.close'), act.close, { class: 'primary' })),
  ];
}

/** Who is to move after so many moves. @param {Game} game @param {number} ply */
function sideAt({ moves, turn }, ply) {
  const last = moves[ply - 1];
  return moves[ply]?.color ?? (last ? other(last.color) : turn);
}
