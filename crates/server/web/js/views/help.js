/** How the game is played, above all how men and kings capture. */

import { EXAMPLES } from '../game/examples.js';
import { readFen } from '../game/pieces.js';
import { stillView } from '../game/view.js';
import { h } from '../ui/dom.js';
import { boardNode } from './board.js';
import { button, link } from './parts.js';

/** @import {Context} from './context.js' */

const TEXTS = ['goal', 'moves', 'kings', 'end', 'draws'];

/** @param {Context} context */
export function helpPage({ t, act }) {
  return h('main.help', { id: 'main', key: 'help' },
    h('h1', null, t('help.title')),
    h('div.help-texts', null, TEXTS.map((name) => h('p', { key: name }, t(`help.${name}`)))),
    h('h2', null, t('help.captures')),
    h('ul.examples', null, EXAMPLES.map(({ name, fen, squares, captures }) => h('li.card', { key: name },
      h('h3', null, t(`help.${name}`)),
      boardNode({ ...stillView(false, readFen(fen).pieces), path: squares, crosses: captures }, t),
      h('p', null, t(`help.${name}Text`)),
      link(`/analysis?fen=${fen}`, t('help.try'), act.go)))),
    h('p.answers.start', null,
      link('/', t('help.play'), act.go, { class: 'button primary' }), button(t('keys.title'), () => act.open('keys'))));
}
