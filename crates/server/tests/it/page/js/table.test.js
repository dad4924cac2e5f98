/* global rules */
import { archivedTable } from '../../../../web/js/core/archived.js';
import { emptyTable, isRunning, offerBy, reduceTable } from '../../../../web/js/core/table.js';
import { receive } from '../../../../web/js/core/receive.js';
import { readRoute } from '../../../../web/js/core/route.js';
import { readSettings } from '../../../../web/js/core/settings.js';
import { initialState, isOfBots, ownMoves, viewedTable } from '../../../../web/js/core/state.js';
import { AT_FIRST, changes, wanted } from '../../../../web/js/net/subscriptions.js';
import { boardView, cellLabel } from '../../../../web/js/game/view.js';
import { SAID_MS } from '../../../../web/js/core/phrases.js';
import { bubble, talkButton } from '../../../../web/js/views/phrases.js';
import { equal, legal, truth } from './check.js';

const CLOCKS = { white: { remaining_ms: 60000, increment_ms: 0 }, black: { remaining_ms: 50000, increment_ms: 0 } };

function game(changed = {}) {
  return { game: 7, id: 't-7', seq: 3, white: 'anna', black: 'boris', start_fen: rules.start, moves: [], fen: rules.start, ply: 0, turn: 'white', clocks: CLOCKS, ...changed };
}

function snapshot(changed = {}, state = {}) {
  const seats = { white: { name: 'anna', connected: true }, black: { name: 'boris', connected: true } };
  return { type: 'table_state', table: 't', info: { id: 't', seats, watchers: 2 }, state: game(state), ...changed };
}

function moved(ply, squares, seq) {
  const color = ply % 2 ? 'black' : 'white';
  return { type: 'moved', table: 't', game: 7, seq, turn: ply % 2 ? 'white' : 'black', fen: 'x', clocks: CLOCKS,
    played: { ply, color, move: squares.join('-'), squares, captures: [], promotes: false, elapsed_ms: 1 } };
}

const world = { now: 1000, me: 'anna' };
const fold = (...messages) => messages.reduce((table, message) => reduceTable(table, message, world), emptyTable('t'));

export function a_snapshot_says_everything() {
  const table = fold(snapshot({ you: 'white', legal_moves: legal(rules.start), rematch: null }));
  equal([table.you, table.seq, table.watchers, isRunning(table), table.legal.moves.length], ['white', 3, 2, true, 7]);
  equal(table.reading.at, 1000);
  equal(fold(snapshot({}, { thinking_ms: 400 })).reading.at, 600, 'who has been thinking already:');
}

export function events_come_once_and_in_order() {
  const first = fold(snapshot(), moved(0, ['c3', 'd4'], 4));
  equal([first.game.ply, first.seq, first.game.turn], [1, 4, 'black']);
  truth(reduceTable(first, moved(0, ['c3', 'd4'], 4), world) === first, 'a repeated event changes nothing');
  const gap = reduceTable(first, moved(2, ['e3', 'f4'], 6), world);
  equal([gap.stale, gap.game.ply], [true, 1]);
  const healed = reduceTable(gap, snapshot({}, { moves: first.game.moves, ply: 1, seq: 9 }), world);
  equal([healed.stale, healed.seq], [false, 9]);
}

export function a_takeback_drops_moves_and_offers() {
  const table = fold(snapshot(), moved(0, ['c3', 'd4'], 4), moved(1, ['f6', 'g5'], 5),
    { type: 'offered', table: 't', game: 7, offer: 'takeback', by: 'white', seq: 6 },
    { type: 'took_back', table: 't', game: 7, ply: 0, fen: rules.start, turn: 'white', seq: 7 });
  equal([table.game.ply, table.game.moves.length, offerBy(table, 'takeback')], [0, 0, null]);
}

export function offers_are_open_until_they_are_answered() {
  const offered = fold(snapshot(), { type: 'offered', table: 't', game: 7, offer: 'draw', by: 'black', seq: 4 });
  equal(offerBy(offered, 'draw'), 'black');
  const declined = reduceTable(offered, { type: 'declined', table: 't', game: 7, offer: 'draw', by: 'white', seq: 5 }, world);
  equal([offerBy(declined, 'draw'), declined.declined], [null, { offer: 'draw', by: 'white' }]);
  const over = reduceTable(offered, { type: 'game_over', table: 't', game: 7, result: 'draw', reason: 'agreement', ply: 0, fen: 'x', seq: 5 }, world);
  equal([isRunning(over), over.game.result, over.reading.turn], [false, 'draw', null]);
  equal(offerBy(reduceTable(over, { type: 'offered', table: 't', game: 7, offer: 'rematch', by: 'black' }, world), 'rematch'), 'black');
}

