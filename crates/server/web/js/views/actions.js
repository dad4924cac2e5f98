/** The row of buttons under the moves. Each has its place and keeps it. */

import { conditionalPath, lookBack, tournamentOf } from '../core/route.js';
import { isRunning, offerBy } from '../core/table.js';
import { h } from '../ui/dom.js';
import { icon } from './parts.js';
import { isPlayed } from './result.js';

/**
 * @import {Context} from './context.js'
 * @import {Table} from '../core/table.js'
 */

/** @param {Context} context @param {Table} table */
export function actionRow(context, table) {
  const buttons = isRunning(table)
    ? table.you ? playing(context, table) : []
    : afterwards(context, table);
  return h('div.actions', { key: 'actions' }, buttons);
}

/** @param {string} sign @param {string} label @param {() => void} onClick @param {{[name: string]: any}} [props] */
function action(sign, label, onClick, props = {}) {
  return h('button', { type: 'button', key: sign, ...props, on: { click: onClick } }, icon(sign), h('span', null, label));
}

/** @param {Context} context @param {Table} table */
function playing({ t, act }, table) {
  const moves = table.game?.moves ?? [];
  const opening = table.game?.opening_plies ?? 0;
  const begun = moves.length >= opening + 2;
  const moved = moves.slice(opening).some((move) => move.color === table.you);
  return [
    action('half', t('game.draw'), () => act.offer('draw'), { disabled: !begun || offerBy(table, 'draw') === table.you }),
    table.game && table.info?.kind === 'correspondence' && action('analyse', t('game.conditional'), () => table.game && act.go(conditionalPath(table.game)), { id: 'conditional', disabled: table.game.turn === table.you }),
    table.info?.casual !== false && action('undo', t('game.takeback'), () => act.offer('takeback'),
      { disabled: !moved || offerBy(table, 'takeback') === table.you }),
    begun || table.info?.event ? action('flag', t('game.resign'), () => act.open('resign'))
      : action('flag', t('game.abort'), act.abort),
  ];
}

/** @param {Context} context @param {Table} table */
function afterwards({ state, t, act, pages }, table) {
  const { game } = table;
  const tournament = tournamentOf(table.info?.event);
  return [
    table.info?.kind === 'correspondence' ? action('again', t('nav.correspondence'), () => act.go('/correspondence'), { class: 'primary' }) : table.you && (tournament ? action('again', t('game.nextPairing'), () => act.nextPairing(tournament), { class: 'primary' })
      : action('again', t('game.rematch'), () => act.offer('rematch'),
        { class: 'primary', disabled: offerBy(table, 'rematch') === table.you || table.closed != null })),
    pages.has('analysis') && game && isPlayed(table) && action('analyse', t('game.analyse'), () => act.go(lookBack(game, state.board.viewPly ?? game.ply))),
    action('plus', t('game.newGame'), () => act.go('/')),
  ];
}
