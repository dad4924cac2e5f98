/** The search explorer and its lessons: loaded when one of them is opened. */

import { Explorer } from '../actions/explorer.js';
import { explorerPage } from './explorer_page.js';
import { lessonPage, lessonsPage } from './lessons.js';

/**
 * @import {App} from '../app.js'
 * @import {Context} from './context.js'
 */

/** @type {{[name: string]: (context: Context) => any}} */
const explorerPages = { explorer: explorerPage, lessons: lessonsPage, lesson: lessonPage };

/** All that the page asks of these modules. */
export const later = { pages: explorerPages, start: (/** @type {App} */ app) => new Explorer(app) };