export function what_was_declined_is_forgotten_when_the_game_is_over() {
  const over = fold(snapshot({ you: 'white' }),
    { type: 'offered', table: 't', game: 7, offer: 'draw', by: 'white', seq: 4 },
    { type: 'declined', table: 't', game: 7, offer: 'draw', by: 'black', seq: 5 },
    { type: 'game_over', table: 't', game: 7, result: 'black_won', reason: 'resignation', ply: 0, fen: 'x', seq: 6 });
  equal(over.declined, null);
}

export function a_phrase_is_shown_for_a_while_unless_it_is_muted() {
  const hello = { type: 'said', table: 't', by: 'black', phrase: 'hello' };
  const words = (key) => key;
  const { state, effects } = inGame(snapshot({ you: 'white' }), hello);
  equal(effects, [{ kind: 'sound', sound: 'notify' }, { kind: 'say', key: 'phrase.hello' }]);
  const shown = (seen, now) => bubble(seen, seen.tables.t, 'black', words, now)?.children ?? null;
  equal([shown(state, 1001), shown(state, 1000 + SAID_MS)], [['phrase.hello'], null]);
  const muted = { ...state, settings: { ...state.settings, phrases: false } };
  equal([shown(muted, 1001), receive(muted, hello, 1000).effects], [null, []]);
  equal(fold(snapshot(), { ...hello, phrase: 'buy_this' }).said, {}, 'no phrase of this page:');
}

export function people_are_talked_to_and_computers_are_not() {
  const act = { open() {} };
  const offered = ({ state }) => talkButton({ state, t: (key) => key, act }, state.tables.t, 'black') != null;
  equal(offered(inGame(snapshot({ you: 'white' }))), true);
  equal(offered(inGame(snapshot({ you: null }, { white: 'x', black: 'y' }))), false);
  const seats = { white: { name: 'anna', connected: true }, black: { name: 'Level 3', connected: true, bot: 'level 3' } };
  equal(offered(inGame(snapshot({ you: 'white', info: { id: 't', seats, watchers: 0 } }, { black: 'Level 3' }))), false);
}

export function a_fallen_flag_stands_at_nothing() {
  const table = fold(snapshot(), { type: 'game_over', table: 't', game: 7, result: 'black_won', reason: 'time', ply: 0, fen: 'x', seq: 4 });
  equal(table.reading.clocks.white.remaining_ms, 0);
}

export function absence_counts_down_and_ends() {
  const away = fold(snapshot(), { type: 'presence', table: 't', color: 'black', connected: false, claim_in_ms: 5000 });
  equal(away.presence.black, { connected: false, claimAt: 6000 });
  equal(reduceTable(away, { type: 'presence', table: 't', color: 'black', connected: true }, world).presence.black.connected, true);
}

export function whose_game_it_was_is_known_after_it() {
  const over = fold(snapshot({ you: 'white' }),
    { type: 'game_over', table: 't', game: 7, result: 'draw', reason: 'agreement', ply: 0, fen: 'x', seq: 4 },
    { type: 'players', table: 't', players: [{ name: 'anna', role: 'spectator' }] });
  equal(over.you, 'white');
}

