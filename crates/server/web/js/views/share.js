/** Links and texts of a game, to be copied or saved. */

import { pdnText } from '../game/pdn.js';
import { h } from '../ui/dom.js';
import { button } from './parts.js';

/** @import {Context} from './context.js' */

/** @param {Context} context */
export function shareDialog({ state, table, t, act, origin }) {
  const game = table?.game;
  if (!table || !game) return [];
  const ply = state.board.viewPly ?? game.ply;
  const id = game.result != null && game.id ? game.id : table.id;
  const isStudy = state.route.name === 'analysis';
  const address = isStudy ? `${origin}${state.page.link}` : `${origin}/g/${id}`;
  const pdn = pdnText(isStudy ? { ...table, game: { ...game, moves: state.page.whole } } : table);
  const line = (/** @type {string} */ name, /** @type {string} */ text) => h('div.field', { key: name },
    h('label', { for: `share-${name}` }, t(`share.${name}`)),
    h('div.copy', null,
      h('input', { id: `share-${name}`, readonly: true, prop: { value: text }, on: { focus: (/** @type {any} */ event) => event.target.select() } }),
      button(t('game.copy'), () => act.copy(text))));
  return [
    h('h2', { id: 'dialog-title' }, t('share.title')),
    line('link', address),
    (isStudy || ply !== game.ply) && line('linkPly', `${address}#${ply}`),
    ply === game.ply && line('fen', game.fen),
    h('div.field', { key: 'pdn' },
      h('label', { for: 'share-pdn' }, t('share.pdn')),
      h('textarea', { id: 'share-pdn', readonly: true, rows: '5', prop: { value: pdn } }),
      h('div.answers', null,
        button(t('game.copy'), () => act.copy(pdn)),
        button(t('share.download'), () => act.download(`${id}.pdn`, pdn)))),
    (!isStudy || game.id) && line('embed', `<iframe src="${origin}/embed/${id}" width="480" height="600"></iframe>`),
    h('div.answers', null, button(t('share.close'), act.close, { class: 'primary' })),
  ];
}
