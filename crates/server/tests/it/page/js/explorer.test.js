import { GAME } from '../../../../web/js/core/figures.js';
import { LESSONS } from '../../../../web/js/core/lessons.js';
import { explorerPath, ORDERS, PAIRS, possible, questionOf, readSearch, readWanted, SEARCHES, searchText } from '../../../../web/js/core/explorer.js';
import { readRoute } from '../../../../web/js/core/route.js';
import { boxes, colourOf, fitted, labelOf, shortValue, svgOf, within, zoomed } from '../../../../web/js/game/icicle.js';
import { START } from '../../../../web/js/game/pieces.js';
import { ENDS, firstAfter, SHARED, Trace, UNKNOWN } from '../../../../web/js/game/trace.js';
import { explorer as enExplorer } from '../../../../web/js/i18n/en_explorer.js';
import { explorer as ruExplorer } from '../../../../web/js/i18n/ru_explorer.js';
import { equal, truth } from './check.js';

const AB5 = { name: 'alpha-beta', depth: 5, order: 'off' };
const read = (path) => {
  const [where, search] = [path.slice(0, path.indexOf('?')), path.slice(path.indexOf('?'))];
  return readWanted(readRoute(where, search).query);
};

export function an_address_says_what_is_shown() {
  const searches = Object.keys(SEARCHES).flatMap((name) => ORDERS.map((order) => possible({ name, depth: 4, order })));
  for (const [i, first] of searches.entries()) {
    for (const second of [null, searches[(i + 5) % searches.length]]) {
      for (const [fen, tree, node] of [[START, 0, 0], ['W:WKa1,c3:Bh8', 1, 12], ['B:W:WKa1', 0, 999999999], ['a&node=1.2#x+y %41?', 0, 3]]) {
        const wanted = { fen, first, second, tree, node };
        equal(read(explorerPath(wanted)), wanted);
      }
    }
  }
  equal(explorerPath(readWanted({})), '/explorer?first=alpha-beta:depth=5&second=minimax:depth=5');
  equal(explorerPath({ fen: START, first: { name: 'mcts', depth: 0, order: 'off' }, second: null, tree: 1, node: 7 }), '/explorer?first=mcts&node=1.7');
}

export function an_address_without_sense_shows_what_is_nearest() {
  const usual = { fen: START, first: AB5, second: { name: 'minimax', depth: 5, order: 'off' }, tree: 0, node: 0 };
  equal(readWanted({}), usual);
  for (const node of ['2.5', '0.-1', '0.1234567890', 'x', '1', '1.']) equal(readWanted({ node }), usual, node);
  for (const first of ['', 'nothing', 'constructor', '__proto__', 'toString:depth=3', ':', 'ALPHA-BETA']) {
    equal(readWanted({ first }), { ...usual, second: null }, first);
    equal(readWanted({ second: first }), { ...usual, second: null }, first);
  }
  equal(readSearch('alpha-beta'), AB5);
  equal(readSearch('alpha-beta:depth=x,order=sideways,depth'), AB5);
  equal(readSearch('alpha-beta:,=,'), AB5);
}

export function depths_and_orders_are_kept_within_what_there_is() {
  for (const [name, { most }] of Object.entries(SEARCHES)) {
    for (const depth of ['1', '5', '0', '-3', '99', '1e9', '-Infinity', 'Infinity', '3.7', 'NaN', '']) {
      const search = readSearch(`${name}:depth=${depth}`);
      truth(Number.isInteger(search.depth) && search.depth <= most && (most === 0 || search.depth >= 1), `${name} ${depth}`);
    }
    equal(possible({ name, depth: 99, order: 'off' }).depth, most, name);
  }
  equal(readSearch('minimax:depth=99,order=on'), { name: 'minimax', depth: 9, order: 'off' });
  equal(readSearch('negascout:depth=12,order=on'), { name: 'negascout', depth: 12, order: 'on' });
  for (const [name, ...texts] of PAIRS) {
    for (const text of texts) equal(searchText(readSearch(text)), text, name);
    for (const words of [enExplorer, ruExplorer]) truth(words[`explorer.pair.${name}`], name);
  }
  equal(questionOf(AB5, START, 1), { about: 'trace', tree: 1, fen: START, bot: 'alpha-beta:depth=5' });
}