function inGame(...messages) {
  let state = initialState(readRoute('/g/t'), readSettings(null, ['en']));
  state = { ...state, me: { name: 'anna', joined: true, token: null }, connection: { ...state.connection, status: 'online' } };
  const effects = [];
  for (const message of messages) {
    const step = receive(state, message, 1000);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

export function a_name_that_is_taken_is_told_to_who_chose_it() {
  const { state } = inGame(snapshot());
  const refused = { type: 'error', code: 'name_taken', message: '' };
  const arriving = (name, chosen) => ({ ...state, notice: null, me: { name, joined: false, token: null }, settings: { ...state.settings, name: chosen } });
  const chosen = receive(arriving('Anna', 'Anna'), refused, 1);
  equal([chosen.state.notice.key, chosen.state.settings.name, chosen.effects], ['error.name_taken', '', [{ kind: 'join', anew: true }]]);
  const guest = receive(arriving('guest-1234', ''), refused, 1);
  equal([guest.state.notice, guest.effects], [null, [{ kind: 'join', anew: true }]]);
  // Who wants another name and cannot have it stays who they were.
  const wishing = { ...arriving('Anna', ''), me: { name: 'Anna', joined: false, token: null, wish: 'Anna' } };
  const kept = receive(wishing, refused, 1);
  equal([kept.state.notice.key, kept.state.me.wish, kept.effects], ['error.name_kept', null, [{ kind: 'join' }]]);
  const named = receive(wishing, { type: 'joined', name: 'Anna', protocol: 1, token: 'x' }, 1);
  equal([named.state.settings.name, named.state.me.wish], ['Anna', null]);
}

export function a_restart_is_told_ahead() {
  const { state } = inGame(snapshot());
  const told = (more) => receive(state, { type: 'restarting', delay_ms: 5000, ...more }, 1).state.notice;
  equal([told({ in_ms: 29500 }).key, told({ in_ms: 29500 }).params.n], ['notice.restartsSoon', 30]);
  equal(told({}), state.notice, 'the link tells that it is down:');
}

const pendingMove = (state, move) => ({ ...state, board: { ...state.board, pending: {
  id: 'x', table: 't', game: 7, ply: 0, choice: { move, route: move.routes[0] }, text: move.move, sentAt: 0 } } });

export function a_confirmed_move_is_not_pending_and_a_refused_one_is_told() {
  const { state } = inGame(snapshot({ you: 'white', legal_moves: legal(rules.start) }));
  const sent = pendingMove(state, legal(rules.start)[0]);
  equal(ownMoves(sent), null, 'nothing can be moved meanwhile:');
  const view = boardView(sent, null);
  equal(view.pieces.find(({ look }) => look === 'sent')?.square, legal(rules.start)[0].to);
  equal(receive(sent, moved(0, ['c3', 'd4'], 4), 1).state.board.pending, null);
  const refused = receive(sent, { type: 'error', code: 'illegal_move', message: '', table: 't' }, 1);
  equal([refused.state.board.pending, refused.state.board.refused.code], [null, 'illegal_move']);
  const other = receive(sent, { type: 'error', code: 'too_soon', message: '' }, 1);
  truth(other.state.board.pending, 'another refusal is not about the move');
  equal(other.state.notice.key, 'error.too_soon');
}

export function the_board_shows_what_can_be_done() {
  const { state } = inGame(snapshot({ you: 'white', legal_moves: legal(rules.start) }));
  const view = boardView(state, null);
  equal([view.live, view.flipped, view.pieces.length], [true, false, 24]);
  const cell = (square, seen = view) => seen.rows.flat().find((candidate) => candidate.square === square);
  equal([cell('c3').canMove, cell('c3').must, cell('c1').canMove], [true, false, false]);
  const chosen = boardView({ ...state, board: { ...state.board, path: ['c3'] } }, null);
  equal([cell('d4', chosen).target, cell('c3', chosen).chosen], [true, true]);
  const words = (key) => key;
  equal(cellLabel(cell('c3'), words), 'c3 board.white');
  equal(cellLabel(cell('d4', chosen), words), 'd4 board.empty, board.target');
  const black = boardView(inGame(snapshot({ you: 'black' }, { white: 'boris', black: 'anna' })).state, null);
  equal([black.flipped, black.live, black.own], [true, false, 'black']);
}

export function a_path_ghosts_what_it_captures_and_crowns_on_the_way() {
  const fen = 'W:Wd4,c1:Bc5,e5,c7,e7,a7';
  const moves = legal(fen);
  const promoting = moves.find((move) => move.promotes && move.captures.length >= 3);
  const { squares } = promoting.routes[0];
  const { state } = inGame(snapshot({ you: 'white', legal_moves: moves }, { start_fen: fen, fen }));
  const at = squares.findIndex((square) => square.endsWith('8'));
  const view = boardView({ ...state, board: { ...state.board, path: squares.slice(0, at + 1) } }, null);
  equal(view.pieces.filter(({ look }) => look === 'ghost').length, at);
  const mover = view.pieces.find(({ square, look }) => square === squares[at] && look === 'still');
  equal([mover.king, mover.color], [true, 'white']);
  const origin = view.pieces.find(({ look }) => look === 'origin');
  equal([origin.square, origin.king], ['d4', false]);
  const before = boardView({ ...state, board: { ...state.board, path: squares.slice(0, at) } }, null);
  equal(before.pieces.find(({ square, look }) => square === squares[at - 1] && look === 'still').king, false);
}

export function who_browses_is_left_alone() {
  const { state } = inGame(snapshot(), moved(0, ['c3', 'd4'], 4), moved(1, ['f6', 'g5'], 5));
  const back = { ...state, board: { ...state.board, viewPly: 1 } };
  const later = receive(back, moved(2, ['e3', 'f4'], 6), 1).state;
  equal(later.board.viewPly, 1);
  const over = receive(later, { type: 'game_over', table: 't', game: 7, result: 'draw', reason: 'agreement', ply: 3, fen: 'x', seq: 7 }, 1).state;
  equal([over.board.viewPly, over.dialog], [1, null]);
  equal(boardView(over, null).trail, ['c3', 'd4']);
  const marked = boardView(over, null).rows.flat().filter((cell) => cell.last).map((cell) => cell.square);
  equal(marked, ['d4', 'c3'], 'both squares of the last move:');
}

export function what_is_drawn_belongs_to_its_position() {
  const { state } = inGame(snapshot(), moved(0, ['c3', 'd4'], 4), moved(1, ['f6', 'g5'], 5));
  const drawn = { ...state, board: { ...state.board, shapes: { ply: 2, squares: ['c3', 'c3d4'] } } };
  equal(boardView(drawn, null).shapes, ['c3', 'c3d4']);
  equal(boardView({ ...drawn, board: { ...drawn.board, viewPly: 1 } }, null).shapes, []);
  equal(boardView(receive(drawn, moved(2, ['e3', 'f4'], 6), 1).state, null).shapes, []);
}

export function a_missing_event_is_asked_for() {
  const { effects } = inGame(snapshot(), moved(0, ['c3', 'd4'], 4), moved(2, ['e3', 'f4'], 6));
  const asked = effects.filter(({ kind }) => kind === 'send').map(({ message }) => message);
  equal(asked, [{ type: 'sync', table: 't', since: { game: 7, seq: 4 } }]);
}

export function the_end_is_told_to_players_and_not_over_a_watcher_s_board() {
  const end = { type: 'game_over', table: 't', game: 7, result: 'white_won', reason: 'resignation', ply: 0, fen: 'x', seq: 4 };
  equal(inGame(snapshot({ you: 'white' }), end).state.dialog, { name: 'over' });
  equal(inGame(snapshot({ you: null }, { white: 'x', black: 'y' }), end).state.dialog, null);
}

export function what_is_shown_is_followed_and_what_is_played_too() {
  const { state } = inGame(snapshot({ you: 'white' }));
  equal(changes(AT_FIRST, wanted({ ...state, tables: {} }), { ...state, tables: {} }), [{ type: 'watch', table: 't' }]);
  equal(changes(AT_FIRST, wanted(state), state), [{ type: 'watch', table: 't', since: { game: 7, seq: 3 } }]);
  const lobby = { ...state, route: readRoute('/') };
  equal(wanted(lobby), { lobby: true, tv: true, tables: ['t'] });
  const over = { ...lobby, tables: {} };
  equal(changes(wanted(state), wanted(over), over), [{ type: 'unwatch', table: 't' }, { type: 'tv' }]);
}

export function a_table_that_is_gone_is_looked_for_in_the_archive_once() {
  const { state, effects } = inGame({ type: 'error', code: 'no_such_table', message: '' });
  equal(effects, [{ kind: 'archive', id: 't' }]);
  equal(receive(state, { type: 'error', code: 'no_such_table', message: '' }, 1).effects, []);
}

export function a_game_from_the_archive_is_looked_at_like_one_that_has_just_ended() {
  const record = { id: 't-7', table: 't', number: 7, white: { name: 'anna' }, black: { name: 'Level 3', bot: 'level 3' }, start_fen: rules.start,
    opening_plies: 0, moves: [moved(0, ['c3', 'd4'], 4).played], fen: 'B:Wa1:Bh8', white_clock: '5m', draw_rules: 'fmjd64', result: 'white_won', reason: 'time' };
  const table = archivedTable('t-7', record, emptyTable('t-7'));
  equal([isRunning(table), table.game.ply, table.game.turn, table.bots], [false, 1, 'black', { 'Level 3': 'level 3' }]);
  const { state } = inGame();
  const view = boardView({ ...state, route: readRoute('/g/t-7'), tables: { 't-7': table } }, null);
  equal([view.pieces.length, view.live, view.trail], [24, false, ['c3', 'd4']]);
}

export function bots_stay_bots_when_a_game_is_over_and_played_again() {
  const seats = { white: { name: 'anna', connected: true }, black: { name: 'Level 3', connected: true, bot: 'level 3' } };
  const table = fold(snapshot({ info: { id: 't', seats, watchers: 0 } }, { black: 'Level 3' }),
    { type: 'players', table: 't', players: [] },
    { type: 'players', table: 't', players: [{ name: 'Level 3', role: 'white' }, { name: 'anna', role: 'black' }] });
  equal([table.bots, table.info.seats.white.bot], [{ 'Level 3': 'level 3' }, 'level 3']);
}

export function a_bot_that_comes_after_the_snapshot_is_known_as_one() {
  const one = { name: 'Level 1', role: 'white', bot: 'level 1' };
  const two = { name: 'Level 1 (2)', role: 'black', bot: 'level 1' };
  const table = fold({ ...snapshot({ info: { id: 't', seats: {}, watchers: 1 } }), state: undefined },
    { type: 'players', table: 't', players: [one, two] },
    { type: 'game_started', table: 't', ...game({ white: one.name, black: two.name }) });
  equal([isOfBots(table), table.info.seats.black.bot], [true, 'level 1']);
}

export function who_browses_stays_there_when_the_next_game_begins() {
  const end = { type: 'game_over', table: 't', game: 7, result: 'draw', reason: 'agreement', ply: 1, fen: 'x', seq: 5 };
  const { state } = inGame(snapshot({}, { white: 'x', black: 'y' }), moved(0, ['c3', 'd4'], 4), end);
  const next = { type: 'game_started', table: 't', ...game({ game: 8, white: 'y', black: 'x' }) };
  equal(receive(state, next, 1).state.held, null, 'who looks at the end goes on:');
  const back = { ...state, board: { ...state.board, viewPly: 0 } };
  const held = receive(back, next, 1).state;
  equal([viewedTable(held).game.game, held.tables.t.game.game, held.board.viewPly], [7, 8, 0]);
  const step = receive(held, { ...moved(0, ['c3', 'd4'], 4), game: 8 }, 1);
  equal([viewedTable(step.state).game.game, step.state.tables.t.game.ply, step.effects], [7, 1, []]);
}

export function another_game_on_the_screen_waits_for_who_browses() {
  const { state } = inGame(snapshot({}, { white: 'x', black: 'y' }), moved(0, ['c3', 'd4'], 4));
  const watching = { ...state, route: readRoute('/tv'), tv: 't' };
  const other = { type: 'tv', table: 'u' };
  equal([receive(watching, other, 1).state.tv, receive(watching, other, 1).state.held], ['u', null]);
  const back = { ...watching, board: { ...watching.board, viewPly: 0 } };
  const held = receive(back, other, 1).state;
  equal([held.tv, viewedTable(held).id, held.board.viewPly], ['u', 't', 0]);
}

export function a_piece_in_the_hand_stays_there_while_the_opponent_moves() {
  const { state } = inGame(snapshot({ you: 'black' }, { white: 'boris', black: 'anna' }));
  const held = { ...state, board: { ...state.board, path: ['f6'] } };
  equal(receive(held, moved(0, ['c3', 'd4'], 4), 1).state.board.path, ['f6']);
}

export function what_can_be_prepared_is_shown_as_far_as_it_is_known() {
  const { state } = inGame(snapshot({ you: 'black' }, { white: 'boris', black: 'anna' }));
  const chosen = { ...state, board: { ...state.board, path: ['f6'] } };
  const targets = (seen) => boardView(seen, null).rows.flat().filter((cell) => cell.target).map((cell) => cell.square);
  equal([boardView(chosen, null).path, targets(chosen)], [['f6'], []]);
  const premoves = { ply: 0, moves: [['f6', 'g5'], ['f6', 'e5'], ['b6', 'a5']] };
  equal(targets({ ...chosen, board: { ...chosen.board, premoves } }).sort(), ['e5', 'g5']);
  equal(targets({ ...state, board: { ...state.board, premoves } }), []);
}
