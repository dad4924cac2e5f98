/** Setting a position up, and what to do with it. */

import { problemText } from '../core/problem.js';
import { sideBelow } from '../core/state.js';
import { BRUSHES } from '../actions/editor.js';
import { stillView } from '../game/view.js';
import { h } from '../ui/dom.js';
import { boardNode } from './board.js';
import { button, choices, icon, iconButton, labelled } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {EditorPage} from '../actions/editor.js'
 */

/** @param {Context} context */
export function editorPage(context) {
  const { state, t, act, boardEvents, study } = context;
  const page = /** @type {EditorPage} */ (/** @type {any} */ (state.page));
  const editor = study?.editor;
  if (!page.pieces || !editor) return h('main.message', { id: 'main', key: 'wait' }, h('h1', null, t('game.loading')));
  const isKnown = page.checked === page.fen;
  const isGood = isKnown && page.problem == null;
  const board = { ...stillView(sideBelow(state) === 'black', page.pieces), focus: state.board.focus };
  const play = (/** @type {'computer' | 'friend'} */ against) => () => {
    act.fill({ against, from: 'fen', fen: page.fen });
    act.go('/');
  };
  return h('main.study', { id: 'main', key: 'editor' },
    h('section.board-column', { key: 'board', 'aria-label': t('board.label') },
      h('h1.study-title', { key: 'title' }, t('nav.editor')),
      boardNode(board, t, boardEvents),
      h('p', { key: 'status', class: `status${page.problem ? ' refused' : ''}`, role: 'status', id: 'editor-problem' }, page.problem && problemText(page.problem, t))),
    h('section.side', { key: 'side', 'aria-label': t('nav.editor') },
      h('div.palette', { key: 'palette', role: 'group', 'aria-label': t('editor.put') }, BRUSHES.map((brush, i) => h('button', {
        key: String(i), type: 'button', 'data-brush': i, class: i === page.brush ? 'chosen' : '', 'aria-pressed': i === page.brush ? 'true' : 'false',
        'aria-label': t(brush ? `board.${brush[0]}${brush[1] ? 'King' : ''}` : 'editor.nothing'),
        title: `${t(brush ? `board.${brush[0]}${brush[1] ? 'King' : ''}` : 'editor.nothing')} (${'1234e'.charAt(i)})`,
        on: { click: () => editor.change({ brush: i }) },
      }, brush ? h('span', { class: `man ${brush[0]}${brush[1] ? ' crowned' : ''}`, 'aria-hidden': 'true' }) : icon('close')))),
      h('div.field', { key: 'turn' }, h('span.label', null, t('editor.turn')), choices(t('editor.turn'), [
        { value: 'white', text: t('color.white'), sign: 'white' }, { value: 'black', text: t('color.black'), sign: 'black' },
      ], page.turn, (turn) => editor.change({ turn }))),
      h('div.answers.start', { key: 'whole' },
        button(t('editor.clear'), editor.clear), button(t('editor.start'), editor.start),
        iconButton('flip', t('game.flip'), act.flip, { key: 'flip' })),
      h('form', {
        key: 'fen',
        on: {
          submit: (/** @type {SubmitEvent} */ event) => {
            event.preventDefault();
            editor.read(/** @type {HTMLInputElement} */ (document.getElementById('editor-fen')).value);
          },
        },
      }, labelled('FEN', 'editor-fen', h('div.copy', null,
        h('input', { id: 'editor-fen', spellcheck: 'false', maxlength: '300', prop: { value: page.fen }, 'aria-describedby': 'editor-problem' }),
        h('button', { type: 'submit' }, t('editor.set')),
        button(t('game.copy'), () => act.copy(page.fen))))),
      h('div.answers.column', { key: 'go' },
        button(t('lobby.computer'), play('computer'), { class: 'primary', disabled: !isGood, id: 'editor-computer' }),
        button(t('lobby.friend'), play('friend'), { disabled: !isGood, id: 'editor-friend' }),
        button(t('game.analyse'), () => act.go(`/analysis?fen=${page.fen}`), { disabled: !isKnown || !page.legal, id: 'editor-analyse' }),
        button(t('study.explore'), () => act.go(`/explorer?fen=${page.fen}`), { disabled: !isKnown || !page.legal, id: 'editor-explore' }))));
}