const square = (text) => (Number(text[1]) - 1) * 4 + Math.floor('abcdefgh'.indexOf(text[0]) / 2);

/** The flags of a move such as `c3-d4`. */
function moveFlags(text) {
  if (!text) return 0;
  return 1 << 11 | (text.includes(':') ? 1 << 10 : 0) | square(text.slice(3)) << 5 | square(text.slice(0, 2));
}

/** A trace of nodes in their order: level, end of the subtree, how it ended, move, value, why it was entered. */
function traceOf(nodes, more = {}) {
  const columns = new Int32Array(nodes.length * 4);
  nodes.forEach(([level, end, kind, move, value, purpose = move ? 1 : 0], node) => {
    const cells = [end, level, ENDS.indexOf(kind) | purpose << 4 | (level & 1) << 7 | moveFlags(move) << 8, value ?? -(2 ** 31)];
    cells.forEach((cell, column) => (columns[column * nodes.length + node] = cell));
  });
  return new Trace({ bot: 'alpha-beta:depth=3', fen: START, recorded: nodes.length, ...more }, columns.buffer);
}

const small = () => traceOf([
  [0, 8, 'exact', '', 39],
  [1, 4, 'exact', 'c3-b4', 39],
  [2, 3, 'leaf', 'd6-c5', 39],
  [2, 4, 'leaf', 'f6-g5', 141],
  [1, 8, 'cut-off', 'c3-d4', -12],
  [2, 7, 'stopped', 'h8:a1', null],
  [3, 7, 'lost', 'e3:c5', 999_997, 4],
  [2, 8, 'leaf', 'b6-a5', -12, 3],
]);
const NODES = [0, 1, 2, 3, 4, 5, 6, 7];

export function nodes_are_found_in_their_columns() {
  const trace = small();
  equal(trace.levels.map((nodes) => [...nodes]), [[0], [1, 4], [2, 3, 5, 7], [6]]);
  equal(NODES.map((node) => trace.move(node)), ['', 'c3-b4', 'd6-c5', 'f6-g5', 'c3-d4', 'h8:a1', 'e3:c5', 'b6-a5']);
  equal(NODES.map((node) => trace.value(node)), [39, 39, 39, 141, -12, null, 999_997, -12]);
  equal(NODES.map((node) => ENDS[trace.kind(node)]), ['exact', 'exact', 'leaf', 'leaf', 'cut-off', 'stopped', 'lost', 'leaf']);
  equal(NODES.map((node) => trace.purpose(node)), ['root', 'move', 'move', 'move', 'move', 'move', 'shallow', 're-search']);
  equal([trace.value(99), trace.move(99), trace.end(99)], [null, '', 0]);
}

export function one_goes_from_node_to_node() {
  const trace = small();
  equal(NODES.map((node) => trace.parent(node)), [null, 0, 1, 1, 0, 4, 5, 4]);
  equal(NODES.map((node) => trace.firstChild(node)), [1, 2, null, null, 5, 6, null, null]);
  equal(NODES.map((node) => trace.sibling(node, 1)), [null, 4, 3, null, null, 7, null, null], 'the next level has other parents');
  equal(NODES.map((node) => trace.sibling(node, -1)), [null, null, null, 2, 1, null, null, 5]);
  equal(trace.path(6), [0, 4, 5, 6]);
  equal([0, 1, 2, 3, 4].map((level) => trace.at(level, 6)), [0, 4, 5, 6, null]);
  equal([trace.at(3, 5), trace.at(2, 4), trace.at(0, 8)], [null, null, null], 'nothing is below a leaf or after the end');
}

export function a_root_may_be_searched_several_times() {
  const trace = traceOf([[0, 2, 'exact', '', 1], [1, 2, 'leaf', 'c3-d4', 1], [0, 4, 'exact', '', 2], [1, 4, 'leaf', 'c3-d4', 2]]);
  equal([trace.sibling(0, 1), trace.sibling(2, -1), trace.sibling(2, 1), trace.sibling(1, 1)], [2, 0, null, null]);
  equal([trace.parent(3), trace.path(3)], [2, [2, 3]]);
}

