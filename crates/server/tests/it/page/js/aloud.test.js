/* global rules */
import { aloud, isTold, readCommand } from '../../../../web/js/game/aloud.js';
import { initialState } from '../../../../web/js/core/state.js';
import { readRoute } from '../../../../web/js/core/route.js';
import { readSettings } from '../../../../web/js/core/settings.js';
import { emptyTable } from '../../../../web/js/core/table.js';
import { game } from '../../../../web/js/i18n/en_game.js';
import { site } from '../../../../web/js/i18n/en_site.js';
import { teach, translator } from '../../../../web/js/i18n/words.js';
import { equal, legal, truth } from './check.js';

teach('en', { ...site, ...game });
const t = translator('en');

const move = (ply, squares, captures = []) => ({
  ply, color: ply % 2 ? 'black' : 'white', move: squares.join(captures.length ? ':' : '-'), squares, captures, promotes: false,
});

/** What is heard at a table where White is to move. */
function listener(fen, changes = {}) {
  const table = { ...emptyTable('t'), you: 'white', legal: { ply: 0, moves: legal(fen) },
    game: { game: 1, white: 'anna', black: 'boris', start_fen: fen, moves: [], fen, ply: 0, turn: 'white', offers: [], ...changes.game },
    reading: changes.reading ?? null };
  const state = { ...initialState(readRoute('/g/t'), readSettings(null, ['en'])), tables: { t: table } };
  return { state: { ...state, board: { ...state.board, ...changes.board } }, t, now: 1000 };
}

export function commands_are_known_by_their_names() {
  equal(readCommand('c3-d4'), null);
  equal(readCommand(' /C '), { command: 'clocks', of: '' });
  equal(readCommand('/с'), { command: 'clocks', of: '' }, 'a Cyrillic letter that looks alike:');
  equal(readCommand('/scan c'), { command: 'scan', of: 'c' });
  for (const unknown of ['/', '/help', '/c c c', '//']) equal(readCommand(unknown)?.command, null, unknown);
  for (const name of ['l', 'p', 'resign', 'draw', 'takeback']) truth(readCommand(`/${name}`)?.command, name);
  equal(['clocks', 'pieces', 'resign', 'draw', 'takeback'].map(isTold), [true, true, false, false, false]);
}

export function pieces_are_told_by_colour_row_and_file() {
  const heard = listener('W:Wc3,Ka1:Bd4,h8');
  equal(aloud('pieces', heard, ''), 'White: c3; kings a1. Black: h8, d4');
  equal(aloud('pieces', listener('W:WKa1:BKh8'), ''), 'White: –; kings a1. Black: –; kings h8');
  equal(aloud('scan', heard, 'c'), 'c3 white man');
  equal(aloud('scan', heard, '4'), 'd4 black man');
  equal(aloud('scan', heard, '7'), 'No piece there');
  equal(aloud('scan', heard, '').split('; ').length, 4);
  equal(aloud('square', heard, 'a1'), 'a1 white king');
}

export function moves_from_a_square_are_told_and_captures_alone() {
  const quiet = listener(rules.start);
  equal(aloud('moves', quiet, 'c3'), 'c3-b4, c3-d4');
  equal(aloud('captures', quiet, 'c3'), 'No moves from here');
  equal(aloud('captures', listener('W:Wc3,Ka1:Bd4,h8'), 'c3'), 'c3:e5');
  const chosen = listener('W:Wc1:Bd2,f4,h8', { board: { path: ['c1'] } });
  equal(aloud('moves', chosen, 'h8'), 'c1:g5', 'of the piece that is chosen:');
}

export function the_last_move_and_the_last_capture_are_told_as_far_as_one_has_gone_back() {
  const moves = [move(0, ['c3', 'd4']), move(1, ['e5', 'c3'], ['d4']), move(2, ['a1', 'b2'])];
  const game = { moves, ply: 3 };
  const heard = listener('W:Wc3,a1:Be5,h8', { game });
  equal(aloud('last', heard, ''), 'Last move a1-b2');
  equal(aloud('captured', heard, ''), 'White lost last: d4');
  const back = listener('W:Wc3,a1:Be5,h8', { game, board: { viewPly: 1 } });
  equal([aloud('last', back, ''), aloud('captured', back, '')], ['Last move c3-d4', 'Nothing has been captured yet']);
}

export function clocks_are_told_where_there_are_any() {
  equal(aloud('clocks', listener(rules.start), ''), 'No clocks');
  equal(aloud('clocks', listener(rules.start, { reading: { clocks: {}, at: 0, turn: 'white' } }), ''), 'No clocks');
  const clocks = { white: { remaining_ms: 61000, increment_ms: 0 }, black: { remaining_ms: 5000, increment_ms: 0 } };
  const heard = aloud('clocks', listener(rules.start, { reading: { clocks, at: 0, turn: 'white' } }), '');
  truth(heard.includes('1:00') && heard.includes('0:05.0'), heard);
}
