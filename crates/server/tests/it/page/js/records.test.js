import { exportPath, fieldsOf, gamesPath, movesOf, percentOf, sumOf, wantedGames, withoutGaps } from '../../../../web/js/core/records.js';
import { playerPath, readRoute } from '../../../../web/js/core/route.js';
import { readSettings } from '../../../../web/js/core/settings.js';
import { initialState } from '../../../../web/js/core/state.js';
import { emptyTable } from '../../../../web/js/core/table.js';
import { en } from '../../../../web/js/i18n/en.js';
import { ru } from '../../../../web/js/i18n/ru.js';
import { teach, translator } from '../../../../web/js/i18n/words.js';
import { ENDINGS, endingText } from '../../../../web/js/views/games.js';
import { pageTitle } from '../../../../web/js/views/title.js';
import { equal, truth } from './check.js';

export function a_search_has_an_address() {
  const form = { player: ' anna ', color: 'white', opponent: '', result: '', clock: '5m+3s', min_moves: '11', max_moves: '20', from: '2026-01-31' };
  const fields = fieldsOf(form);
  equal(fields, { player: 'anna', color: 'white', clock: '5m+3s', min_plies: '21', max_plies: '40', from: '2026-01-31' });
  const path = gamesPath(fields);
  const { name, query } = readRoute('/games', path.slice('/games'.length));
  equal([name, wantedGames(query)], ['games', fields]);
  equal([movesOf(query.min_plies), movesOf(query.max_plies), movesOf(undefined)], ['11', '20', '']);
  equal(exportPath({ ...query, cursor: '1.2', lang: 'ru' }), path.replace('/games', '/api/games.pdn'));
  equal(gamesPath({}), '/games');
}

export function an_opponent_alone_is_a_player() {
  equal(fieldsOf({ player: '', opponent: 'boris', color: 'black' }), { player: 'boris', color: 'black' });
  equal(fieldsOf({ player: '', opponent: '', color: 'black', result: 'draw' }), { result: 'draw' });
}

export function players_have_addresses() {
  for (const name of ['anna', 'Имя с пробелом', 'a/b', '50 %', '#1?']) {
    const route = readRoute(playerPath(name));
    equal([route.name, route.id], ['player', name]);
  }
  equal(readRoute('/player/').name, 'unknown');
  equal(readRoute('/player/a/b').name, 'unknown');
  equal(readRoute('/player/%zz').id, '%zz');
}

export function tallies_are_added_up() {
  const tally = (won, drawn, lost, interrupted = 0) => ({ won, drawn, lost, interrupted });
  equal(sumOf([tally(1, 2, 3, 4), tally(1, 0, 0)]), tally(2, 2, 3, 4));
  equal([tally(1, 1, 0, 5), tally(0, 0, 0, 5), tally(1, 1, 1)].map(percentOf), [75, null, 50]);
}

export function days_and_months_without_games_are_there_too() {
  const part = (name) => ({ name, games: sumOf([]) });
  const names = (periods) => withoutGaps(periods.map(part)).map(({ name }) => name);
  equal(names(['2026-02-27', '2026-03-02']), ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  equal(names(['2025-11', '2026-01']), ['2025-11', '2025-12', '2026-01']);
  equal(names(['2026-01-31']), ['2026-01-31']);
  equal(names([]), []);
}

export function every_ending_has_words() {
  teach('en', en);
  teach('ru', ru);
  for (const lang of ['en', 'ru']) {
    for (const reason of ENDINGS) truth(!endingText(reason, translator(lang)).includes('.'), `${lang} ${reason}`);
  }
}

export function every_page_has_a_title_of_its_own() {
  teach('en', en);
  const t = translator('en');
  const settings = readSettings(null, ['en']);
  const state = (path, search = '') => initialState(readRoute(path, search), settings);
  const paths = ['/', '/tv', '/games', '/player/anna', '/analysis', '/editor', '/help', '/ratings', '/tournaments', '/report/boris', '/moderation', '/nope'];
  const titles = paths.map((path) => pageTitle(state(path), t));
  equal(new Set(titles).size, paths.length);
  for (const title of titles) truth(title.endsWith('Russian draughts') && !title.includes('nav.'), title);
  equal(pageTitle(state('/games', '?player=anna'), t), 'anna – Games – Russian draughts');
  const game = { game: 1, white: 'anna', black: 'boris', result: 'draw', moves: [] };
  const played = { ...state('/g/x'), tables: { x: { ...emptyTable('x'), game } } };
  equal(pageTitle(played, t), 'anna ½–½ boris – Russian draughts');
  equal(pageTitle({ ...played, tables: {}, archive: { x: 'missing' } }, t), 'Not found – Russian draughts');
}