export function the_first_number_above_a_limit() {
  const numbers = new Int32Array([1, 4, 4, 9]);
  equal([0, 1, 3, 4, 8.5, 9, 99].map((limit) => firstAfter(numbers, limit)), [0, 1, 1, 3, 3, 4, 4]);
  equal(firstAfter(new Int32Array(0), 1), 0);
}

const drawn = (trace, view, width, time) => boxes(trace, view, width, time).map(({ node, level, x, width: wide }) => [node, level, x, wide]);

export function boxes_are_as_wide_as_subtrees() {
  const trace = small();
  equal(drawn(trace, { from: 0, to: 8 }, 80, 8), [
    [0, 0, 0, 80], [1, 1, 10, 30], [4, 1, 40, 40], [2, 2, 20, 10], [3, 2, 30, 10], [5, 2, 50, 20], [7, 2, 70, 10], [6, 3, 60, 10],
  ]);
  equal(drawn(trace, { from: 4, to: 8 }, 80, 8), [[0, 0, 0, 80], [4, 1, 0, 80], [5, 2, 20, 40], [7, 2, 60, 20], [6, 3, 40, 20]]);
  equal(drawn(trace, { from: 2, to: 6 }, 40, 8), [[0, 0, 0, 40], [1, 1, 0, 20], [4, 1, 20, 20], [2, 2, 0, 10], [3, 2, 10, 10], [5, 2, 30, 10]]);
}

export function boxes_show_the_search_so_far() {
  const trace = small();
  equal(drawn(trace, { from: 0, to: 8 }, 80, 6), [
    [0, 0, 0, 60], [1, 1, 10, 30], [4, 1, 40, 20], [2, 2, 20, 10], [3, 2, 30, 10], [5, 2, 50, 10],
  ]);
  equal(drawn(trace, { from: 0, to: 8 }, 80, 1), [[0, 0, 0, 10]]);
  equal(drawn(trace, { from: 4, to: 8 }, 80, 3), []);
  equal([0, 1, 4, 6].map((node) => colourOf(trace, node, 6, false)), ['open', 'exact', 'open', 'open']);
}

/** A tree of about `count` nodes of irregular shape. */
function large(count) {
  const nodes = [];
  let state = 7;
  const grow = (level, most) => {
    const node = nodes.length;
    nodes.push([level, 0, 'leaf', level ? 'c3-d4' : '', level]);
    state = (state * 1103515245 + 12345) % 2147483648;
    for (let width = 1 + (state >> 16) % 9; level < 11 && width > 0 && nodes.length < most; width -= 1) grow(level + 1, most);
    nodes[node][1] = nodes.length;
  };
  while (nodes.length < count) grow(0, count);
  return traceOf(nodes);
}

export function a_level_has_no_more_boxes_than_pixels() {
  const trace = large(100_000);
  equal(trace.count, 100_000);
  const views = [[0, 100_000], [0, 7000], [33_333, 66_666], [99_900, 100_000], [12_345.6, 12_400.1], [0, 300_000]];
  views.forEach(([from, to], i) => {
    for (const width of [1, 390, 1280]) {
      const time = [100_000, 40_000, 100_000, 1][(i + width) % 4];
      const found = boxes(trace, { from, to }, width, time);
      const counts = trace.levels.map(() => 0);
      for (const { node, level, x, width: wide } of found) {
        counts[level] += 1;
        truth(x >= 0 && x + wide <= width + 1 && wide >= 1, `${node} is in view`);
        truth(node < time && trace.end(node) > from && node < to, `${node} is shown`);
      }
      truth(Math.max(...counts) <= width, `${Math.max(...counts)} boxes, ${width} pixels, ${from}–${to}`);
      isCovered(trace, found, { from, to: Math.min(to, time) }, width / (to - from));
    }
  });
}

/** What has no box of its own begins less than a pixel after another. */
function isCovered(trace, found, { from, to }, scale) {
  for (const [level, nodes] of trace.levels.entries()) {
    const starts = found.filter((box) => box.level === level).map(({ x }) => x);
    let at = 0;
    for (const node of nodes.filter((id, i) => i % 7 === 0 && id >= from && id < to)) {
      const x = (node - from) * scale;
      while (at + 1 < starts.length && starts[at + 1] <= x + 1e-6) at += 1;
      truth(x - starts[at] < 1, `${node} at ${x}`);
    }
  }
}

