import { candidates, click, endSquares, fromTo, mustCapture, nextSquares } from '../../../../web/js/game/input.js';
import { moveText, typed } from '../../../../web/js/game/typed.js';
import { equal, legal, positionsOf, truth } from './check.js';

const AMBIGUOUS = 'B:Wa1,b2,d2,f2,b4,g5:BKg1,a7,c7,d8,h8';
const CIRCULAR = 'W:Wc3:Bd2,d4,f2,f4';
const PROMOTING = 'W:Wd4,c1:Bc5,e5,c7,e7,a7';

/** Clicks one square after the other; the last result. */
function clicks(moves, squares, options) {
  let chosen = { path: [] };
  for (const square of squares) chosen = click(moves, chosen.path, square, options);
  return chosen;
}

export function every_legal_move_is_played_square_by_square() {
  let count = 0;
  for (const seed of [1, 2, 3, 5, 8, 13, 21]) {
    for (const { fen, moves } of positionsOf(seed, 120)) {
      for (const move of moves) {
        for (const route of move.routes) {
          const chosen = clicks(moves, route.squares);
          equal(chosen.play?.move.move, move.move, `${fen} ${route.squares}`);
          count += 1;
        }
      }
    }
  }
  truth(count > 1500, `${count} routes`);
}

export function every_legal_move_is_played_as_typed() {
  for (const seed of [4, 6, 9]) {
    for (const { fen, moves } of positionsOf(seed, 120)) {
      for (const move of moves) {
        equal(typed(moves, move.move).play?.move.move, move.move, fen);
        for (const { squares } of move.routes) {
          equal(typed(moves, moveText(move, squares)).play?.move.move, move.move, fen);
        }
      }
    }
  }
}

export function from_and_to_play_a_capture_at_once() {
  const moves = legal('W:Wc1:Bd2,f4');
  const chosen = clicks(moves, ['c1', 'g5']);
  equal(chosen.play?.move.move, moves[0].move);
  equal(chosen.path, ['c1', 'e3', 'g5']);
}

export function an_end_of_several_captures_waits_at_the_first_choice() {
  const moves = legal(AMBIGUOUS);
  const chosen = clicks(moves, ['g1', 'h6']);
  equal(chosen.play, undefined);
  equal(chosen.ambiguous, true);
  equal(chosen.path, ['g1']);
  truth(nextSquares(moves, ['g1']).size > 1);
  const direct = clicks(moves, ['g1', 'e3', 'h6']);
  equal(direct.play?.move.routes[0].squares, ['g1', 'e3', 'h6']);
}

export function a_circular_capture_is_finished_on_its_start() {
  const moves = legal(CIRCULAR);
  truth(moves.some((move) => move.from === move.to && move.captures.length === 4));
  const [route] = moves[0].routes;
  const chosen = clicks(moves, route.squares);
  equal(chosen.play?.move.captures.length, 4);
  const direct = clicks(moves, ['c3', 'c3']);
  equal(direct.play?.move.captures.length, 4, 'the start is an end:');
}

export function a_man_that_promotes_in_mid_capture_may_land_anywhere_as_a_king() {
  const moves = legal(PROMOTING);
  const promoting = moves.filter((move) => move.promotes);
  truth(promoting.length > 1);
  const before = promoting[0].routes[0].squares.slice(0, -1);
  truth([...nextSquares(moves, before)].length >= 1);
  for (const move of promoting) equal(clicks(moves, move.routes[0].squares).play?.move.move, move.move);
}

export function clicks_go_back_reselect_and_refuse() {
  const moves = legal(globalThis.rules.start);
  equal(click(moves, [], 'c3').path, ['c3']);
  equal(click(moves, ['c3'], 'e3').path, ['e3']);
  equal(click(moves, ['c3'], 'c3').path, []);
  equal(click(moves, [], 'c1'), { path: [], refused: true });
  equal(click(moves, ['c3'], 'h8'), { path: [], refused: true });
  const capture = legal(AMBIGUOUS);
  const [long] = candidates(capture, ['g1']).filter(({ route }) => route.squares.length > 3);
  const path = long.route.squares.slice(0, 3);
  equal(click(capture, path, path[2]).path, path.slice(0, 2), 'one hop back:');
  const cut = click(capture, path, path[1]).path;
  truth(cut.length === 2 || cut.length === 4, 'an earlier square cuts there:');
  equal(click(capture, path, 'b8').refused, true);
}

export function a_capture_with_one_way_left_finishes_if_wanted() {
  const moves = legal('W:Wc1:Bd2,f4,f6');
  const squares = moves[0].routes[0].squares;
  equal(squares.length, 4);
  equal(clicks(moves, squares.slice(0, 2)).play, undefined);
  equal(clicks(moves, squares.slice(0, 2), { finish: true }).play?.move.move, moves[0].move);
}

export function routes_with_one_effect_are_one_move() {
  const moves = legal('W:WKb8,h4:Bc7,g3');
  const to = moves.filter((move) => move.from === 'b8').map((move) => move.to);
  for (const square of to) truth(fromTo(moves, 'b8', square) != null, square);
  truth(endSquares(moves, ['b8']).size === new Set(to).size);
}

export function forced_captures_are_known() {
  equal(mustCapture(legal(AMBIGUOUS)), true);
  equal(mustCapture(legal(globalThis.rules.start)), false);
}

export function typed_moves_are_read_leniently() {
  const moves = legal(globalThis.rules.start);
  for (const text of ['c3d4', 'c3-d4', 'C3 - D4', 'с3-d4', ' c3–d4 ']) equal(typed(moves, text).play?.move.move, 'c3-d4', text);
  equal(typed(moves, 'hello').problem, 'syntax');
  equal(typed(moves, 'c3').problem, 'syntax');
  equal(typed(moves, 'c3-e5').problem, 'illegal');
  const capture = legal(AMBIGUOUS);
  const ambiguous = typed(capture, 'g1:h6');
  equal(ambiguous.problem, 'ambiguous');
  truth(ambiguous.fits.length > 1);
  for (const text of ambiguous.fits) truth(typed(capture, text).play, text);
  truth(typed(capture, 'g1xe3xh6').play);
}
