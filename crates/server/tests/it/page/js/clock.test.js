/* global rules */
import { readRoute } from '../../../../web/js/core/route.js';
import { readSettings } from '../../../../web/js/core/settings.js';
import { initialState } from '../../../../web/js/core/state.js';
import { emptyTable, other, reduceTable } from '../../../../web/js/core/table.js';
import { withClockAtRest } from '../../../../web/js/core/clocks.js';
import { receive } from '../../../../web/js/core/receive.js';
import { atRest, carryOn, clockText, learnGiven, LOW_TIME_MS, nextChange, nextTick, PACE, remaining, runningOn, thinkingSeconds } from '../../../../web/js/game/clock.js';
import { equal, truth } from './check.js';

const SIDES = ['white', 'black'];
const clocksOf = (white, black, increment = 0) => ({
  white: { remaining_ms: white, increment_ms: increment },
  black: { remaining_ms: black, increment_ms: increment },
});
const running = (turn, ms = 60000, at = 0) => ({ clocks: clocksOf(ms, ms), at, turn });

export function clocks_run_for_the_side_to_move_alone() {
  const clocks = { white: { remaining_ms: 60000, increment_ms: 0 }, black: { remaining_ms: 5000, increment_ms: 0, delay_ms: 2000 } };
  const reading = { clocks, at: 1000, turn: 'white' };
  equal(remaining(reading, 'white', 11000), 50000);
  equal(remaining(reading, 'black', 11000), 5000);
  equal(remaining({ ...reading, turn: 'black' }, 'black', 2500), 5000, 'within the delay:');
  equal(remaining({ ...reading, turn: 'black' }, 'black', 4000), 4000);
  equal(remaining({ ...reading, turn: 'black' }, 'black', 99000), 0);
  equal(remaining({ ...reading, turn: null }, 'white', 99000), 60000, 'stopped:');
  equal(remaining({ clocks: {}, at: 0, turn: 'white' }, 'white', 5), null);
}

export function how_long_somebody_thinks_is_known_without_a_clock() {
  const reading = { clocks: {}, at: 1000, turn: 'black' };
  equal([900, 1999, 2000, 64000].map((now) => thinkingSeconds(reading, now)), [0, 0, 1, 63]);
  equal([thinkingSeconds({ ...reading, turn: null }, 9000), thinkingSeconds(null, 9000)], [0, 0]);
}

export function clock_texts() {
  equal([0, 940, 9999, 10000, 59999, 61000, 3727000].map(clockText), ['0:00.0', '0:00.9', '0:09.9', '0:10', '0:59', '1:01', '1:02:07']);
  equal([10000, 9950, 61500, 61000].map(nextTick), [100, 50, 500, 1000]);
}

export function what_differs_wears_off_at_a_pace() {
  const looks = (was, reading) => [0, 800, 1600, 3200, 9000].map((now) => remaining(carryOn(running('black', was), reading, 0), 'black', now));
  const resting = { clocks: clocksOf(60000, 50800), at: 0, turn: 'white' };
  equal(looks(51200, resting), [51200, 51000, 50800, 50800, 50800], 'at rest:');
  equal(looks(50000, resting), [50000, 50000, 50000, 50000, 50000], 'at rest, no second goes back:');
  equal(looks(50000, { ...resting, turn: null }), [50000, 50200, 50400, 50800, 50800], 'when the game is over:');
  const slow = carryOn(running('white', 59800), running('white'), 0);
  equal([0, 400, 800, 1600].map((now) => remaining(slow, 'white', now)), [59800, 59500, 59200, 58400], 'while it runs:');
  const spared = { ...slow, spared: { from: 0, ms: 400 } };
  equal([0, 400, 800, 1200, 2000].map((now) => remaining(spared, 'white', now)), [59800, 59800, 59500, 59200, 58400], 'once it runs:');
}

export function what_the_network_does_not_explain_is_shown_at_once() {
  const shown = (is, was) => remaining(carryOn(running('white', was), running('white', is), 0), 'white', 0);
  equal([shown(60000, 62000), shown(60000, 62001), shown(60000, 57000)], [62000, 60000, 60000]);
  equal(remaining(carryOn(null, running('white'), 0), 'white', 0), 60000, 'nothing was shown before:');
  const full = { white: { remaining_ms: 30000, increment_ms: 0, per_move_ms: 30000 } };
  equal(remaining(carryOn({ clocks: full, at: 0, turn: 'white' }, { clocks: full, at: 1500, turn: 'black' }, 1500), 'white', 1500), 30000, 'a time for every move:');
}

