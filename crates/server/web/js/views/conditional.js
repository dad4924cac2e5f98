/** Conditional moves of a game by correspondence, played on the board of the analysis. */

import { saveConditional } from '../actions/conditional.js';
import { line, movesTo, path, written } from '../game/tree.js';
import { h } from '../ui/dom.js';
import { button, link } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {StudyPage} from '../actions/study.js'
 * @import {Tree} from '../game/tree.js'
 */

/** What is saved of the variations, and the button for it. @param {Context} context @param {StudyPage} page */
export function conditionalMoves({ state, t, act, study }, page) {
  const { query } = state.route;
  const played = (query.moves ?? '').split(' ').filter(Boolean).length;
  const lines = conditionalLines(page.tree, line(page.tree)[played] ?? 0, page.at);
  const save = () => study && saveConditional(study.app, query.conditional ?? '', lines);
  return h('div.engine', { key: 'conditional', role: 'group', 'aria-label': t('study.conditional') },
    h('p', null, t(page.hasSaved || page.isLoading ? 'study.conditionalText' : 'study.conditionalUnread')),
    h('ol', null, lines.map((text) => h('li', { key: text }, text))),
    h('p.answers', null,
      button(t('study.saveConditional', { n: lines.length }), save, { class: 'primary', id: 'save-conditional', disabled: lines.length === 0 || !page.hasSaved }),
      link('/correspondence', t('lobby.cancel'), act.go, { class: 'button' })));
}

/**
 * The variations after a node, each up to an own move: the opponent moves first. Of several answers to the same moves the
 * one on the way to the node in view counts, or else the last.
 * @param {Tree} tree @param {number} from @param {number} at
 */
export function conditionalLines(tree, from, at) {
  const way = path(tree, at);
  const before = path(tree, from).length;
  /** The ends of the lines from a node on. @param {number} id @param {boolean} isOwn whether the next move is an own one @returns {number[]} */
  const ends = (id, isOwn) => {
    const children = tree[id]?.children ?? [];
    const answer = children.find((child) => way.includes(child)) ?? children[children.length - 1];
    const next = isOwn && answer != null ? [answer] : children;
    return next.length === 0 ? [id] : next.flatMap((child) => ends(child, !isOwn));
  };
  const lines = ends(from, false).map((end) => {
    const moves = movesTo(tree, end).slice(before - 1);
    return written(moves.slice(0, moves.length - (moves.length % 2)));
  });
  return [...new Set(lines)].filter(Boolean);
}
