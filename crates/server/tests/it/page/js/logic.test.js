import { fenOf, positions, readFen, START } from '../../../../web/js/game/pieces.js';
import { jump, middle, neighbour, rows } from '../../../../web/js/game/squares.js';
import { CLOCKS, newGame, request } from '../../../../web/js/core/new_game.js';
import { readRoute, serverAt } from '../../../../web/js/core/route.js';
import { guestName, readSettings, writeSettings } from '../../../../web/js/core/settings.js';
import { retryDelay } from '../../../../web/js/net/backoff.js';
import { pdnText } from '../../../../web/js/game/pdn.js';
import { notedTree } from '../../../../web/js/game/tree.js';
import { emptyTable } from '../../../../web/js/core/table.js';
import { equal, legal, truth } from './check.js';

export function positions_follow_the_rules_library() {
  let fen = globalThis.rules.start;
  const moves = [];
  const fens = [fen];
  for (let ply = 0; ply < 90; ply += 1) {
    const [first, ...more] = legal(fen);
    const move = more[ply % 3] ?? first;
    if (!move) break;
    moves.push({ ply, squares: move.routes[0].squares, captures: move.routes[0].captures, promotes: move.promotes });
    fen = globalThis.rules.after(fen, move.move);
    fens.push(fen);
  }
  const told = positions(globalThis.rules.start, moves);
  equal(told.length, fens.length);
  const plain = (pieces) => pieces.map(({ square, color, king }) => `${color}${king ? 'K' : ''}${square}`).sort();
  fens.forEach((text, ply) => {
    equal(plain(told[ply]), plain(readFen(text).pieces), `after ${ply} moves`);
    equal(fenOf(told[ply], readFen(text).turn), text);
  });
}

export function a_game_that_grows_keeps_its_pieces() {
  const move = { squares: ['c3', 'd4'], captures: [], promotes: false };
  const one = positions(globalThis.rules.start, [move]);
  const piece = one[1].find(({ square }) => square === 'd4');
  equal(piece.id, 'c3');
  const two = positions(globalThis.rules.start, [move, { squares: ['f6', 'g5'], captures: [], promotes: false }]);
  truth(two[1] === one[1], 'known positions are kept');
  equal(positions(globalThis.rules.start, []).length, 1);
}

export function squares_are_seen_from_both_sides() {
  equal(rows(false)[0][0], 'a8');
  equal(rows(true)[0][0], 'h1');
  equal(middle('a1', false), { x: 50, y: 750 });
  equal(middle('a1', true), { x: 750, y: 50 });
  equal(neighbour('c3', 1, 0, false), 'd3');
  equal(neighbour('c3', 1, 0, true), 'b3');
  equal(neighbour('a1', -1, 0, false), 'a1');
  equal([jump('c3', 8, false), jump('c3', 8, true)], ['c8', 'h3']);
}

export function addresses() {
  equal(readRoute('/').name, 'lobby');
  equal(readRoute('/g/main', '', '#12'), { name: 'game', id: 'main', ply: 12, query: {} });
  equal(readRoute('/embed/k3-1').name, 'embed');
  equal(readRoute('/analysis', '?fen=W%3AWa1%3ABh8&x').query, { fen: 'W:Wa1:Bh8', x: '' });
  equal(readRoute('/g/').name, 'unknown');
  equal(readRoute('/g/a/b').name, 'unknown');
  equal(readRoute('/g/<script>').name, 'unknown');
  equal(readRoute('/wherever').name, 'unknown');
  equal(readRoute('/tv', '?x=%E0%A4%A').query, { x: '%E0%A4%A' });
}

export function servers_have_addresses() {
  const own = 'http://localhost:43210';
  equal(serverAt(' localhost:43210 ', own), own);
  equal(serverAt('Example.org', 'https://a'), 'https://example.org');
  equal(serverAt('wss://draughts.example:8443/', own), 'https://draughts.example:8443');
  equal(serverAt('[::1]:9', own), 'http://[::1]:9');
  for (const nonsense of ['', 'a b', 'javascript:alert(1)', 'http://a/b', 'user@host', 'host:port']) equal(serverAt(nonsense, own), null, nonsense);
}

export function games_are_asked_for_as_they_are_set_up() {
  equal(request(newGame({ color: 'white', level: 7 }), 0.3), { type: 'create_table', visibility: 'link', color: 'white', bots: { black: { level: 7 } } });
  const random = [0.1, 0.9].map((chance) => request(newGame({ color: 'random' }), chance));
  equal(random.map(({ color, bots }) => [color, Object.keys(bots)]), [['white', ['black']], ['black', ['white']]]);
  equal(request(newGame({ against: 'friend', clock: '5m+3s' }), 0.5), { type: 'create_table', visibility: 'link', clock: '5m+3s', color: 'random' });
  equal(request(newGame({ against: 'challenge', clock: 'own', minutes: 999, increment: -1 }), 0.5).clock, '180m+0s');
  equal(request(newGame({ against: 'quick', rated: true }), 0.5), { type: 'quick', rated: true }, 'the server chooses the clock:');
  equal(request(newGame({ against: 'quick', clock: '3m+2s' }), 0.5), { type: 'quick', clock: '3m+2s' });
  equal(request(newGame({ from: 'fen', fen: ' W:Wa1:Bh8 ' }), 0.1).start_fen, 'W:Wa1:Bh8');
  equal(request(newGame({ from: 'opening' }), 0.5).opening, 'random');
  equal(request(newGame({ rated: true, clock: '5m+3s' }), 0.5).rated, true);
  equal(['', 'own'].map((clock) => request(newGame({ rated: true, clock, from: 'fen' }), 0.5).rated), [undefined, undefined]);
  equal(request(newGame({ rated: true, clock: '' }), 0.5).rated, undefined);
  equal(request(newGame({ against: 'quick', rated: true, clock: '3m+2s' }), 0.5), { type: 'quick', clock: '3m+2s', rated: true });
  truth(CLOCKS.length > 4);
}

