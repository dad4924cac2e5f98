/** A game in a frame of another site: the board, the moves, and the way here. */

import { h } from '../ui/dom.js';
import { boardColumn, gameTitle } from './game.js';
import { moveKeys, moveList } from './moves.js';
import { resultText } from './result.js';

/** @import {Context} from './context.js' */

/** @param {Context} context */
export function embedPage(context) {
  const { state, table, t, act, origin } = context;
  const game = table?.game;
  if (!table || !game) return h('main.message', { id: 'main', key: 'wait' }, h('h1', null, t('game.loading')));
  const ply = state.board.viewPly ?? game.ply;
  const result = game.result == null ? null : resultText(table, t);
  return h('main.game.embedded', { id: 'main', key: 'embed' },
    gameTitle(context, table),
    boardColumn(context, table),
    h('section.side', { key: 'side', 'aria-label': t('game.moves') },
      h('div.keys-row', { key: 'keys' }, moveKeys(ply, game.ply, t, act.view)),
      moveList({ moves: game.moves, ply, result }, t, act.view),
      h('a.source', { key: 'source', href: `${origin}/g/${table.id}`, target: '_blank', rel: 'noopener' }, t('lobby.tvOpen'))));
}
