/**
 * What a renderer is given. There is nothing here at run time.
 *
 * @import {Actions} from '../actions/actions.js'
 * @import {BoardEvents} from './board.js'
 * @import {Frame} from '../game/view.js'
 * @import {Explorer} from '../actions/explorer.js'
 * @import {Records} from '../actions/records.js'
 * @import {Moderation} from '../actions/moderation.js'
 * @import {Study} from '../actions/study.js'
 * @import {Live} from './chart.js'
 * @import {State} from '../core/state.js'
 * @import {Table} from '../core/table.js'
 * @import {Translate} from '../i18n/words.js'
 * @import {VElement} from '../ui/dom.js'
 *
 * @typedef {object} Context
 * @property {State} state
 * @property {Table | null} table the one in view
 * @property {Translate} t
 * @property {Actions} act what can be done
 * @property {number} now local time in milliseconds
 * @property {string} origin such as `http://localhost:43210`
 * @property {Frame | null} frame the position that is drawn while moves are being animated
 * @property {BoardEvents} boardEvents
 * @property {Set<string>} pages names of the pages there are
 * @property {Study | null} study what the pages that are loaded later do
 * @property {Records | null} records what the pages of finished games do
 * @property {Moderation | null} moderation what the pages for moderation do
 * @property {Explorer | null} explorer what the search explorer does
 * @property {((context: Context, table: Table) => Live) | undefined} [live] how a game goes in which nobody plays now
 * @property {() => VElement[]} tools the small buttons beside the move keys
 */

export {};