export function settings_survive_and_nonsense_does_not() {
  const settings = readSettings(null, ['ru-RU', 'en']);
  equal(settings.lang, 'ru');
  const chosen = { ...settings, theme: 'dark', sound: false, name: 'Анна' };
  equal(readSettings(writeSettings(chosen), ['en']), chosen);
  equal(readSettings('{"theme":"<x>","lang":5', ['de', 'en']).lang, 'en');
  equal(readSettings('{"theme":"<x>","sound":"no"}', []).theme, 'system');
  truth(/^guest-\d{4}$/.test(guestName(0.9999)));
}

export function waiting_grows_to_a_limit_and_differs() {
  const longest = [0, 1, 2, 3, 6, 50].map((attempt) => retryDelay(attempt, 1));
  equal(longest, [...longest].sort((a, b) => a - b));
  equal(longest[longest.length - 1], 8000);
  truth(retryDelay(3, 0) < retryDelay(3, 1));
}

export function games_are_written_as_pdn() {
  const move = (color, text) => ({ color, move: text });
  const game = {
    game: 3, white: 'anna', black: 'b"o', result: 'draw', start_fen: globalThis.rules.start, started_ms: 1769817600000,
    moves: [move('white', 'c3-d4'), move('black', 'd6-c5'), ...Array.from({ length: 40 }, (_, i) => move(i % 2 ? 'black' : 'white', 'a1-b2'))],
  };
  const table = { ...emptyTable('main'), info: { id: 'main' }, game };
  const text = pdnText(table, { site: 'https://x/g/main' });
  const tags = ['Event "table main"', 'Site "https://x/g/main"', 'Date "2026.01.31"', 'Round "3"', 'White "anna"', 'Black "b\\"o"',
    'Result "1/2-1/2"', 'GameType "25,W,8,8,A0,0"', 'TimeControl "-"'];
  truth(text.startsWith(`[${tags.join(']\n[')}]\n\n1. c3-d4 d6-c5 2. a1-b2`), text);
  truth(text.split('\n').every((line) => line.length < 80));
  truth(text.endsWith(' 1/2-1/2\n'));
}

export function clocks_are_written_as_they_stood() {
  const move = (color, text, elapsed_ms) => ({ color, move: text, elapsed_ms });
  const game = {
    game: 1, white: 'anna', black: 'bob', result: 'white_won', reason: 'time', start_fen: globalThis.rules.start, started_ms: 0,
    moves: [move('white', 'c3-d4', 1500), move('black', 'd6-c5', 62_000)],
  };
  const written = (clock) => pdnText({ ...emptyTable('main'), info: { id: 'main', white_clock: clock, black_clock: clock }, game });
  const text = written('1m+500ms');
  truth(text.includes('[TimeControl "60+0.5"]'), text);
  truth(text.includes('[Termination "time forfeit"]'), text);
  truth(text.includes('1. c3-d4 {[%clk 0:00:59]} d6-c5 {[%clk 0:00:00.5]} 1-0'), text);
  truth(written('5m~2s').includes('[TimeControl "?"]'));
  truth(written('30s/move').includes('[TimeControl "1/30"]'));
}

export function notes_and_variations_are_written() {
  const move = (color, text) => ({ color, move: text, squares: text.split('-') });
  const tree = notedTree({
    comment: 'a {short} game',
    tree: [
      { parent: 0, move: move('white', 'c3-d4'), nags: [1], comment: 'best', clock_ms: 3_723_000 },
      { parent: 0, move: move('white', 'c3-b4'), before: 'or', comment: 'why' },
      { parent: 2, move: move('black', 'b6-a5') },
      { parent: 2, move: move('black', 'b6-c5'), nags: [2] },
      { parent: 1, move: move('black', 'd6-c5') },
    ],
  });
  equal(tree[0].children, [1, 2]);
  const game = { game: 0, white: '', black: '', start_fen: globalThis.rules.start, moves: [] };
  const text = pdnText({ ...emptyTable('analysis'), game }, { tree, tags: { Event: 'Cup', Annotator: 'me' }, result: '1-0' });
  truth(text.startsWith('[Event "Cup"]\n[Site "?"]\n[Date "????.??.??"]\n'), text);
  truth(text.includes('[Annotator "me"]'), text);
  const moves = text.split('\n\n')[1].replace(/\n/g, ' ');
  equal(moves, '{a (short) game} 1. c3-d4 $1 {[%clk 1:02:03] best} ({or} 1. c3-b4 {why} b6-a5 (1... b6-c5 $2)) d6-c5 1-0 ');
}

export function the_usual_start_is_the_library_s() {
  equal(START, globalThis.rules.start);
}
