// Every state of the page, made from messages of the server and touches of a person. Runs inside a
// function that has the page's `app`; `argument` names the state to show.

const START = 'W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8';
const LONG = argument?.plain ? 'konstantin' : 'Konstantin-of-the-Long-Name-30';
const T = 'k3x9w2ab';
const played = (ply, squares, captures = []) => ({
  ply, color: ply % 2 ? 'black' : 'white', move: squares[0] + (captures.length ? ':' : '-') + squares.at(-1),
  squares, captures, promotes: false, elapsed_ms: 1200,
});
const MOVES = [
  played(0, ['c3', 'd4']), played(1, ['d6', 'c5']), played(2, ['b2', 'c3']), played(3, ['f6', 'g5']), played(4, ['g3', 'h4']),
  played(5, ['g7', 'f6']), played(6, ['e3', 'f4']), played(7, ['g5', 'e3'], ['f4']), played(8, ['d2', 'f4'], ['e3']), played(9, ['h8', 'g7']),
];
const legal = (squares, captures = []) => ({
  move: squares[0] + (captures.length ? ':' : '-') + squares.at(-1), from: squares[0], to: squares.at(-1), captures, promotes: false,
  routes: [{ squares, captures }],
});
const QUIET = [legal(['a3', 'b4']), legal(['f4', 'g5']), legal(['c3', 'b4'])];
const FORCED = [legal(['d4', 'b6', 'd8', 'h4'], ['c5', 'c7', 'f6']), legal(['d2', 'f4'], ['e3'])];
const clocks = (white, black) => ({ white: { remaining_ms: white, increment_ms: 3000 }, black: { remaining_ms: black, increment_ms: 3000 } });
const seat = (name, more) => ({ name, connected: true, ...more });
const info = (more) => ({
  id: T, kind: 'custom', visibility: 'public', white_clock: '5m+3s', black_clock: '5m+3s', draw_rules: 'fmjd64', casual: true,
  state: 'running', seats: { white: seat('anna'), black: seat(LONG) }, watchers: 3, ply: MOVES.length, ...more,
});
const say = (message) => app.receive({ table: T, ...message });
const event = (message) => say({ game: 1, seq: 20, ...message });
const snapshot = (plies, { you = 'white', moves = null, state = {}, about = {} } = {}) => say({
  type: 'table_state', info: info(about), you, ...(moves && { legal_moves: moves }),
  state: {
    game: 1, id: `${T}-1`, seq: 19, white: 'anna', black: LONG, start_fen: START, moves: MOVES.slice(0, plies), fen: START, ply: plies,
    turn: plies % 2 ? 'black' : 'white', clocks: clocks(272000, 263000), opening_plies: 0, ...state,
  },
});
const quiet = () => snapshot(10, { moves: QUIET });
const theirs = (more) => snapshot(9, more);
const over = (result, reason, more) => { quiet(); event({ type: 'game_over', result, reason, ply: 10, fen: START, ...more }); };
const link = (status, more) => app.store.set({ connection: { status, rtt: null, retryAt: null, attempt: 1, ...more } });
const NOON = 1_769_796_000_000;
/** The server answers requests whose paths begin like this. */
const serverAnswers = (answers) => {
  const ask = window.askServer ??= window.fetch;
  window.fetch = async (path, how) => {
    const start = Object.keys(answers).find((start) => String(path).startsWith(start));
    return start ? new Response(JSON.stringify(answers[start])) : ask(path, how);
  };
};
const inLobby = () => app.go('/');
const lobbyList = () => {
  inLobby();
  app.receive({ type: 'tv', table: T });
  theirs({ you: null });
  app.receive({ type: 'lobby', open: 2, live: 2, players: 21, tables: [
    info({ id: 'a', state: 'waiting', seats: { white: seat('olga') } }),
    info({ id: 'b', state: 'waiting', white_clock: undefined, black_clock: undefined, seats: { black: seat(LONG) } }),
    info({}),
    info({ id: 'd', watchers: 120, seats: { white: seat('Level 3', { bot: 'level 3' }), black: seat('Level 9', { bot: 'level 9' }) } }),
  ] });
};
const waiting = (owner) => say({ type: 'table_state', info: info({ state: 'waiting', seats: { white: seat(owner) } }), you: owner === 'anna' ? 'white' : null });
const long = () => {
  const there = [['a1', 'b2'], ['h8', 'g7'], ['b2', 'a1'], ['g7', 'h8']];
  const moves = Array.from({ length: 200 }, (_, ply) => played(ply, there[ply % 4]));
  snapshot(0, { you: null, state: { start_fen: 'W:WKa1:BKh8', moves, ply: 200, result: 'draw', reason: 'ply_limit' }, about: { state: 'over' } });
};