export function no_more_is_shown_than_is_left_where_time_is_short() {
  const shown = carryOn(running('white', 15000), running('white', 14000), 0);
  for (let now = 0; now <= 14000; now += 50) {
    const [is, due] = [remaining(shown, 'white', now), 14000 - now];
    truth(due > LOW_TIME_MS || is === due, `${is} of ${due} ms`);
  }
  const less = (now) => remaining(carryOn(running('white', 500), running('white', 1500), 0), 'white', now);
  equal([less(0), less(1499) > 0, less(1500)], [1125, true, 0], 'a clock that shows less still runs to its end:');
  const resting = carryOn(running('black', 5000), { ...running('white', 5400) }, 0);
  equal([0, 800, 1600].map((now) => remaining(resting, 'black', now)), [5000, 5200, 5400], 'at rest too:');
}

export function the_own_clock_rests_while_the_move_is_under_way() {
  const sent = atRest(running('white'), 4000);
  equal([4000, 4300, 4500, 5000].map((now) => remaining(sent, 'white', now)), [56000, 56000, 56000, 55500], 'as long as the server may give back:');
  const again = runningOn(sent, 4400);
  equal([4400, 4800, 6000].map((now) => remaining(again, 'white', now)), [56000, 55500, 54000], 'there was no move:');
}

export function what_is_given_back_is_learnt_move_by_move() {
  let given;
  const seen = [200, 200, 200, 1200, -300, 200].map((lag) => {
    given = learnGiven({ ...running('black'), given }, { color: 'black', elapsed_ms: 3000 }, 3000 + lag);
    return given.black;
  });
  equal(seen, [100, 200, 200, 300, 200, 200], 'an exception hardly counts:');
  equal(learnGiven(running('white'), { color: 'black', elapsed_ms: 1 }, 9000), { white: 0, black: 0 }, 'it was not seen:');
}

export function a_clock_is_looked_at_when_it_may_show_something_else() {
  equal(nextChange(running('white', 60500), 0), 500);
  equal(nextChange({ ...running('white'), turn: null }, 0), null);
  equal(nextChange({ clocks: {}, at: 0, turn: 'white' }, 0), null);
  equal(nextChange({ ...running('white', 60500), spared: { from: 0, ms: 200 } }, 50), 650, 'once it runs:');
  const wearing = carryOn(running('black', 60400), running('white', 60000), 0);
  equal([nextChange(wearing, 0), nextChange(wearing, 1600)], [100, 400]);
  equal(nextChange(carryOn(running('black', 59900), running('white', 60000), 0), 500), 500, 'one that waits for its turn:');
  equal(nextChange(running('white', 0), 50), null, 'nothing is left:');
}

function game(clocks) {
  return { game: 7, seq: 1, white: 'anna', black: 'boris', start_fen: rules.start, moves: [], fen: rules.start, ply: 0, turn: 'white', clocks };
}

function moved(ply, elapsed, clocks) {
  const color = SIDES[ply % 2];
  const played = { ply, color, move: 'c3-d4', squares: ['c3', 'd4'], captures: [], promotes: false, elapsed_ms: elapsed };
  return { type: 'moved', table: 't', game: 7, seq: ply + 2, turn: other(color), fen: 'x', clocks, played };
}

const asked = (ply, clocks, more = {}) => ({ type: 'your_turn', table: 't', game: 7, ply, legal_moves: [], clocks, ...more });
const begun = (clocks) => ({ type: 'game_started', table: 't', ...game(clocks) });

function told(me, ...messages) {
  return messages.reduce((table, [now, message]) => reduceTable(table, message, { now, me }), emptyTable('t'));
}

export function a_request_that_comes_late_does_not_set_the_clock_back() {
  const clocks = clocksOf(59000, 60000);
  const table = told('boris', [0, begun(clocksOf(60000, 60000))], [1000, moved(0, 1000, clocks)], [1600, asked(1, clocks)]);
  equal([1600, 5000].map((now) => remaining(table.reading, 'black', now)), [59400, 56000]);
  const again = reduceTable(table, asked(1, clocks), { now: 3000, me: 'boris' });
  equal([again.reading.at, remaining(again.reading, 'black', 20000)], [3000, 43000], 'asked again, with what there was:');
  const back = reduceTable(table, asked(1, clocks, { thinking_ms: 9000 }), { now: 3000, me: 'boris' });
  equal(remaining(back.reading, 'black', 3000), 51000);
}

export function the_clock_of_the_other_side_rests_as_long_as_the_network_was_given_lately() {
  const [first, second] = [clocksOf(59000, 60000), clocksOf(59000, 58000)];
  const start = [[0, begun(clocksOf(60000, 60000))], [1000, moved(0, 1000, first)], [3090, moved(1, 2000, second)]];
  const third = [5000, moved(2, 1910, clocksOf(57090, 58000))];
  equal([5000, 5090, 6090].map((now) => remaining(told('anna', ...start, third).reading, 'black', now)), [57910, 57910, 57000]);
  equal(told('boris', ...start, third).reading.spared, undefined, 'the own clock runs at once:');
}

