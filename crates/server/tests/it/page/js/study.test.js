import { problemOf, put } from '../../../../web/js/actions/editor.js';
import { gameTable, nodeAt, studyAddress } from '../../../../web/js/core/line.js';
import { analysisPath, lookBack } from '../../../../web/js/core/route.js';
import { EXAMPLES } from '../../../../web/js/game/examples.js';
import { fenOf, readFen, START } from '../../../../web/js/game/pieces.js';
import { accuracyOf, branch, grow, learnt, line, markedFrom, markOf, marksOf, moveAccuracy, movesTo, newTree, path, tellsMore, written } from '../../../../web/js/game/tree.js';
import { asked } from '../../../../web/js/net/ask.js';
import { equal, legal, truth } from './check.js';

const move = (ply, squares, captures = []) => ({ ply, color: ply % 2 ? 'black' : 'white', move: squares.join('-'), squares, captures, promotes: false });
const GAME = [move(0, ['c3', 'd4']), move(1, ['f6', 'g5']), move(2, ['e3', 'f4']), move(3, ['g5', 'e3', 'c5'], ['f4', 'd4'])];
const worth = (white_chance, best = '') => ({ white_chance, depth: 9, lines: [{ moves: [best], white_chance }] });

export function a_game_is_a_line() {
  const tree = newTree(GAME);
  equal(line(tree), [0, 1, 2, 3, 4]);
  equal(path(tree, 4), [0, 1, 2, 3, 4]);
  equal(written(movesTo(tree, 4)), 'c3-d4 f6-g5 e3-f4 g5:e3:c5');
}

export function another_move_is_a_variation_and_the_same_one_is_not() {
  const game = newTree(GAME);
  const same = grow(game, 1, GAME[1]);
  equal([same.at, same.tree.length], [2, 5]);
  const first = grow(game, 1, move(1, ['d6', 'c5']));
  equal([first.at, first.tree[1].children], [5, [2, 5]]);
  const deeper = grow(first.tree, 5, move(2, ['b2', 'c3']));
  equal(path(deeper.tree, deeper.at), [0, 1, 5, 6]);
  equal(line(deeper.tree), [0, 1, 2, 3, 4], 'the main line stays');
  equal(line(deeper.tree, 5), [5, 6]);
  equal(game.length, 5, 'trees are not changed');
}

export function lost_chances_are_marked_for_who_lost_them() {
  let tree = newTree(GAME);
  const chances = [0.5, 0.41, 0.58, 0.3, 0.31];
  for (const [at, chance] of chances.entries()) tree = learnt(tree, at, { evaluation: worth(chance) });
  equal([1, 2, 3, 4].map((at) => markOf(tree, at)), ['inaccuracy', 'mistake', 'blunder', null]);
  equal(marksOf(tree, 'white'), { inaccuracy: 1, mistake: 0, blunder: 1 });
  equal(marksOf(tree, 'black'), { inaccuracy: 0, mistake: 1, blunder: 0 });
}

export function the_best_move_is_no_mistake() {
  let tree = newTree(GAME);
  tree = learnt(tree, 0, { evaluation: worth(0.9, 'c3-d4') });
  tree = learnt(tree, 1, { evaluation: worth(0.2) });
  equal(markOf(tree, 1), null, 'two depths may disagree');
  equal(markOf(tree, 2), null, 'nothing is known');
}

export function a_deep_evaluation_is_not_compared_with_a_shallow_one() {
  let tree = newTree(GAME);
  tree = learnt(tree, 0, { evaluation: worth(0.6), survey: worth(0.5) });
  tree = learnt(tree, 1, { evaluation: worth(0.5), survey: worth(0.5) });
  equal(markOf(tree, 1), null);
  equal(markOf(learnt(tree, 0, { survey: null }), 1), 'inaccuracy', 'there is nothing else');
}

export function more_lines_tell_more_than_a_greater_depth() {
  const searched = (depth, lines) => ({ ...worth(0.5), depth, lines: Array.from({ length: lines }, () => worth(0.5).lines[0]) });
  truth(tellsMore(searched(1, 1), null), 'nothing was known');
  truth(tellsMore(searched(9, 3), searched(8, 3)), 'deeper');
  truth(tellsMore(searched(9, 3), searched(9, 3)), 'the latest');
  truth(!tellsMore(searched(8, 3), searched(9, 3)), 'less deep');
  truth(tellsMore(searched(12, 5), searched(18, 3)), 'more lines, as deep as is needed');
  truth(!tellsMore(searched(2, 5), searched(18, 3)), 'the first depths of a search for more lines');
  truth(tellsMore(searched(2, 5), searched(2, 3)), 'more lines of a short game');
  truth(!tellsMore(searched(9, 3), searched(9, 5)), 'fewer lines');
}

const CHANCES = [0.5, 0.41, 0.58, 0.3, 0.31];
const evaluated = () => CHANCES.reduce((tree, chance, at) => learnt(tree, at, { evaluation: worth(chance) }), newTree(GAME));

