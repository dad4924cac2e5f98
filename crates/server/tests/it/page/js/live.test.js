/* global globalThis */
import { liveFollower } from '../../../../web/js/actions/live.js';
import { initialState } from '../../../../web/js/core/state.js';
import { Store } from '../../../../web/js/core/store.js';
import { emptyTable } from '../../../../web/js/core/table.js';
import { en } from '../../../../web/js/i18n/en.js';
import { study } from '../../../../web/js/i18n/en_study.js';
import { teach, translator } from '../../../../web/js/i18n/words.js';
import { grow, learnt, newTree } from '../../../../web/js/game/tree.js';
import { findAll, textOf } from '../../../../web/js/ui/dom.js';
import { analysisPage } from '../../../../web/js/views/analysis.js';
import { chanceText, live } from '../../../../web/js/views/chart.js';
import { equal } from './check.js';

teach('en', { ...en, ...study });

const worth = (ply) => ({ ply, white_chance: 0.5 + ply / 100, depth: 9, lines: [] });

/** A game of bots after so many moves, there and back. */
function tableAfter(plies) {
  const ways = [['a1', 'b2'], ['h8', 'g7'], ['b2', 'a1'], ['g7', 'h8']];
  const moves = Array.from({ length: plies }, (_, ply) => ({ ply, color: ply % 2 ? 'black' : 'white', squares: ways[ply % 4], captures: [] }));
  const game = { game: 1, white: 'one', black: 'two', start_fen: 'W:WKa1:BKh8', moves, ply: plies, result: null };
  return { ...emptyTable('t'), game, bots: { one: 'level 1', two: 'level 1' } };
}

/** A page that watches such a game, and a server that answers and a time that goes when they are told to. */
function watching(plies) {
  const questions = [];
  const waits = [];
  globalThis.setTimeout = (then, ms) => waits.push({ then, ms });
  globalThis.TextDecoderStream = class {};
  globalThis.AbortController = class {
    signal = { aborted: false };
    abort() { this.signal.aborted = true; }
  };
  globalThis.fetch = (path, { signal }) => new Promise((answer) => {
    const [what, query] = path.split('?');
    const moves = /moves=([^&]*)/.exec(query)[1].split('+').length;
    questions.push({ what: `${what} ${moves}`, signal, answer });
  });
  const app = { table: tableAfter(plies), store: new Store({ live: null }) };
  const { follow } = liveFollower(app);
  app.store.subscribe(follow);
  follow();
  return {
    asked: () => questions.map(({ what, signal }) => what + (signal.aborted ? ' given up' : '')),
    known: () => (app.store.state.live?.evaluations ?? []).flatMap((one) => one?.ply ?? []),
    waited: () => waits.splice(0).map(({ then, ms }) => {
      then();
      return ms;
    }),
    after(moves) {
      app.table = tableAfter(moves);
      follow();
    },
    async says(answer) {
      questions[questions.length - 1].answer({ json: () => answer });
      await settled();
    },
    async saysAll(evaluations) {
      const texts = evaluations.map((one) => `${JSON.stringify(one)}\n`);
      const read = () => ({ done: texts.length === 0, value: texts.shift() });
      questions[questions.length - 1].answer({ body: { pipeThrough: () => ({ getReader: () => ({ read }) }) } });
      await settled();
    },
  };
}

async function settled() {
  for (let turn = 0; turn < 40; turn += 1) await null;
}

export async function a_game_faster_than_the_server_is_followed_as_fast_as_it_goes() {
  const page = watching(3);
  page.after(4);
  page.after(5);
  equal(page.asked(), ['/api/analysis 3'], 'moves give no question up');
  await page.says(worth(3));
  equal([page.known(), page.waited()], [[3], [0]]);
  equal(page.asked(), ['/api/analysis 3', '/api/analysis 5'], 'the latest is next');
}

export async function what_was_before_is_found_out_between_moves() {
  const page = watching(2);
  await page.says(worth(2));
  page.waited();
  equal(page.asked(), ['/api/analysis 2', '/api/analysis/game 2']);
  page.after(3);
  equal(page.asked(), ['/api/analysis 2', '/api/analysis/game 2 given up', '/api/analysis 3']);
  await page.says(worth(3));
  page.waited();
  await page.saysAll([0, 1, 2, 3].map(worth));
  equal(page.known(), [0, 1, 2, 3]);
  page.waited();
  equal(page.asked().length, 4, 'all is known');
}

export async function who_is_busy_is_asked_again() {
  const page = watching(2);
  await page.says({ code: 'busy' });
  equal(page.asked(), ['/api/analysis 2']);
  equal(page.waited(), [1500]);
  equal(page.asked(), ['/api/analysis 2', '/api/analysis 2']);
}

export function a_finished_game_shows_its_result() {
  const decided = (white_chance, decided_in) => chanceText({ white_chance, decided_in }, translator('en'));
  equal([decided(1, 0), decided(0, 0), decided(1, 7), decided(0, 516)], ['1–0', '0–1', '1–0 in 7', '0–1']);
}

const figures = (node) => findAll(node, ({ props }) => props.class?.includes('figure')).map(textOf);

/** What the bar of a game says after so many of its moves, when three of its positions are known. */
function barOf(table, viewPly) {
  const state = initialState({ name: 'game', id: 't' }, { name: 'anna', lang: 'en' });
  const seen = { ...state, board: { ...state.board, viewPly }, live: { key: 't/1', evaluations: [0, 1, 2].map(worth) } };
  return figures(live({ state: seen, t: translator('en'), act: { view() {} } }, table).chart)[0];
}

export function the_bar_says_how_the_game_stands_as_far_as_is_known() {
  const bar = (viewPly) => barOf(tableAfter(6), viewPly);
  equal([bar(null), bar(1), bar(4)], ['White 52 %', 'White 51 %', '…']);
}

export function the_bar_of_the_last_position_is_the_result() {
  const bar = (result, viewPly) => {
    const table = tableAfter(2);
    return barOf({ ...table, game: { ...table.game, result, reason: 'resignation' } }, viewPly);
  };
  equal(['white_won', 'black_won', 'draw', 'interrupted'].map((result) => bar(result, null)), ['1–0', '0–1', '½–½', 'White 52 %']);
  equal([bar('black_won', 2), bar('black_won', 1)], ['0–1', 'White 51 %'], 'only there');
}

export function the_analysis_shows_the_result_where_the_main_line_ends() {
  const { game } = tableAfter(2);
  const opened = newTree(game.moves).reduce((tree, _, at) => learnt(tree, at, { evaluation: worth(at) }), newTree(game.moves));
  const { tree, at: beyond } = grow(opened, 2, { ...game.moves[0], squares: ['b2', 'c3'] });
  const bar = (at, changes) => {
    const table = { ...emptyTable('analysis'), game: { ...game, reason: 'resignation' } };
    const page = { tree, at, opened: 3, table, imported: null, ...changes };
    const state = { ...initialState({ name: 'analysis', query: {} }, { name: 'anna', lang: 'en' }), page };
    return figures(findAll(analysisPage({ state, t: translator('en'), act: {}, tools: () => null }), ({ props }) => props.role === 'meter')[0])[0];
  };
  const won = { table: { ...emptyTable('analysis'), game: { ...game, result: 'white_won', reason: 'time' } } };
  equal([bar(1, won), bar(2, won), bar(beyond, won)], ['White 51 %', '1–0', '…']);
  equal(['0-1', '1/2-1/2', '*', '0-0'].map((result) => bar(2, { imported: { tags: {}, result } })), ['0–1', '½–½', 'White 52 %', 'White 52 %']);
}
