/** Looking back on a game, and trying other moves. */

import { openedLine } from '../core/line.js';
import { boardView } from '../game/view.js';
import { accuracyOf, line, markedFrom, markOf, marksOf, path } from '../game/tree.js';
import { h } from '../ui/dom.js';
import { boardNode } from './board.js';
import { chanceOf, chanceText, evaluationBar, evaluationGraph } from './chart.js';
import { conditionalMoves } from './conditional.js';
import { typedMove } from './game.js';
import { moveKeys, signOf } from './moves.js';
import { openingForm } from './opening.js';
import { button, link, select } from './parts.js';
import { playerName } from './player.js';
import { resultText } from './result.js';

/**
 * @import {Context} from './context.js'
 * @import {StudyPage} from '../actions/study.js'
 * @import {Node} from '../game/tree.js'
 */

/** How many of the best moves can be shown. */
const LINE_COUNTS = [1, 2, 3, 4, 5];
/** How PDN's judgements 1 to 6 are written. */
const GLYPHS = ['!', '?', '!!', '??', '!?', '?!'];

/** @param {Context} context */
export function analysisPage(context) {
  const { state, t, frame, boardEvents } = context;
  const page = /** @type {StudyPage} */ (/** @type {any} */ (state.page));
  if (!page.tree) return h('main.message', { id: 'main', key: 'wait' }, h('h1', null, t('game.loading')));
  const here = /** @type {Node} */ (page.tree[page.at]);
  return h('main.study', { id: 'main', key: 'analysis' },
    h('section.board-column', { key: 'board', 'aria-label': t('board.label') },
      heading(context, page),
      boardNode(boardView(state, frame), t, boardEvents),
      page.isQuiet ? null : evaluationBar(endHere(page) ?? here.evaluation, t),
      h('p.status', { key: 'status', role: 'status' }, statusText(context, page))),
    studySide(context, page));
}

/** What the result of the game says, at its last position. @param {StudyPage} page */
function endHere(page) {
  const result = page.table.game?.result ?? page.imported?.result;
  return openedLine(page).pop() === page.at ? chanceOf(result) : null;
}

/** @param {Context} context @param {StudyPage} page */
function heading({ t }, { table }) {
  const { game } = table;
  const players = game?.white || game?.black ? `${playerName(table, 'white', t) || '?'} – ${playerName(table, 'black', t) || '?'}` : t('nav.analysis');
  const result = game?.result ? ` · ${resultText(table, t)}` : '';
  return h('h1.study-title', { key: 'title' }, players, h('span.quiet-text', null, result));
}

/** @param {Context} context @param {StudyPage} page */
function statusText({ state, t }, page) {
  const here = page.tree[page.at];
  const { verdict } = here ?? {};
  if (here?.reason) return t(`reason.${here.reason}`);
  if (state.board.refused) return t('typed.illegal');
  if (verdict) return t(`study.table.${verdict.value}${verdict.plies == null ? '' : 'In'}`, { n: verdict.plies ?? 0, color: page.table.game?.turn });
  return t('game.theirMove', { color: page.table.game?.turn });
}

/** @param {Context} context @param {StudyPage} page */
function studySide(context, page) {
  const { t, act, study } = context;
  const way = line(page.tree);
  const ply = path(page.tree, page.at).length - 1;
  const last = path(page.tree, page.at).length + line(page.tree, page.at).length - 2;
  return h('section.side', { key: 'side', 'aria-label': t('game.moves') },
    h('div.keys-row', { key: 'keys' }, moveKeys(ply, last, t, act.view), context.tools()),
    context.state.route.query.conditional ? conditionalMoves(context, page) : engine(context, page),
    moves(context, page),
    way.length > 1 && !page.isQuiet && evaluationGraph(way.map((id) => page.tree[id]?.evaluation), way.map((id) => markOf(page.tree, id)),
      way.indexOf(page.at) < 0 ? -1 : ply, t, (to) => study?.at(way[to] ?? 0)),
    way.length > 1 && !page.isQuiet && summary(context, page),
    typedMove(context),
    openingForm(context, page),
    h('p.answers.start', { key: 'explore' }, link(`/explorer?fen=${page.tree[page.at]?.fen ?? ''}`, t('study.explore'), act.go, { id: 'explore', class: 'button' })));
}