export function accuracy_is_the_mean_over_the_moves_of_a_side() {
  equal([0, 1, 0.1, 0.28].map((loss) => Math.round(moveAccuracy(loss))), [100, 0, 64, 27]);
  const tree = evaluated();
  equal(Math.round(accuracyOf(tree, 'white')), Math.round((moveAccuracy(0.09) + moveAccuracy(0.28)) / 2));
  equal(Math.round(accuracyOf(tree, 'black')), Math.round((moveAccuracy(0.17) + moveAccuracy(0.01)) / 2));
  equal(accuracyOf(learnt(tree, 4, { evaluation: null }), 'white'), null, 'a position is not known yet');
  equal(accuracyOf(learnt(newTree([]), 0, { evaluation: worth(0.5) }), 'white'), null, 'no moves');
  const best = learnt(tree, 0, { evaluation: worth(0.5, 'c3-d4') });
  truth(accuracyOf(best, 'white') > accuracyOf(tree, 'white'), "the engine's own move loses nothing");
}

export function one_goes_from_mistake_to_mistake() {
  const tree = evaluated();
  equal([0, 1, 2, 3, 4].map((at) => markedFrom(tree, at, 1)), [1, 2, 3, null, null]);
  equal([0, 1, 2, 3, 4].map((at) => markedFrom(tree, at, -1)), [null, null, 1, 2, 3]);
}

export function the_address_names_the_position_in_view() {
  const table = gameTable(START, { white: 'A', black: '' });
  const game = { key: '?game=x-1&lang=ru', tree: newTree(GAME), opened: 5, table };
  equal(studyAddress({ ...game, at: 3 }), '/analysis?game=x-1&lang=ru');
  const side = branch(game.tree, 1, [move(1, ['d6', 'c5']), move(2, ['b2', 'c3'])]);
  const beside = studyAddress({ ...game, tree: side.tree, at: 5 });
  equal(beside, '/analysis?game=x-1&lang=ru&line=1+d6-c5+b2-c3');
  equal(studyAddress({ ...game, key: beside.slice(9), tree: side.tree, at: 2 }), '/analysis?game=x-1&lang=ru', 'back in the game');
  const further = grow(game.tree, 4, move(4, ['b2', 'c3']));
  equal(studyAddress({ ...game, ...further }), '/analysis?game=x-1&lang=ru&line=4+b2-c3');
  const blank = { key: '', opened: 1, table, ...branch(newTree([]), 0, GAME.slice(0, 2)) };
  equal(studyAddress(blank), '/analysis?moves=c3-d4+f6-g5&white=A');
  equal([nodeAt(side.tree, 6, 2), nodeAt(side.tree, 6, 99), nodeAt(side.tree, 6, null)], [5, 6, 0]);
  equal(analysisPath('x-1', 7), '/analysis?game=x-1#7');
  equal(lookBack({ id: 'x-1', start_fen: START, moves: GAME }, 3), '/analysis?game=x-1#3');
  equal(lookBack({ start_fen: 'W:Wa1:Bh8', moves: [{ move: 'a1-b2' }, { move: 'h8-g7' }] }, 1), '/analysis?fen=W:Wa1:Bh8&moves=a1-b2+h8-g7#1');
}

export function levels_are_known_by_their_names() {
  equal(gameTable(START, { white: 'Level 8 (2)', black: 'Anna' }).bots, { 'Level 8 (2)': 'level:8' });
}

export function a_position_in_which_no_game_can_start_is_a_problem() {
  equal(problemOf({ startable: true }), null);
  equal(problemOf({ code: 'bad_fen' }), { code: 'bad_fen' });
  equal(problemOf({ startable: false }).detail, { kind: 'no_pieces' });
  equal(problemOf({ startable: false, reason: 'no_pieces' }).detail, { kind: 'no_pieces' });
  equal(problemOf({ startable: false, reason: 'no_moves' }).detail, { kind: 'over', reason: 'no_moves' });
}

export function pieces_are_put_down_and_taken_off() {
  const { pieces } = readFen(START);
  equal(fenOf(pieces, 'white'), START);
  const king = put([], 'd4', 3);
  equal(fenOf(king, 'black'), 'B:W:BKd4');
  equal(put(king, 'd4', 3), [], 'the same once more takes it off');
  equal(fenOf(put(king, 'd4', 0), 'white'), 'W:Wd4:B');
  equal(put(king, 'd4', 4), []);
  equal(put(king, 'd5', 0), king, 'nothing stands on light squares');
}

export function the_examples_of_the_help_page_are_as_the_rules_say() {
  for (const { name, fen, squares, captures, all } of EXAMPLES) {
    const moves = legal(fen);
    equal(moves.map((known) => known.move).sort(), [...all].sort(), name);
    const drawn = moves.find((known) => known.move === all[0]);
    const route = drawn.routes.find((known) => known.squares.join() === squares.join());
    truth(route, name);
    equal(route.captures, captures, name);
  }
}

export function questions_leave_out_what_is_empty() {
  equal(asked('/api/legal', { fen: 'W:Wa1,c1:Bh8', moves: 'a1-b2 h8-g7', lines: null }), '/api/legal?fen=W:Wa1,c1:Bh8&moves=a1-b2+h8-g7');
  equal(asked('/api/legal', { fen: '' }), '/api/legal');
  equal(asked('/analysis', { white: 'A&B' }), '/analysis?white=A%26B');
}