/** A game that is over, with what the engine thinks of it. */
const judged = async () => {
  over('white_won', 'resignation');
  app.act.close();
  const chances = [0.5, 0.52, 0.5, 0.55, 0.52, 0.5, 0.8, 0.82, 0.6, 0.85, 0.97];
  const evaluations = chances.map((white_chance, ply) => ({ ply, white_chance, depth: 12, lines: [{ moves: ['a1-b2'], white_chance }] }));
  await until('.live-chance');
  app.store.set({ live: { key: `${T}/1`, evaluations } });
};

const GAME = 'c3-b4+d6-c5+b4:d6+e7:c5+d2-c3+f8-e7+a3-b4+c5:a3+g3-h4+b6-a5+f2-g3';
const until = async (css) => {
  for (let tries = 0; tries < 1000; tries += 1) {
    if (document.querySelector(css)) return;
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error(`${argument.name}: no ${css}`);
};

const tally = (won, drawn, lost, interrupted = 0) => ({ won, drawn, lost, interrupted });
const part = (name, ...counts) => ({ name, games: tally(...counts) });
const records = (changes) => app.store.update((s) => ({ ...s, page: { ...s.page, isLoading: false, ...changes } }));
const ended = (id, result, reason, more) => ({
  id: `${T}-${id}`, white: { name: 'anna' }, black: { name: LONG }, result, reason, plies: 67, ended_ms: 1_769_796_000_000,
  white_clock: '5m+3s', black_clock: '5m+3s', ...more,
});
/** Until the server, which has no finished games, has said so. */
const answered = async () => {
  for (let tries = 0; tries < 1200 && app.store.state.page.isLoading !== false; tries += 1) await new Promise((done) => setTimeout(done, 25));
};
/** What the server would tell of finished games. */
const listed = () => {
  const games = [
    ended(1, 'white_won', 'resignation'),
    ended(2, 'draw', 'kings_against_king', { black: { name: 'Level 10', bot: 'level 10' }, white_clock: undefined, black_clock: undefined }),
    ended(3, 'black_won', 'time_against_king', { white: { name: LONG }, black: { name: 'Ольга-с-очень-длинным-именем30' }, plies: 1 }),
    ended(4, 'interrupted', 'aborted', { plies: 0 }),
  ];
  const opponents = Array.from({ length: 14 }, (_, i) => part(i ? `opponent ${i}` : LONG, 20 - i, 1, i));
  records({
    list: { games, count: 1234, next: '1.2' },
    player: {
      name: LONG, white: tally(120, 30, 44, 3), black: tally(90, 31, 60), first_ms: 1_760_000_000_000, last_ms: 1_769_796_000_000, opponents,
      bots: [part('level 10', 0, 2, 30), part('level 3', 12, 3, 4)], clocks: [part('none', 100, 20, 30), part('5m+3s', 90, 30, 50), part('5m+0s,none', 1, 0, 0)],
      openings: { white: Array.from({ length: 12 }, (_, i) => part(`c3-d4 d6-${'abcdefgh'[i % 8]}${5 + (i % 3)}`, 20 - i, 2, i)), black: [part('g3-f4 f6-g5', 3, 2, 1)] },
      reasons: [part('resignation', 100, 0, 60), part('kings_against_king', 0, 20, 0), part('time_against_king', 0, 3, 0), part('aborted', 0, 0, 0, 4)],
      endings: { won: tally(40, 7, 1), drawn: tally(3, 50, 4), lost: tally(0, 5, 31), moves: 812, lost_per_100: 1.25 },
      periods: [part('2025-10', 20, 5, 9), part('2025-11', 2, 1, 0), part('2026-01', 40, 9, 21, 2)],
    },
  });
};

const arena = {
  id: 'k3x9w2ab', name: 'The long Friday evening tournament of the club and friends', format: 'arena', entrants: 'people', clock: '3m+2s', speed: 'blitz',
  rated: true, openings: true, by_invitation: true, starts_ms: 1_769_796_000_000, ends_ms: 1_769_799_600_000, stage: 'running', organiser: 'anna', players: 123,
  event: 'tournament-k3x9w2ab', round: 0, rounds: 0, games_per_pairing: 0, wait_minutes: 0, break_minutes: 0,
};

const states = {
  'lobby-empty': inLobby,
  'lobby-list': lobbyList,
  'lobby-people': async () => {
    lobbyList();
    await until('details.people');
    document.querySelector('details.people').open = true;
    await until('details.people[open] ul');
    await new Promise((done) => setTimeout(done, 300));
    app.act.fill({ people: ['anna', LONG, 'olga'] });
  },
  'lobby-crowded': () => {
    inLobby();
    const tables = Array.from({ length: 25 }, (_, i) => info({ id: `w${i}`, state: 'waiting', seats: { white: seat(`${LONG.slice(0, 28)}${i}`) } }));
    app.receive({ type: 'lobby', open: 25, live: 0, players: 30, quick: ['5m+3s'], tables });
    app.act.fill({ allOpen: true });
  },
  'waiting-challenged': () => say({ type: 'table_state', info: info({ state: 'waiting', opponent: LONG, seats: { white: seat('anna') } }), you: 'white' }),
  'lobby-queued': () => { lobbyList(); app.act.fill({ against: 'quick' }); app.receive({ type: 'queued' }); },
  'lobby-options': () => { inLobby(); app.act.fill({ against: 'challenge', clock: 'own', from: 'fen' }); },
  'lobby-challenged': () => { lobbyList(); app.receive({ type: 'challenged', table: 'z', by: LONG, info: info({}) }); },
  'lobby-own-game': () => { quiet(); inLobby(); },
  'lobby-name-taken': () => { inLobby(); app.notify('error.name_taken'); },
  'lobby-name-invalid': () => { inLobby(); app.notify('error.bad_name'); },
  'lobby-seat-taken': () => { lobbyList(); app.notify('error.seat_taken'); },
  'lobby-advanced': async () => { inLobby(); await until('.advanced'); document.querySelector('.advanced').open = true; },
  'link-connecting': () => { quiet(); link('connecting'); },
  'link-slow': () => { quiet(); link('slow', { rtt: 812 }); },
  'link-lost': () => { quiet(); link('lost', { retryAt: performance.now() + 60000 }); },
  'link-replaced': () => { quiet(); link('replaced'); },
  'link-restarting': () => { quiet(); link('restarting', { retryAt: performance.now() + 60000 }); },
  'link-full': () => { inLobby(); link('full', { retryAt: performance.now() + 60000 }); },
  'link-outdated': () => { quiet(); link('outdated'); },
  'link-off': () => { quiet(); app.leave(); },
  'link-not-stored': () => { quiet(); say({ type: 'storage', ok: false }); },
  'game-loading': () => {},
  'game-missing': () => app.store.set({ archive: { [T]: 'missing' } }),
  'game-waiting': () => waiting('anna'),
  'game-invited': () => waiting(LONG),
  'game-closed': () => { waiting('anna'); say({ type: 'table_closed', reason: 'idle' }); },
  'turn-quiet': quiet,
  'turn-forced': () => snapshot(8, { moves: FORCED }),
  'turn-chosen': () => { quiet(); app.act.click('f4'); },
  'turn-path': () => { snapshot(8, { moves: FORCED }); app.act.click('d4'); app.act.click('b6'); },
  'turn-sent': () => { quiet(); app.act.click('f4'); app.act.click('g5'); },
  'turn-refused': () => { snapshot(8, { moves: FORCED }); app.act.click('a1'); },
  'turn-theirs': () => theirs(),
  'turn-thinking': () => theirs({ about: { seats: { white: seat('anna'), black: seat('Level 5', { bot: 'level 5' }) } }, state: { black: 'Level 5' } }),
  'turn-thinking-long': () => theirs({ about: { seats: { white: seat('anna'), black: seat('Level 10', { bot: 'level 10' }) } }, state: { black: 'Level 10', thinking_ms: 12300, clocks: undefined } }),
  'turn-preparing': async () => {
    theirs();
    app.act.click('f4');
    await new Promise((done) => setTimeout(done, 300));
    app.store.update((s) => ({ ...s, board: { ...s.board, premoves: { ply: 9, moves: [['f4', 'g5'], ['f4', 'e5']] } } }));
  },
  'turn-premove': () => { theirs(); app.act.click('f4'); app.act.click('g5'); },
  'turn-low-time': () => snapshot(10, { moves: QUIET, state: { clocks: clocks(9400, 61000) } }),
  'turn-black': () => snapshot(9, { you: 'black', moves: [legal(['h6', 'g5'])], state: { white: LONG, black: 'anna' } }),
  'away': () => { theirs(); say({ type: 'presence', color: 'black', connected: false, claim_in_ms: 43000 }); },
  'away-claim': () => { theirs(); say({ type: 'presence', color: 'black', connected: false, claim_in_ms: 0 }); },
  'offer-draw-mine': () => { quiet(); event({ type: 'offered', offer: 'draw', by: 'white' }); },
  'offer-draw-theirs': () => { quiet(); event({ type: 'offered', offer: 'draw', by: 'black' }); },
  'offer-takeback-theirs': () => { quiet(); event({ type: 'offered', offer: 'takeback', by: 'black' }); },
  'offer-both': () => { states['offer-draw-theirs'](); event({ type: 'offered', offer: 'takeback', by: 'black', seq: 21 }); },
  'offer-takeback-mine': () => { quiet(); event({ type: 'offered', offer: 'takeback', by: 'white' }); },
  'offer-declined': () => { quiet(); event({ type: 'declined', offer: 'draw', by: 'black' }); },
  'resign': () => { quiet(); app.act.open('resign'); },
  'browsing': () => { quiet(); app.act.view(5); },
  'watching': () => theirs({ you: null }),
  'watching-back': () => { theirs({ you: null }); app.act.view(4); },
  'watching-back-ended': () => { states['watching-back'](); event({ type: 'game_over', result: 'white_won', reason: 'time', ply: 9, fen: START }); },
  'watching-next': () => {
    states['watching-back-ended']();
    say({ type: 'game_started', game: 2, id: `${T}-2`, seq: 1, white: LONG, black: 'olga', start_fen: START, moves: [], fen: START, ply: 0, turn: 'white', clocks: clocks(300000, 300000) });
  },
  'watching-ended': () => snapshot(10, { you: null, state: { result: 'draw', reason: 'kings_against_king', article: '7.2.4' }, about: { state: 'over' } }),
  'over-won': () => over('white_won', 'no_moves'),
  'over-lost': () => over('black_won', 'time'),
  'over-draw': () => over('draw', 'agreement'),
  'over-aborted': () => over('interrupted', 'aborted'),
  'over-rematch': () => { over('black_won', 'resignation'); say({ type: 'offered', game: 1, offer: 'rematch', by: 'black' }); },
  'over-rematch-sent': () => { over('black_won', 'resignation'); say({ type: 'offered', game: 1, offer: 'rematch', by: 'white' }); },
  'over-rematch-declined': () => { over('black_won', 'resignation'); say({ type: 'declined', game: 1, offer: 'rematch', by: 'black' }); },
  'over-closed-dialog': () => { over('white_won', 'abandoned'); app.act.close(); },
  'over-judged': judged,
  'long-game': long,
  'settings': () => { quiet(); app.act.open('settings'); },
  'keys': () => { quiet(); app.act.open('keys'); },
  'phrases': () => { quiet(); app.act.open('phrases'); },
  'said': () => { quiet(); for (const by of ['white', 'black']) app.receive({ type: 'said', table: T, by, phrase: 'good_game' }); },
  'share': () => { quiet(); app.act.open('share'); },
  'toast': () => { quiet(); app.notify('error.too_soon'); },
  'sound-blocked': () => { theirs({ you: null }); app.notify('notice.soundBlocked'); },
  'russian': async () => { await app.setting('lang', 'ru'); event({}); snapshot(8, { moves: FORCED }); },
  'russian-lobby': async () => { await app.setting('lang', 'ru'); lobbyList(); },
  'typing': () => { quiet(); app.act.fill({ typing: true, typedProblem: 'c3:e5, c3:g5' }); },
  'typed-command': () => { quiet(); app.act.fill({ typing: true }); app.act.type('/p'); },
  'typed-command-unknown': () => { quiet(); app.act.fill({ typing: true }); app.act.type('/help'); },
  'bots-live': async () => {
    const of = (name) => seat(name, { bot: name.toLowerCase() });
    theirs({ you: null, about: { seats: { white: of('Level 3'), black: of('Level 9') } }, state: { white: 'Level 3', black: 'Level 9' } });
    await until('.live-chance .white-share');
  },
  'tv': async () => {
    app.go('/tv');
    app.receive({ type: 'tv', table: T });
    await states['bots-live']();
  },
  'analysis-empty': async () => { app.go('/analysis'); await until('.engine .line'); },
  'analysis': async () => { app.go(`/analysis?moves=${GAME}&white=anna&black=${LONG}#9`); await until('.engine .line'); await until('.graph .spot'); },
  'analysis-variations': async () => {
    app.go(`/analysis?moves=${GAME}&white=anna&black=${LONG}#5`);
    await until('.engine .line');
    for (const [from, to] of [['f6', 'g5'], ['g3', 'h4'], ['g7', 'f6']]) {
      await new Promise(requestAnimationFrame);
      await until('.board.live');
      app.act.click(from);
      app.act.click(to);
    }
    await until('.engine .line');
  },
  'analysis-problem': async () => { app.go('/analysis'); await until('.engine .line'); app.act.fill({ study: '1. c3-d4 d6-c5\n2. b2-b4' }); app.study.open((files) => files.open('1. c3-d4 d6-c5\n2. b2-b4', '')); await until('.opening[open] .problem:not(:empty)'); },
  'analysis-games': async () => {
    app.go('/analysis');
    await until('.engine .line');
    const text = '[White "anna"][Black "boris"][Event "League"]\n1. c3-d4 $2 { hasty } d6-c5 (1... b6-c5) 1-0\n\n1. c3-d4 d6-c5 2. b2-b4 *';
    app.study.open((files) => files.open(text, ''));
    await until('.chooser .problem');
    await until('.engine .line');
  },
  'analysis-missing': async () => { app.go('/analysis?game=nothing-7'); await until('.opening[open]'); },
  'analysis-silent': async () => { app.go('/analysis'); await until('.engine .line'); app.store.update((s) => ({ ...s, page: { ...s.page, silent: { code: 'game_running' } } })); },
  'analysis-quiet': async () => { await states.analysis(); app.study.toggle(); },
  'analysis-long': async () => { app.go(`/analysis?fen=W:WKc1:BKf8&moves=${'c1-d2+f8-e7+d2-c1+e7-f8+'.repeat(50)}#200`); await until('[data-ply="200"].current'); },
  'analysis-russian': async () => { await app.setting('lang', 'ru'); app.go(`/analysis?moves=${GAME}#4`); await until('.engine .line'); },
  'editor': async () => { app.go('/editor'); await until('.palette'); },
  'editor-problem': async () => { app.go('/editor'); await until('.palette'); app.study.editor.change({ brush: 3 }); app.act.click('d4'); await until('.status.refused'); },
  'editor-bad-fen': async () => { app.go('/editor'); await until('.palette'); await app.study.editor.read('W:Wa1,Kc9:Bh8'); },
  'editor-problem-russian': async () => { await app.setting('lang', 'ru'); await states['editor-problem'](); },
  'analysis-problem-russian': async () => { await app.setting('lang', 'ru'); await states['analysis-problem'](); },
  'explorer': async () => { app.go('/explorer'); await until('.explorer-node'); },
  'explorer-saved': async () => {
    await states.explorer();
    app.explorer.select(1, app.explorer.page.traces[1].marks.indexOf(5));
    await until('.explanation.other h3');
  },
  'explorer-playing': async () => {
    await states['explorer-saved']();
    app.explorer.zoom(1, 8);
    app.explorer.playback.go(2000);
    await until('.explorer-node');
  },
  'explorer-ends': async () => { await states['explorer-saved'](); app.explorer.change({ compared: false }); },
  'explorer-one': async () => { app.go('/explorer?first=champion:depth=6&second=none'); await until('.explorer-node'); },
  'explorer-simulated': async () => { app.go('/explorer?first=negascout-tt:depth=6,order=on&second=mcts&node=1.1'); await until('.explorer-node'); },
  // Searches that are over are not recorded again.
  'explorer-recording': async () => {
    const fen = START.replace(/^W/, argument.theme === 'dark' ? 'B' : 'W');
    app.go(`/explorer?first=minimax:depth=9&second=minimax:depth=9&fen=${fen}`);
    await until('.explorer-status button');
  },
  'explorer-problem': async () => { app.go('/explorer?fen=W:Wb1:Bh8'); await until('.explorer-status.problem'); },
  'explorer-russian': async () => { await app.setting('lang', 'ru'); await states['explorer-saved'](); },
  'help': async () => { app.go('/help'); await until('.examples'); },
  'help-russian': async () => { await app.setting('lang', 'ru'); app.go('/help'); await until('.examples'); },
  'games': async () => { app.go('/games'); await answered(); listed(); await until('.game-list li'); },
  'games-filtered': async () => { app.go('/games?player=anna&color=white&result=draw&reason=agreement&clock=7m%2B1s&min_plies=21&from=2026-01-31'); await answered(); listed(); await until('.game-list li'); },
  'games-none': async () => { app.go('/games?player=nobody'); await answered(); records({ list: { games: [], count: 0 } }); },
  'games-problem': async () => { app.go('/games'); await answered(); records({ list: { code: 'archive_unavailable', games: [] } }); },
  'ladder': async () => {
    app.go('/ratings?of=ladder&speed=blitz');
    await answered();
    const players = [
      { name: 'level 9', server: true, rating: 2224, ending_moves: 12, ending_lost: 0, won: 3, drawn: 1, lost: 0 },
      { name: 'kestrel-of-the-north-west[bot]', server: false, rating: 1987.4, low: 1801.2, high: 2114.9, ending_moves: 3456, ending_lost: 12.34, won: 1234, drawn: 517, lost: 98 },
      { name: 'negascout-tt:depth=6', server: true, rating: 1502.3, ending_moves: 0, won: 1, drawn: 3, lost: 0 },
      { name: 'minimax:depth=6', server: true, unrated: 'all games lost', ending_moves: 120, ending_lost: 2.5, won: 0, drawn: 0, lost: 12 },
    ];
    records({ ladder: { season: '2026-01', speed: 'blitz', event: 'ladder-2026-01', games: 1234, players } });
    await until('.best tbody tr');
  },
  'tournaments': async () => {
    app.store.update((s) => ({ ...s, me: { ...s.me, account: true } }));
    app.go('/tournaments');
    await answered();
    const of = (stage, name, more) => ({ ...arena, stage, name, id: name, ...more });
    const all = [of('coming', 'Sunday'), of('running', 'The long Friday evening tournament of the club and friends'), of('over', 'Thursday', { entrants: 'bots' })];
    records({ tournaments: { tournaments: all } });
    await until('.tournament-list li');
  },
  'tournament': async () => {
    const standings = [LONG, 'anna', 'Ольга-с-очень-длинным-именем30', 'boris'].map((name, at) => ({
      place: at + 1, name, points: 44 - 9 * at, scores: at === 3 ? [] : [2, 2, 4, 4, 0, 1, 2, 2, 4, 4, 4, 0, 2, 2, 4].slice(at), wins: 9, draws: 1, streak: at === 0, tie_breaks: [12.34], left: at === 3,
    }));
    const running = [{ table: T, white: LONG, black: 'anna' }];
    app.store.update((s) => ({ ...s, me: { ...s.me, account: true }, queue: { clock: '3m+2s', rated: true, tournament: 'k3x9w2ab' } }));
    // The page asks for it again and again.
    const ask = window.askServer ??= window.fetch;
    const answer = JSON.stringify({ ...arena, games: 123, standings, player: standings[1], running });
    window.fetch = async (path, how) => (String(path).startsWith('/api/tournaments/k3x9w2ab') ? new Response(answer) : ask(path, how));
    app.go('/tournament/k3x9w2ab');
    await until('.standings tbody tr');
  },
  'tournament-rounds': async () => {
    const names = [LONG, 'anna', 'Ольга-с-очень-длинным-именем30', 'boris', 'vera'];
    const standings = names.map((name, at) => ({ place: at + 1, name, points: 4 - at, scores: [2, 1, null, 0].slice(at), wins: 1, draws: 1, streak: false, tie_breaks: [9, 12, 1], left: at === 3 }));
    const board = (white, black, ...games) => ({ white, black, games: games.map(([state, result], at) => ({ game: `${T}-${at}${white}`, table: T, state, result })) });
    const boards = [
      board(LONG, 'Ольга-с-очень-длинным-именем30', ['played', 'white_won'], ['playing']),
      board('anna', 'boris', ['by_default', 'void'], ['waiting']), board('vera', undefined),
    ];
    app.store.update((s) => ({ ...s, me: { ...s.me, account: true } }));
    const ask = window.askServer ??= window.fetch;
    const swiss = { ...arena, format: 'swiss', round: 3, rounds: 7, games_per_pairing: 2, wait_minutes: 5, organiser: app.store.state.me.name };
    const answer = JSON.stringify({ ...swiss, games: 123, standings, running: [], pairings: { round: 2, drawn_ms: 1_769_796_000_000, boards } });
    window.fetch = async (path, how) => (String(path).startsWith('/api/tournaments/k3x9w2ab') ? new Response(answer) : ask(path, how));
    app.go('/tournament/k3x9w2ab');
    await until('.pairing');
  },
  'tournament-projector': async () => { await states['tournament-rounds'](); app.go('/tournament/k3x9w2ab?view=projector'); await until('.projected .pairing'); },
  'tournament-form': async () => {
    await states.tournaments();
    app.store.update((s) => ({ ...s, page: { ...s.page, format: 'swiss' } }));
    await until('#account-wait');
  },
  'account': async () => {
    app.store.update((s) => ({ ...s, me: { ...s.me, account: true, token: 'x' } }));
    serverAnswers({ '/api/account': {
      name: 'anna', role: 'administrator', created_ms: NOON, password: true, recovery: 9, ladders: [], blocks: [LONG, 'boris'],
      sessions: [{ id: 1, label: 'Chrome, Android', created_ms: NOON, used_ms: NOON, own: true }, { id: 2, label: '', created_ms: NOON, used_ms: NOON, own: false }],
      bots: [{ name: 'kestrel-of-the-north-west[bot]', created_ms: NOON, used_ms: NOON, scopes: ['play'] }],
      tokens: [{ id: 3, label: 'Tournaments of the club, every Friday', scopes: ['read', 'tournament'], created_ms: NOON, used_ms: NOON }],
    } });
    app.go('/account');
    await until('#create-token');
  },
  'report': async () => {
    app.store.update((s) => ({ ...s, me: { ...s.me, account: true, token: 'x' } }));
    serverAnswers({ '/api/account': { name: 'anna', role: 'person', blocks: [LONG] } });
    app.go(`/report/${LONG}`);
    await until('#send-report');
  },
  'moderation': async () => {
    app.store.update((s) => ({ ...s, me: { ...s.me, account: true, token: 'x' } }));
    const report = { by: LONG, reason: 'stalling', game: `${T}-1`, text: 'He left again after the third move, and did not come back for ten minutes.', at_ms: NOON };
    const entry = (id, action, more) => ({ id, at_ms: NOON, moderator: 'anna', action, player: LONG, reason: '', until_ms: 0, ...more });
    serverAnswers({
      '/api/account': { name: 'anna', role: 'administrator', blocks: [] },
      '/api/moderation/reports': { players: [{ name: LONG, role: 'person', muted_until_ms: 4e12, suspended_until_ms: 4e12, sanctions: 2, reports: [report, { ...report, by: 'boris', game: undefined }] }] },
      '/api/moderation/log': { entries: [entry(3, 'suspend', { reason: 'cheating', until_ms: NOON }), entry(2, 'invitation', { player: '' }), entry(1, 'administrator', { moderator: '' })] },
      '/api/moderation/staff': { staff: [{ name: 'anna', role: 'administrator' }, { name: LONG, role: 'moderator' }] },
    });
    app.go('/moderation');
    await until('#invite');
  },
  'correspondence': async () => {
    app.store.update((s) => ({ ...s, turns: 1, me: { ...s.me, account: true } }));
    app.go('/correspondence');
    await until('main.correspondence');
    const game = { id: `${T}-1`, table: T, color: 'white', opponent: LONG, opponent_away_ms: 1_769_796_000_000, days: 3, rated: true, ply: 21, your_turn: true, deadline_ms: 1_769_999_000_000 };
    const invitation = { id: 'a', with: LONG, received: true, days: 14, rated: true, created_ms: 1_769_796_000_000 };
    records({ notifying: 'off', overview: {
      games: [game, { ...game, id: 'b-1', your_turn: false, color: 'black' }, { ...game, id: 'c-1', your_turn: false }],
      challenges: [invitation, { ...invitation, id: 'b', received: false, color: 'black' }], vacation: { days_left: 23 },
    }, lines: { id: 'b-1', text: 'c3-d4 d6-c5\nc3-b4 b6-a5' } });
    await until('.conditional textarea');
  },
  'correspondence-vacation': async () => {
    await states.correspondence();
    records({ lines: undefined, notifying: 'unsupported', overview: { games: [], challenges: [], vacation: { until_ms: 1_769_796_000_000, days_left: 0 } } });
    await until('#end-vacation');
  },
  'games-russian': async () => { await app.setting('lang', 'ru'); await states.games(); },
  'player': async () => { app.go(`/player/${LONG}`); await answered(); listed(); await until('.tally'); },
  'player-open': async () => { await states.player(); document.querySelectorAll('.records details').forEach((details) => { details.open = true; }); },
  'player-none': async () => { app.go('/player/anna'); await answered(); records({ list: { games: [] }, player: { code: 'not_found' } }); },
  'player-russian': async () => { await app.setting('lang', 'ru'); await states.player(); },
  'unknown': () => app.go('/nowhere/at/all'),
  'embedded': () => { history.replaceState(null, '', `/embed/${T}`); app.go(`/embed/${T}`); theirs({ you: null }); },
};

if (argument === null) return Object.keys(states);
const { name, theme } = argument;
app.socket.stop();
app.send = () => true;
// Every state begins where the page began.
window.atFirst ??= app.store.state;
app.store.update(() => window.atFirst);
app.store.set({ me: { name: 'anna', joined: true, token: null }, connection: { status: 'online', rtt: 23, retryAt: null, attempt: 0 }, notice: null });
await app.setting('theme', theme);
await app.setting('animate', false);
await app.setting('lang', argument.lang ?? 'en');
app.go(`/g/${T}`);
await states[name]();
// What moves is shown where it ends.
for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
for (const motion of document.getAnimations()) {
  if (motion.effect?.getComputedTiming().endTime !== Infinity) motion.finish();
}
await new Promise(requestAnimationFrame);
return true;