/** The best lines. @param {Context} context @param {StudyPage} page */
function engine(context, page) {
  const { t, study } = context;
  const here = page.tree[page.at];
  const lines = here?.evaluation?.lines ?? [];
  const { at } = page;
  const hide = button(t(page.isQuiet ? 'study.show' : 'study.hide'), () => study?.toggle(), { class: 'link-button quiet', id: 'engine-toggle' });
  if (page.isQuiet) return h('div.engine', { key: 'engine', 'aria-label': t('study.engine'), role: 'group' }, hide);
  const silent = page.silent && (t(`study.silent.${page.silent.code}`) === `study.silent.${page.silent.code}` ? t('study.silent.busy') : t(`study.silent.${page.silent.code}`));
  return h('div.engine', { key: 'engine', 'aria-label': t('study.engine'), role: 'group' },
    h('p.depth', null, h('span', null, t('study.lines')),
      h('span', null, here?.evaluation ? t('study.depth', { n: here.evaluation.depth }) : here?.reason ? '' : t('study.thinking')), hide),
    h('p.depth', { key: 'settings' }, lineCount(context, page),
      button(t('study.endless'), () => study?.toggleEndless(), { id: 'engine-endless', class: 'link-button quiet', 'aria-pressed': String(page.isEndless) })),
    correction(context, page),
    silent ? h('p.empty', { role: 'status' }, silent)
      : h('ol', null, lines.slice(0, page.lines).map((known, i) => h('li', { key: String(i) },
        h('span.figure', null, chanceText(known, t)), movesOf(context, known.moves, at)))));
}

/** How many of the best moves are shown. @param {Context} context @param {StudyPage} page */
function lineCount({ t, study }, page) {
  const options = LINE_COUNTS.map((n) => [String(n), t('study.lineCount', { n })]);
  const choose = (/** @type {string} */ value) => study?.showLines(Number(value));
  return h('label', null, h('span.unseen', null, t('study.engine')), select('engine-lines', /** @type {[string, string][]} */ (options), String(page.lines), choose));
}

/** What a mistake cost, and what would have been better. @param {Context} context @param {StudyPage} page */
function correction(context, { tree, at }) {
  const { t } = context;
  const mark = markOf(tree, at);
  const [here, from] = [tree[at]?.evaluation, tree[at]?.parent ?? 0];
  const before = tree[from]?.evaluation;
  const best = before?.lines[0];
  if (!mark || !here || !before || !best) return null;
  return h('div', { key: 'correction', class: `correction ${mark}` },
    h('p', null, t(`study.name.${mark}`), t('study.cost', { before: chanceText(before, t), after: chanceText(here, t) })),
    h('p.best', null, t('study.best')), movesOf(context, best.moves, from));
}

/** The moves of a line; each shows the position after it. @param {Context} context @param {string[]} moves @param {number} from the node that they follow */
function movesOf({ study }, moves, from) {
  return h('span.line', null, moves.map((move, i) => h('button', { key: String(i), type: 'button', on: { click: () => study?.follows(moves, i + 1, from) } }, move)));
}

