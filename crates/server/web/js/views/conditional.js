/** Conditional moves of a game by correspondence, played on the board of the analysis. */

import { saveConditional } from '../actions/conditional.js';
import { line, path, written } from '../game/tree.js';
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
  const lines = conditionalLines(page.tree, line(page.tree)[played] ?? 0);
  const save = () => study && saveConditional(study.app, query.conditional ?? '', lines);
  return h('div.engine', { key: 'conditional', role: 'group', 'aria-label': t('study.conditional') },
    h('p', null, t('study.conditionalText')),
    h('ol', null, lines.map((text) => h('li', { key: text }, text))),
    h('p.answers', null,
      button(t('study.saveConditional', { n: lines.length }), save, { class: 'primary', id: 'save-conditional', disabled: lines.length === 0 }),
      link('/correspondence', t('lobby.cancel'), act.go, { class: 'button' })));
}

/** The variations after a node, each up to an own move: the opponent moves first. @param {Tree} tree @param {number} from */
export function conditionalLines(tree, from) {
  const ends = tree.flatMap((node, at) => (node.children.length === 0 && path(tree, at).includes(from) ? [at] : []));
  const lines = ends.map((end) => {
    const way = path(tree, end);
    const moves = way.slice(way.indexOf(from) + 1).flatMap((id) => tree[id]?.move ?? []);
    return written(moves.slice(0, moves.length - (moves.length % 2)));
  });
  return [...new Set(lines)].filter(Boolean);
}
