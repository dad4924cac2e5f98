import { Identity } from '../../../../web/js/net/identity.js';
import { changes, wanted, AT_FIRST } from '../../../../web/js/net/subscriptions.js';
import { receive } from '../../../../web/js/core/receive.js';
import { readRoute } from '../../../../web/js/core/route.js';
import { readSettings } from '../../../../web/js/core/settings.js';
import { initialState } from '../../../../web/js/core/state.js';
import { endedUnseen } from '../../../../web/js/core/unfinished.js';
import { equal, truth } from './check.js';

const START = globalThis.rules.start;

/** @param {string} path @param {any[]} messages @param {any} [known] */
function after(path, messages, known = {}) {
  let state = { ...initialState(readRoute(path), readSettings(null, ['en'])), ...known };
  for (const message of messages) state = receive(state, message, 1000).state;
  return state;
}

/** @param {any[]} seats */
const joined = (...seats) => ({ type: 'joined', name: 'anna', protocol: 1, token: 'x', seats });
const seat = { table: 'k3x', color: 'black', state: 'running' };

/** @param {any} [end] */
const shown = (end = {}) => ({
  type: 'table_state', table: 'k3x', info: { id: 'k3x', seats: {}, watchers: 0 }, you: 'black', server_ms: 0,
  state: { game: 1, id: 'k3x-1', seq: 4, white: 'boris', black: 'anna', start_fen: START, fen: START, moves: [], ply: 0, turn: 'white', ...end },
});
const lost = { result: 'white_won', reason: 'time' };

export function who_comes_in_goes_where_they_sit() {
  const state = after('/', [joined(seat)]);
  equal(wanted(state).tables, ['k3x']);
  equal(changes(AT_FIRST, wanted(state), state)[0], { type: 'watch', table: 'k3x' });
  const over = after('/', [joined(seat), shown(lost)]);
  equal(wanted(over).tables, [], 'no seat is held in a game that is over');
}

export function an_invitation_is_followed_like_a_game() {
  const waiting = { ...shown(), state: undefined, you: 'white' };
  equal(wanted(after('/', [joined({ ...seat, state: 'waiting' }), waiting])).tables, ['k3x']);
  equal(wanted(after('/', [joined(), { ...waiting, you: undefined }])).tables, []);
}

export function the_end_of_a_game_is_told_to_who_was_away() {
  const { unfinished } = after('/g/k3x', [joined(seat), shown()]);
  equal(unfinished, { 'k3x-1': { table: 'k3x', you: 'black', opponent: 'boris' } });
  // The page was loaded again, and the server does not know any more who had which side.
  const back = after('/g/k3x', [joined(), { ...shown(lost), you: undefined }], { unfinished });
  equal([back.dialog, back.tables.k3x.you, back.unfinished], [{ name: 'over' }, 'black', {}]);
  const again = after('/g/k3x', [joined(), shown(lost)]);
  equal(again.dialog, null, 'whoever has seen it is not told again');
  const elsewhere = after('/', [joined(seat), shown(), { type: 'game_over', table: 'k3x', game: 1, seq: 5, id: 'k3x-1', ply: 0, fen: START, ...lost }]);
  equal([elsewhere.notice.key, elsewhere.notice.params], ['notice.over.lost', { name: 'boris' }]);
  equal(endedUnseen(after('/', [joined()], { unfinished })).map(({ id }) => id), ['k3x-1']);
  equal(endedUnseen(after('/', [joined(seat)], { unfinished })), [], 'it goes on');
}

export function a_browser_is_one_person_in_all_tabs() {
  const kept = new Map();
  globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  const [one, other, board] = [new Identity(true), new Identity(true), new Identity(false)];
  one.remember('anna', 'x');
  equal(other.recall(), { name: 'anna', token: 'x' });
  other.remember('olga', 'y');
  equal(one.recall(), { name: 'olga', token: 'y' });
  board.remember('guest', 'z');
  equal([board.recall().name, one.recall().name], ['guest', 'olga']);
  globalThis.localStorage = { getItem() { throw new Error(); }, setItem() { throw new Error(); } };
  const blocked = new Identity(true);
  truth(one.isKept && !blocked.isKept);
  blocked.remember('anna', 'x');
  equal(blocked.recall().name, 'anna', 'as long as the page is open');
  delete globalThis.localStorage;
}