/** The main line in two columns, variations below their moves. @param {Context} context @param {StudyPage} page */
function moves(context, page) {
  const { t } = context;
  const [, ...main] = line(page.tree);
  const first = page.tree[main[0] ?? 0]?.move?.color === 'black' ? 1 : 0;
  const rows = [page.tree[0]?.notes?.comment && h('li.variation', { key: 'note' }, noteOf(page, 0, 'comment'))];
  for (let at = -first; at < main.length; at += 2) {
    const pair = [main[at], main[at + 1]];
    rows.push(h('li', { key: `line${at}` }, h('span.number', null, `${(at + first) / 2 + 1}.`),
      pair.map((id, i) => (id == null ? h('span', { key: `gap${i}` }, at + i < 0 ? '…' : null) : nodeButton(context, page, id)))));
    for (const id of pair) {
      if (id == null) continue;
      if (page.tree[id]?.notes?.comment) rows.push(h('li.variation', { key: `note${id}` }, noteOf(page, id, 'comment')));
      const siblings = page.tree[page.tree[id]?.parent ?? 0]?.children.slice(1) ?? [];
      for (const other of siblings) rows.push(h('li.variation', { key: `variation${other}` }, variation(context, page, other)));
    }
  }
  return h('ol.moves', { key: 'moves', 'aria-label': t('game.moves'), tabindex: '0' }, rows.length > 1 || main.length > 0 ? rows : h('li.none', { key: 'none' }, t('study.try')));
}

/** A side line with its own side lines in brackets. @param {Context} context @param {StudyPage} page @param {number} from @returns {any[]} */
function variation(context, page, from) {
  const ids = line(page.tree, from);
  return ids.flatMap((id, i) => {
    const move = page.tree[id]?.move;
    const numbered = move && (i === 0 || move.color === 'white') && h('span.number', { key: `n${id}` }, `${Math.floor(path(page.tree, id).length / 2)}${move.color === 'white' ? '.' : '…'}`);
    const others = i === 0 ? [] : page.tree[page.tree[id]?.parent ?? 0]?.children.slice(1) ?? [];
    return [noteOf(page, id, 'before'), numbered, nodeButton(context, page, id), noteOf(page, id, 'comment'), ...others.map((other) => h('span.aside', { key: `aside${other}` }, '( ', variation(context, page, other), ' )'))];
  });
}

/** What was noted about a move. @param {StudyPage} page @param {number} id @param {'before' | 'comment'} which */
function noteOf(page, id, which) {
  const text = page.tree[id]?.notes?.[which];
  return text && h('span.note', { key: `${which}${id}` }, text);
}

/** @param {Context} context @param {StudyPage} page @param {number} id */
function nodeButton({ t, study }, page, id) {
  const current = id === page.at;
  const mark = page.isQuiet ? null : markOf(page.tree, id);
  return h('button', {
    key: `node${id}`, type: 'button', class: `move ${mark ?? ''}${current ? ' current' : ''}`,
    'data-node': id, 'data-ply': path(page.tree, id).length - 1, 'aria-current': current ? 'true' : null,
    on: { click: () => study?.at(id) },
  }, page.tree[id]?.move?.move, (page.tree[id]?.notes?.nags ?? []).map((nag) => GLYPHS[nag - 1] ?? ` $${nag}`).join(''), signOf(mark, t));
}

/** How accurately each side played and how often it went wrong, in words; and the ways from mistake to mistake. @param {Context} context @param {StudyPage} page */
function summary({ t, study }, page) {
  const sides = /** @type {const} */ (['white', 'black']).map((color) => {
    const counts = marksOf(page.tree, color);
    const accuracy = accuracyOf(page.tree, color);
    const texts = /** @type {const} */ (['inaccuracy', 'mistake', 'blunder']).flatMap((mark) => (counts[mark] > 0 ? `, ${t(`study.${mark}`, { n: counts[mark] })}` : []));
    return h('li', { key: color }, h('span', { class: `man small ${color}`, 'aria-hidden': 'true' }), ` ${t(`color.${color}`)}: `,
      h('strong', { 'data-accuracy': color }, accuracy == null ? '…' : t('study.accuracy', { percent: Math.round(accuracy) })), texts.join(''));
  });
  const step = (/** @type {1 | -1} */ way, /** @type {string} */ name) => button(t(`study.${name}`), () => study?.mistake(way),
    { id: `mistake-${name}`, disabled: markedFrom(page.tree, page.at, way) == null });
  return h('div.summary', { key: 'summary' }, h('ul', null, sides), h('div.answers', null, step(-1, 'previous'), step(1, 'next')));
}