export function a_refused_move_lets_the_clock_run_on() {
  let state = initialState(readRoute('/g/t'), readSettings(null, ['en']));
  state = { ...state, me: { name: 'anna', joined: true, token: null } };
  state = receive(state, begun(clocksOf(60000, 60000)), 0).state;
  state = withClockAtRest(state, 't', 5000);
  state = { ...state, board: { ...state.board, pending: { table: 't', game: 7, ply: 0, sentAt: 5000 } } };
  equal(remaining(state.tables.t.reading, 'white', 5300), 55000);
  const { reading } = receive(state, { type: 'error', code: 'illegal_move', table: 't' }, 5300).state.tables.t;
  equal([remaining(reading, 'white', 5300), remaining(reading, 'white', 10000)], [55000, 50000]);
  equal(withClockAtRest(state, 'elsewhere', 1) === state, true);
}

export function an_end_shows_what_was_left() {
  const over = (reason) => ({ type: 'game_over', table: 't', game: 7, result: 'white_won', reason, ply: 1, fen: 'x', seq: 3 });
  const table = told('anna', [0, begun(clocksOf(60000, 60000))], [1000, moved(0, 1000, clocksOf(59000, 60000))]);
  const end = (now, reason) => remaining(reduceTable(table, over(reason), { now, me: 'anna' }).reading, 'black', now + 9000);
  equal([end(5000, 'resignation'), end(60900, 'time')], [56000, 0]);
}

/** What comes to Anna's page of a game in which each packet takes its time, and what she sends. */
function* slowGame({ plies, think, way, increment }) {
  const left = { white: 60000, black: 60000 };
  const credit = { white: 500, black: 500 };
  let asked_at = 0;
  let hers = way();
  let boris = way();
  yield [hers, begun(clocksOf(60000, 60000, increment))];
  for (let ply = 0; ply < plies; ply += 1) {
    const color = SIDES[ply % 2];
    const sent = (color === 'white' ? hers : boris) + think();
    if (color === 'white') yield [sent, 'sent'];
    const total = sent + way() - asked_at;
    const lag = Math.min(200, credit[color], total);
    credit[color] = Math.min(500, credit[color] - lag + 100);
    left[color] += increment - (total - lag);
    asked_at += total;
    // Packets do not overtake each other.
    [hers, boris] = [Math.max(hers, sent, asked_at + way()), asked_at + way()];
    yield [hers, moved(ply, total - lag, clocksOf(left.white, left.black, increment))];
  }
}

/** The steps of either clock while it is looked at, but for increments: back, or beyond what its pace allows. */
function stepsOf(game, increment) {
  const every = 50;
  let table = emptyTable('t');
  let last = null;
  let worst = 0;
  let wanted = { white: 0, black: 0 };
  const look = (now) => {
    const shown = Object.fromEntries(SIDES.map((side) => [side, remaining(table.reading, side, now)]));
    for (const side of last ? SIDES : []) {
      const change = shown[side] - last.shown[side] - wanted[side];
      const passed = now - last.now;
      worst = Math.max(worst, change, -change - (1 + PACE) * passed);
    }
    wanted = { white: 0, black: 0 };
    last = { now, shown };
  };
  for (const [at, message] of game) {
    for (let now = (last?.now ?? at) + every; last && now < at; now += every) look(now);
    if (message === 'sent') table = { ...table, reading: atRest(table.reading, at) };
    else table = reduceTable(table, message, { now: at, me: 'anna' });
    if (message.type === 'moved') wanted[message.played.color] = increment;
    look(at);
  }
  return { worst, reading: table.reading, at: last.now };
}

/** Numbers that look like chance, from 0 to 1. */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

export function no_clock_jumps_on_a_link_that_loses_packets() {
  for (let seed = 1; seed <= 10; seed += 1) {
    const random = chance(seed);
    // A packet that is lost comes after 400 ms, and after 1,200 if it is lost again.
    const way = () => 100 + 10 * random() + (random() < 0.1 ? 400 + (random() < 0.3 ? 800 : 0) : 0);
    const think = () => 300 + 1000 * random();
    const increment = seed % 2 ? 1000 : 0;
    const { worst, reading, at } = stepsOf(slowGame({ plies: 30, think, way, increment }), increment);
    truth(worst < 0.001, `game ${seed}: a step of ${worst} ms`);
    const still = { ...reading, turn: null };
    equal(SIDES.map((side) => remaining(still, side, at + 8000)), SIDES.map((side) => reading.clocks[side].remaining_ms), 'what is shown in the end:');
  }
}
