/** Pages to block and report players, and for moderators: loaded when one of them is opened. */

import { Moderation } from '../actions/moderation.js';
import { moderatorsPage } from './moderators.js';
import { reportPage } from './report.js';

/** All that the page asks of these modules. */
export const later = {
  pages: { report: reportPage, moderation: moderatorsPage },
  start: (/** @type {import('../app.js').App} */ app) => new Moderation(app),
};
