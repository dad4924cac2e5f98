import { readRoute } from '../../../../web/js/core/route.js';
import { readSettings } from '../../../../web/js/core/settings.js';
import { initialState } from '../../../../web/js/core/state.js';
import { emptyTable } from '../../../../web/js/core/table.js';
import { en } from '../../../../web/js/i18n/en.js';
import { ru } from '../../../../web/js/i18n/ru.js';
import { teach, translator } from '../../../../web/js/i18n/words.js';
import { findAll, textOf } from '../../../../web/js/ui/dom.js';
import { stillView } from '../../../../web/js/game/view.js';
import { boardNode } from '../../../../web/js/views/board.js';
import { banner } from '../../../../web/js/views/header.js';
import { lobbyPage } from '../../../../web/js/views/lobby.js';
import { pageNode } from '../../../../web/js/views/pages.js';
import { isPlayed, ownResult, reasonText, resultText } from '../../../../web/js/views/result.js';
import { waitingRoom } from '../../../../web/js/views/waiting.js';
import { equal, truth } from './check.js';

teach('en', en);
teach('ru', ru);

function contextOf(path, changes = {}) {
  const state = { ...initialState(readRoute(path), readSettings(null, ['en'])), me: { name: 'anna', joined: true, token: null }, ...changes };
  const did = [];
  const act = new Proxy({}, { get: (_, name) => (...args) => did.push([name, ...args]) });
  return { state, t: translator('en'), act, did, now: 0, frame: null, table: null, origin: 'http://x', pages: new Set(), study: null, boardEvents: {} };
}

/** A lobby where so many wait, each with a long name. */
function lobbyOf(count, more = {}, form = {}) {
  const seats = (name) => ({ white: { name, connected: true } });
  const table = (name, i) => ({ id: `t${i}`, kind: 'challenge', visibility: 'public', casual: true, state: 'waiting', seats: seats(name), watchers: 0, ply: 0, white_clock: '5m', black_clock: '5m' });
  const tables = Array.from({ length: count }, (_, i) => table(i === count - 1 ? 'anna' : `A player with a long name ${i}`, i));
  return contextOf('/', { lobby: { tables, open: count, live: 0, players: 9, known: true, ...more }, form });
}

const rowsOf = (context) => {
  const list = findAll(lobbyPage(context), ({ props }) => props['aria-labelledby'] === 'open-title')[0];
  return { list, rows: findAll(list, ({ tag }) => tag === 'li').map(textOf) };
};

export function a_long_list_of_challenges_is_cut_and_opened_on_request() {
  const context = lobbyOf(25);
  const { list, rows } = rowsOf(context);
  equal(rows.length, 5);
  truth(rows[0].startsWith('anna') && rows[1].startsWith('A player with a long name 0'), rows);
  const all = findAll(list, ({ props }) => props.id === 'lobby-allOpen')[0];
  equal(textOf(all), 'Show all 25');
  all.props.on.click();
  equal(context.did, [['fill', { allOpen: true }]]);
  equal(rowsOf(lobbyOf(25, {}, { allOpen: true })).rows.length, 25);
}

export function who_waits_for_a_quick_game_is_listed_and_can_be_played() {
  const context = lobbyOf(0, { quick: ['5m+3s', '1m'] });
  const { list, rows } = rowsOf(context);
  equal(rows, ['Somebody looks for a quick game5+3Play', 'Somebody looks for a quick game1+0Play']);
  findAll(list, ({ props }) => props['data-quick'] === '1m')[0].props.on.click();
  equal(context.did, [['quick', '1m', false]]);
  const rated = lobbyOf(0, { quick_rated: ['5m+3s'] });
  equal(rowsOf(rated).rows, [], 'guests do not play rated games:');
  rated.state.me.account = true;
  equal(rowsOf(rated).rows, ['Somebody looks for a quick game5+3 · ratedPlay']);
  const waiting = lobbyOf(0, { quick: ['5m+3s'] });
  waiting.state.queue = { clock: '5m+3s', rated: false };
  equal(rowsOf(waiting).rows, [], 'not whoever looks at the list:');
}

export function who_challenges_somebody_reads_the_name_and_needs_no_link() {
  const info = { id: 't', seats: { white: { name: 'anna', connected: true } }, casual: true };
  const room = (more) => waitingRoom(contextOf('/g/t'), { ...emptyTable('t'), info: { ...info, ...more } });
  const invited = textOf(room({ opponent: 'boris' }));
  truth(invited.includes('Waiting for boris') && !invited.includes('link'), invited);
  truth(textOf(room({})).includes('Send this link'));
}

export function a_page_that_cannot_be_loaded_says_so() {
  const text = (unreachable) => textOf(pageNode(contextOf('/help', { unreachable })));
  equal([text(false), text(true)], ['Loading…', 'Connection lost. Trying again…']);
}

export function a_game_that_was_called_off_is_told_in_one_sentence() {
  const off = (moves) => ({ ...emptyTable('t'), you: 'white', game: { game: 1, moves, result: 'interrupted', reason: 'aborted' } });
  const words = (key) => key;
  equal([resultText, ownResult, reasonText].map((told) => told(off([]), words)), ['result.aborted', 'result.aborted', '']);
  equal([isPlayed(off([])), isPlayed(off([{}]))], [false, true], 'whether there is something to analyse:');
}

export function who_has_lost_reads_what_the_loser_did() {
  const lost = (you, lang) => resultText({ ...emptyTable('t'), you, game: { game: 1, moves: [], result: 'white_won', reason: 'resignation' } }, translator(lang));
  equal([lost('black', 'ru'), lost('white', 'ru'), lost(null, 'en')], ['Победа белых: вы сдались', 'Победа белых: чёрные сдались', 'White won: Black resigned']);
}

export function a_name_cannot_be_changed_during_a_game() {
  const tables = { t: { ...emptyTable('t'), you: 'white' } };
  const [seated, free] = [{ tables }, {}].map((changes) => textOf(lobbyPage(contextOf('/', changes))));
  equal([seated, free].map((text) => text.includes('Finish it before you change your name')), [true, false]);
}

export function another_device_disturbs_only_pages_that_need_the_connection() {
  const shown = ([path, search], account) => textOf(banner({ ...contextOf(path, { route: readRoute(path, search), connection: { status: 'replaced', retryAt: null, attempt: 0, rtt: null }, me: { name: 'anna', joined: false, token: 'x', account } }) })) !== '';
  const places = [['/'], ['/g/t'], ['/tournament/a'], ['/tournament/a', '?view=projector'], ['/account'], ['/player/anna']];
  equal(places.map((place) => shown(place, true)), [true, true, true, false, false, false]);
  equal(shown(['/account'], false), true, 'guests keep a name by the connection:');
}

export function the_keyboard_comes_to_an_own_man_while_nothing_can_be_moved() {
  const cell = (square, color) => ({ square, dark: true, occupied: color && { color, king: false }, canMove: false });
  const view = (own) => ({ ...stillView(false, []), rows: [[cell('b8', 'black'), cell('d8', null), cell('a3', 'white')]], own });
  const stop = (own) => findAll(boardNode(view(own), translator('en')), ({ props }) => props.tabindex === '0').map(({ props }) => props['data-sq']);
  equal([stop('white'), stop('black'), stop(null)], [['a3'], ['b8'], ['b8']]);
}
