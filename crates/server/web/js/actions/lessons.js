/** Goes through the steps of a lesson, and shows the node that each is about. */

import { LESSONS, lessonOf, numbersOf } from '../core/lessons.js';
import { loadEngine } from '../net/ask.js';

/**
 * @import {Explorer} from './explorer.js'
 * @import {Detail} from '../core/explain.js'
 * @import {Place} from '../core/lessons.js'
 */

export class Lessons {
  /** What has been shown, such as `2#3`, and of which trees. @type {{key: string, of: any} | null} */
  #shown = null;
  /** What the step in view is about. @type {{place: Place, detail: Detail | null} | null} */
  about = null;

  /** @param {Explorer} explorer */
  constructor(explorer) {
    this.explorer = explorer;
  }

  get lesson() {
    const { route } = this.explorer.app.store.state;
    return route.name === 'lesson' ? lessonOf(route.id) : null;
  }

  /** The step in view, from 0. */
  get step() {
    const { route } = this.explorer.app.store.state;
    const last = (this.lesson?.steps.length ?? 1) - 1;
    return Math.min(last, Math.max(0, (route.ply ?? 1) - 1));
  }

  /** Shows the node of the step, once its trees are there. */
  follow() {
    const { lesson, step } = this;
    const { traces, recording } = this.explorer.page;
    if (!lesson || recording || !traces?.[0]) return;
    const key = `${lesson.id}#${step}`;
    if (this.#shown?.key === key && this.#shown.of === traces) return;
    this.#shown = { key, of: traces };
    this.about = null;
    this.#show(lesson, step, key);
  }

  /** @param {import('../core/lessons.js').Lesson} lesson @param {number} step @param {string} key */
  async #show(lesson, step, key) {
    const { explorer } = this;
    const traces = /** @type {any[]} */ (explorer.page.traces.filter(Boolean));
    const ask = async (/** @type {0 | 1} */ tree, /** @type {number} */ node) => {
      const answer = await (await loadEngine())?.trees({ about: 'node', tree, node });
      return answer?.code ? null : answer ?? null;
    };
    const place = await lesson.steps[step]?.(traces, ask) ?? { tree: 0, node: 0 };
    const detail = await ask(place.tree, place.node);
    if (this.#shown?.key !== key) return;
    this.about = { place, detail };
    explorer.select(place.tree, place.node);
  }

  /** The numbers for the text of the step; null while they are not known. @param {string} lang @param {import('../i18n/words.js').Translate} t */
  numbers(lang, t) {
    const { traces } = this.explorer.page;
    return this.about && traces?.[0] ? numbersOf(traces, this.about.place, this.about.detail, lang, t) : null;
  }

  /** Goes to a step of the lesson, or beyond it. @param {number} step */
  go(step) {
    const { lesson, explorer } = this;
    if (!lesson) return;
    const next = LESSONS[LESSONS.indexOf(lesson) + 1];
    if (step < lesson.steps.length) explorer.app.go(`/lessons/${lesson.id}#${step + 1}`);
    else explorer.app.go(next ? `/lessons/${next.id}` : '/lessons/figures');
  }
}
