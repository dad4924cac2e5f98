/** The lessons: what there is, and one of them step by step beside the searches that it is about. */

import { LESSONS } from '../core/lessons.js';
import { explorerPath } from '../core/explorer.js';
import { h } from '../ui/dom.js';
import { explorerView } from './explorer_page.js';
import { figuresPage } from './figures.js';
import { button, link } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {Explorer, ExplorerPage} from '../actions/explorer.js'
 */

/** @param {Context} context */
export function lessonsPage({ t, act }) {
  return h('main.lesson', { id: 'main', key: 'lessons' },
    h('h1', null, t('lesson.all')),
    h('p', null, t('lesson.about')),
    h('ol.lessons', null, LESSONS.map(({ id }) => h('li', { key: id }, link(`/lessons/${id}`, [
      h('strong', { key: 'title' }, `${id}. ${t(`lesson.${id}.title`)}`), h('span', { key: 'about' }, t(`lesson.${id}.about`))], act.go, { class: 'card' }))),
    h('li', { key: 'figures' }, link('/lessons/figures', [
      h('strong', { key: 'title' }, t('figures.title')), h('span', { key: 'about' }, t('figures.about'))], act.go, { class: 'card' }))));
}

/** @param {Context} context */
export function lessonPage(context) {
  const { state, t, explorer, act } = context;
  if (state.route.id === 'figures') return figuresPage(context);
  const page = /** @type {ExplorerPage} */ (/** @type {any} */ (state.page));
  const lesson = explorer?.lessons.lesson;
  if (!lesson) return h('main.message', { id: 'main', key: 'unknown' }, h('h1', null, t('app.notFound')), link('/lessons', t('lesson.all'), act.go, { class: 'button primary' }));
  if (!page.wanted || !explorer) return h('main.message', { id: 'main', key: 'wait' }, h('h1', null, t('app.loading')));
  return h('main.lesson.guided', { id: 'main', key: `lesson${lesson.id}` },
    h('h1', { key: 'title' }, h('span.quiet-text', null, t('lesson.number', { n: lesson.id, all: LESSONS.length })), ` ${t(`lesson.${lesson.id}.title`)}`),
    steps(context, explorer),
    explorerView(context, page, explorer),
    h('p.explorer-links', { key: 'links' },
      link(explorerPath({ ...page.wanted, tree: 0, node: 0 }), t('lesson.open'), act.go), link('/lessons', t('lesson.all'), act.go)));
}

/** The text of the step in view, and the way to the others. @param {Context} context @param {Explorer} explorer */
function steps({ state, t }, { lessons }) {
  const { lesson, step } = lessons;
  const { id = '', steps: all = [] } = lesson ?? {};
  const numbers = lessons.numbers(state.settings.lang, t);
  const isLast = step === all.length - 1;
  const isLastLesson = LESSONS[LESSONS.length - 1] === lesson;
  return h('section.lesson-step', { key: 'step', 'aria-label': t('lesson.step', { n: step + 1, all: all.length }) },
    h('div.lesson-text', { key: 'text', role: 'status' }, numbers ? t(`lesson.${id}.${step + 1}`, numbers).split('\n').map((text, i) => h('p', { key: String(i) }, text)) : h('p', null, t('explorer.recording'))),
    h('div.lesson-ways', { key: 'ways' },
      button(t('lesson.previous'), () => lessons.go(step - 1), { id: 'lesson-previous', disabled: step === 0 }),
      h('span.quiet-text', null, t('lesson.step', { n: step + 1, all: all.length })),
      button(t(!isLast ? 'lesson.next' : isLastLesson ? 'lesson.figures' : 'lesson.nextLesson'), () => lessons.go(step + 1), { id: 'lesson-next', class: 'primary' })));
}