export function the_part_in_view_stays_within_the_search() {
  equal(within({ from: -5, to: 5 }, 100), { from: 0, to: 10 });
  equal(within({ from: 95, to: 105 }, 100), { from: 90, to: 100 });
  equal(within({ from: -50, to: 250 }, 100), { from: 0, to: 100 });
  equal(zoomed({ from: 0, to: 100 }, 50, 2, 100), { from: 25, to: 75 });
  equal(zoomed({ from: 0, to: 100 }, 0, 4, 100), { from: 0, to: 25 }, 'the place stays where it is');
  equal(zoomed({ from: 20, to: 40 }, 30, 0.1, 100), { from: 0, to: 100 });
  equal(zoomed({ from: 40, to: 48 }, 44, 100, 100), { from: 40, to: 48 }, 'no further');
  equal(zoomed({ from: 0, to: 3 }, 1, 2, 3), { from: 0, to: 3 }, 'a tree of three nodes');
  const trace = large(1000);
  const { from, to } = fitted(trace, 1, 1000);
  truth(from <= 1 && to >= trace.end(1) && to - from < (trace.end(1) - 1) * 1.2 + 8);
  const last = fitted(trace, 999, 1000);
  truth(last.to === 1000 && last.to - last.from < 9, JSON.stringify(last));
}

export function labels_are_as_long_as_there_is_room() {
  const trace = small();
  const label = (node, width, time = 8) => labelOf(trace, { node, level: 1, x: 0, width }, time);
  equal([label(1, 43), label(1, 44), label(1, 95), label(1, 96)], ['', 'c3-b4', 'c3-b4', 'c3-b4 +39']);
  equal([label(0, 50), label(0, 100), label(4, 100), label(5, 100)], ['', '+39', 'c3-d4 −12', 'h8:a1']);
  equal([label(4, 100, 7), label(1, 100, 4)], ['c3-d4', 'c3-b4 +39'], 'a value is known once the subtree is left');
  equal([39, -7, 0, 999_997, -999_990].map(shortValue), ['+39', '−7', '0', '1–0 (3)', '0–1 (10)']);
}

export function colours_say_what_the_other_search_left_out() {
  const trace = small();
  equal(NODES.map((node) => colourOf(trace, node, 8, true)), NODES.map((node) => ENDS[trace.kind(node)]), 'there is no other');
  trace.marks = new Uint8Array([SHARED, SHARED, 5, UNKNOWN, 7, 12, 1, SHARED]);
  equal(NODES.map((node) => colourOf(trace, node, 8, true)), ['shared', 'shared', 'cut-off', 'stopped', 'tablebase', 'stopped', 'leaf', 'shared']);
  equal(colourOf(trace, 2, 8, false), 'leaf');
  equal(colourOf(trace, 2, 2, true), 'open');
}

export function the_chart_is_saved_as_a_picture() {
  const svg = svgOf(small(), { from: 0, to: 8 }, 800, 20, 8, (node) => [`rgb(${node} 0 0)`, 'white'], 'a < b & c');
  truth(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 80"'), svg);
  truth(svg.includes('<title>a &lt; b &amp; c</title>') && svg.endsWith('</svg>\n'), svg);
  equal(svg.match(/<rect/g).length, 8);
  truth(svg.includes('<rect x="100.00" y="20" width="299.50" height="19" fill="rgb(1 0 0)"/><text x="104.00" y="34.0" fill="white">c3-b4 +39</text>'), svg);
  equal(svgOf(small(), { from: 0, to: 8 }, 800, 20, 1, () => ['red', 'black'], '').match(/<rect/g).length, 1);
}

export function lessons_are_about_positions_of_the_game_that_is_measured() {
  let fen = rules.start;
  const fens = [fen, ...GAME.map((move) => (fen = rules.after(fen, move)))];
  equal(LESSONS.map((lesson) => fens.indexOf(lesson.fen)), [62, 62, 52, 50, 62, 46]);
}
