import { countTurns } from '../../../../web/js/actions/turns.js';
import { conditionalPath, readRoute } from '../../../../web/js/core/route.js';
import { clockText } from '../../../../web/js/game/clock.js';
import { grow, newTree } from '../../../../web/js/game/tree.js';
import { conditionalLines } from '../../../../web/js/views/conditional.js';
import { shortClock } from '../../../../web/js/views/parts.js';
import { equal } from './check.js';

const move = (ply, squares) => ({ ply, color: ply % 2 ? 'black' : 'white', move: squares.join('-'), squares, captures: [], promotes: false });

export function what_waits_is_moves_and_answers() {
  const games = [{ your_turn: true }, { your_turn: false }];
  equal(countTurns({ games, challenges: [{ received: true }, { received: false }] }), 2);
  equal(countTurns({}), 0);
}

export function days_are_shown_as_days() {
  equal([shortClock('72h/move'), shortClock('5m+3s'), shortClock('30h/move')], ['3d/move', '5+3', '30h/move']);
  const hour = 3_600_000;
  equal([clockText(72 * hour), clockText(53.5 * hour), clockText(47 * hour)], ['3d 0h', '2d 5h', '47:00:00']);
}

export function variations_after_the_game_are_lines_that_end_with_an_own_move() {
  // White has moved; Black is the opponent.
  const game = newTree([move(0, ['c3', 'd4'])]);
  equal(conditionalLines(game, 1, 1), []);
  let grown = grow(game, 1, move(1, ['b6', 'a5']));
  equal(conditionalLines(grown.tree, 1, grown.at), [], 'there is no answer yet');
  grown = grow(grown.tree, grown.at, move(2, ['d2', 'c3']));
  grown = grow(grown.tree, grown.at, move(3, ['a7', 'b6']));
  equal(conditionalLines(grown.tree, 1, grown.at), ['b6-a5 d2-c3']);
  const other = grow(grown.tree, 1, move(1, ['d6', 'c5']));
  const last = grow(other.tree, other.at, move(2, ['b2', 'c3']));
  // What was tried instead of the game does not count.
  const before = grow(last.tree, 0, move(0, ['g3', 'f4']));
  equal(conditionalLines(before.tree, 1, before.at), ['b6-a5 d2-c3', 'd6-c5 b2-c3']);
}

export function of_two_answers_to_the_same_moves_one_counts() {
  const game = newTree([move(0, ['c3', 'd4'])]);
  const first = grow(game, 1, move(1, ['b6', 'a5']));
  const one = grow(first.tree, first.at, move(2, ['d2', 'c3']));
  const two = grow(one.tree, first.at, move(2, ['b2', 'c3']));
  equal(conditionalLines(two.tree, 1, two.at), ['b6-a5 b2-c3']);
  equal(conditionalLines(two.tree, 1, one.at), ['b6-a5 d2-c3'], 'it is in view');
  equal(conditionalLines(two.tree, 1, 1), ['b6-a5 b2-c3'], 'it was played last');
}

export function the_board_for_conditional_moves_has_the_game() {
  const [path, search] = conditionalPath({ start_fen: 'W:Wc3:Bd6', moves: [move(0, ['c3', 'd4'])], id: 'k3x-1', ply: 1 }).split('#')[0].split('?');
  const { name, query } = readRoute(path, `?${search}`);
  equal([name, query], ['analysis', { fen: 'W:Wc3:Bd6', moves: 'c3-d4', conditional: 'k3x-1' }]);
}
