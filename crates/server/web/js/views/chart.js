/** How good a position is for either side: as a bar, and over a game as a graph. */

import { grade } from '../game/tree.js';
import { h } from '../ui/dom.js';

/**
 * @import {Context} from './context.js'
 * @import {Evaluation, Mark} from '../game/tree.js'
 * @import {Table} from '../core/table.js'
 * @import {Translate} from '../i18n/words.js'
 * @import {VElement} from '../ui/dom.js'
 *
 * @typedef {{chart: VElement, marks: (Mark | null)[]}} Live marks of the moves that led to each position
 * @typedef {Pick<Evaluation, 'white_chance' | 'decided_in'>} Chance
 */

/** White's share of the points by the result of a game, as the server and as PDN writes it. @type {{[result: string]: number}} */
const SHARES = { white_won: 1, '1-0': 1, draw: 0.5, '1/2-1/2': 0.5, black_won: 0, '0-1': 0 };

/** From so many plies on a result is certain, and nobody knows how far. */
const BEYOND = 500;

/** What a result says of the last position, however the game ended. @param {string | null | undefined} result @returns {Chance | null} */
export function chanceOf(result) {
  const share = SHARES[result ?? ''];
  return share == null ? null : { white_chance: share, decided_in: 0 };
}

/** `63 %`, `1–0 in 7`, `1–0` or `½–½`. @param {Chance} chance @param {Translate} t */
export function chanceText({ white_chance: chance, decided_in: plies }, t) {
  if (plies == null) return `${Math.round(chance * 100)} %`;
  const result = chance === 0.5 ? '½–½' : chance > 0.5 ? '1–0' : '0–1';
  return plies === 0 || plies >= BEYOND ? result : t('study.decided', { result, n: plies });
}

/** @param {Chance | null | undefined} evaluation @param {Translate} t */
export function evaluationBar(evaluation, t) {
  const percent = Math.round((evaluation?.white_chance ?? 0.5) * 100);
  const chance = evaluation ? chanceText(evaluation, t) : '…';
  const text = evaluation && evaluation.decided_in == null ? t('study.bar', { chance }) : chance;
  return h('div.chance', {
    key: 'chance', role: 'meter', 'aria-label': t('study.chance'), title: t('study.chance'),
    'aria-valuemin': '0', 'aria-valuemax': '100', 'aria-valuenow': percent, 'aria-valuetext': text,
  },
  h('span.share', { style: { width: `${percent}%` } }),
  h('span.figure', { class: percent < 50 ? 'on-black' : '' }, text));
}

/**
 * @param {(Evaluation | null | undefined)[]} evaluations after each number of moves
 * @param {(Mark | null | false)[]} marks of the moves to these positions
 * @param {number} ply the one in view
 * @param {Translate} t
 * @param {((ply: number) => void) | null} view
 */
export function evaluationGraph(evaluations, marks, ply, t, view) {
  const last = Math.max(1, evaluations.length - 1);
  const x = (/** @type {number} */ at) => (at / last) * 300;
  const y = (/** @type {Evaluation} */ evaluation) => 70 - evaluation.white_chance * 70;
  const known = evaluations.flatMap((evaluation, at) => (evaluation ? [{ at, evaluation }] : []));
  const points = known.map(({ at, evaluation }) => `${x(at).toFixed(1)},${y(evaluation).toFixed(1)}`);
  const click = (/** @type {MouseEvent} */ event) => {
    const { left, width } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    view?.(Math.round(((event.clientX - left) / width) * last));
  };
  return h('div.graph', { key: 'graph', on: view ? { click } : {} }, h('svg', {
    viewBox: '0 0 300 70', preserveAspectRatio: 'none', role: 'img', 'aria-label': t('study.graph'),
  },
  points.length > 1 && h('polygon.white-share', { points: `${x(known[0]?.at ?? 0)},70 ${points.join(' ')} ${x(known[known.length - 1]?.at ?? 0)},70` }),
  h('path.even', { d: 'M0 35H300' }),
  h('path.here', { d: `M${x(ply)} 0V70` })),
  known.map(({ at, evaluation }) => marks[at] && h('span', {
    key: `mark${at}`, class: `spot ${marks[at]}`, style: { left: `${(at / last) * 100}%`, top: `${(1 - evaluation.white_chance) * 100}%` },
  })));
}

/**
 * Bar and graph of a game of bots or one that is over, and which of its moves were mistakes.
 * @param {Context} context @param {Table} table @returns {Live}
 */
export function live({ state, t, act }, table) {
  const { game } = table;
  const known = state.live && game && state.live.key === `${table.id}/${game.game}` ? state.live.evaluations : [];
  const { viewPly } = state.board;
  const ply = viewPly ?? game?.ply ?? 0;
  const end = ply === game?.ply ? chanceOf(game.result) : null;
  // Who follows a game sees how it stood last, if it is not known yet how it stands.
  const here = end ?? known[ply] ?? (viewPly == null ? known[known.length - 1] : null);
  const marks = known.map((after, at) => {
    const move = game?.moves[at - 1];
    const before = known[at - 1];
    return move && before && after ? grade(move, before, after) : null;
  });
  const chart = h('div.live-chance', { key: 'live' },
    evaluationBar(here, t), evaluationGraph(known, marks, ply, t, act.view));
  return { chart, marks };
}
