/** The pages for looking back and looking things up: loaded when one of them is opened. */

import { Study } from '../actions/study.js';
import { analysisPage } from './analysis.js';
import { live } from './chart.js';
import { editorPage } from './editor.js';
import { helpPage } from './help.js';
import { shareDialog } from './share.js';

/**
 * @import {App} from '../app.js'
 * @import {Context} from './context.js'
 */

/** @type {{[name: string]: (context: Context) => any}} */
const pages = { analysis: analysisPage, editor: editorPage, help: helpPage };

/** All that the page asks of these modules. */
export const later = { pages, live, start: (/** @type {App} */ app) => new Study(app), dialogs: { share: shareDialog } };
