import { deviceName } from '../../../../web/js/actions/account.js';
import { receive } from '../../../../web/js/core/receive.js';
import { readRoute } from '../../../../web/js/core/route.js';
import { readSettings } from '../../../../web/js/core/settings.js';
import { initialState } from '../../../../web/js/core/state.js';
import { equal } from './check.js';

/** @param {any} me */
const guest = (me = {}) => {
  const state = initialState(readRoute('/account'), readSettings(null, ['en']));
  return { ...state, me: { name: 'anna', joined: true, token: 'x', ...me } };
};

export function the_page_of_an_account_has_two_addresses() {
  equal([readRoute('/account').name, readRoute('/sign-in', '', '#abc').name], ['account', 'account']);
}

export function a_kept_name_has_a_new_secret() {
  const { state, effects } = receive(guest(), { type: 'name_kept', name: 'anna', token: 'y', recovery: ['a-b'] }, 0);
  equal([state.me.account, state.me.token, state.me.recovery], [true, 'y', ['a-b']]);
  equal(effects, [{ kind: 'remember', token: 'y', name: 'anna' }]);
}

export function a_session_that_has_ended_makes_a_guest() {
  const signedOut = { ...guest({ joined: false }), settings: { ...guest().settings, name: 'anna' } };
  const { state, effects } = receive(signedOut, { type: 'error', code: 'bad_token', message: '' }, 0);
  equal([effects, state.settings.name, state.notice?.key], [[{ kind: 'join', anew: true }], '', 'error.bad_token']);
}

export function who_cannot_come_in_now_asks_again() {
  const { effects } = receive(guest({ joined: false }), { type: 'error', code: 'not_stored', message: '' }, 0);
  equal(effects, [{ kind: 'join', later: true }]);
}

export function why_a_name_cannot_be_kept_is_told_beside_its_field() {
  const wished = { ...guest({ joined: false, wish: 'boris' }), page: { key: 'x' } };
  const { state, effects } = receive(wished, { type: 'error', code: 'name_taken', message: '' }, 0);
  equal([state.page, state.notice, state.me.wish, effects], [{ key: 'x', refused: 'name_kept' }, null, null, [{ kind: 'join' }]]);
}

export function browsers_are_told_apart() {
  const agents = [
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0',
    'curl/8',
  ];
  equal(agents.map(deviceName), ['Firefox, Linux', 'Chrome, Android', 'Safari, macOS', 'Edge, Windows', '']);
}
