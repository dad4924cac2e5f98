/** Tournaments in rounds: the pairings of a round, and what the form for a new one asks. */

import { playerPath } from '../core/route.js';
import { asked } from '../net/ask.js';
import { h } from '../ui/dom.js';
import { labelled, link } from './parts.js';

/**
 * @import {Context} from './context.js'
 * @import {Board, BoardGame, Tournament, TournamentEntry} from '../actions/tournaments.js'
 */

/** Later times are shown with their dates. */
const SOON_MS = 12 * 3_600_000;

/** The formats that the form offers. */
export const TOURNAMENT_FORMATS = ['arena', 'swiss', 'round_robin', 'knockout'];

/** What a result is for both sides. */
const RESULT_MARKS = { white_won: '1–0', draw: '½–½', black_won: '0–1', void: '0–0' };

/** @param {{format: string}} tournament */
export function isInRounds({ format }) {
  return format !== 'arena';
}

/** A time in minutes, hours or days. @param {Context['t']} t @param {number} minutes */
export function lengthText(t, minutes) {
  if (minutes % 1440 === 0 && minutes > 0) return t('tournament.days', { n: minutes / 1440 });
  return minutes % 60 === 0 && minutes > 0 ? t('tournament.hours', { n: minutes / 60 }) : t('tournament.minutes', { n: minutes });
}

/** The choices of the form that a format has. @param {Context['t']} t @param {string} format */
export function roundChoices(t, format) {
  const pick = (/** @type {string} */ name, /** @type {number[]} */ numbers, /** @type {number} */ chosen, /** @type {(n: number) => string} */ text = String) => labelled(t(`tournament.new.${name}`), `account-${name}`,
    h('select', { id: `account-${name}`, name }, numbers.map((n) => h('option', { value: String(n), selected: n === chosen }, text(n)))));
  const minutes = (/** @type {number} */ n) => lengthText(t, n);
  return [
    format === 'swiss' && pick('rounds', [3, 4, 5, 6, 7, 8, 9, 11, 13], 5),
    format === 'round_robin' && pick('cycles', [1, 2, 3, 4], 1),
    pick('games', [1, 2, 3, 4], 1),
    pick('wait', [1, 2, 3, 5, 10, 15, 30, 60, 1440, 10080], 5, minutes),
    pick('break', [0, 1, 2, 5, 10, 15, 30, 60, 1440], 1, minutes),
  ];
}

/** What the form says about rounds. @param {(name: string) => string} fields @param {string} format */
export function wantedRounds(fields, format) {
  const rounds = format === 'swiss' ? 'rounds' : 'cycles';
  return {
    ...(format !== 'knockout' && { rounds: Number(fields(rounds)) }),
    games_per_pairing: Number(fields('games')), wait_minutes: Number(fields('wait')), break_minutes: Number(fields('break')),
  };
}

/** The number of a round, and of how many. @param {Context['t']} t @param {TournamentEntry} tournament */
export function roundText(t, { format, round, rounds }) {
  if (round === 0) return t('tournament.waitsForPlayers');
  return format === 'swiss' ? t('tournament.roundOf', { round, rounds }) : t('tournament.round', { round });
}

/** Whether somebody who has not entered before cannot enter any more. @param {Tournament} tournament */
export function isClosed({ format, round }) {
  return (format === 'round_robin' || format === 'knockout') && round > 0;
}

/** What a player is to do in the present round. @param {Context} context @param {Tournament} tournament */
export function nextStep({ state, t, act }, { format, pairings, round, break_minutes: pause }) {
  const { name, account } = state.me;
  if (!account || !pairings || pairings.round !== round) return null;
  const board = pairings.boards.find(({ white, black }) => white === name || black === name);
  if (!board) return format === 'knockout' ? h('p', { key: 'next' }, t('tournament.out')) : null;
  if (!board.black) return h('p', { key: 'next' }, t('tournament.youHaveBye'));
  const opponent = board.white === name ? board.black : board.white;
  const game = board.games.find(({ result }) => result == null);
  if (!game) return h('p', { key: 'next' }, [t('tournament.roundDone'), pause > 0 && t('tournament.break', { time: lengthText(t, pause) })].filter(Boolean).join(' '));
  if (game.state === 'playing') return link(`/g/${game.table}`, t('tournament.yourGame', { name: opponent }), act.go, { class: 'button primary', key: 'next' });
  const time = new Intl.DateTimeFormat(state.settings.lang, { timeStyle: 'short', ...(Number(board.until_ms) > Date.now() + SOON_MS && { dateStyle: 'medium' }) });
  return h('p', { key: 'next', role: 'status' }, t('tournament.youMeet', { name: opponent, time: time.format(board.until_ms) }));
}

/** @param {Context} context @param {Tournament} tournament */
export function pairingsCard(context, tournament) {
  const { state, t, act } = context;
  const { id, round, pairings, stage } = tournament;
  if (!pairings) return null;
  const { view, invitation } = state.route.query;
  const to = (/** @type {number} */ number, /** @type {string} */ text) => link(asked(`/tournament/${id}`, { view, invitation, round: String(number) }), text, act.go, { class: 'button', key: text });
  return h('section.card', { key: 'pairings', 'aria-labelledby': 'pairings' },
    h('h2', { id: 'pairings' }, t('tournament.round', { round: pairings.round })),
    h('ul.tournament-list', null, pairings.boards.map((board, at) => boardLine(context, board, at, stage === 'over'))),
    round > 1 && h('nav.more-games', { key: 'rounds', 'aria-label': t('tournament.rounds') },
      pairings.round > 1 && to(pairings.round - 1, t('tournament.before')),
      pairings.round < round && to(pairings.round + 1, t('tournament.after'))));
}

/** @param {Context} context @param {Board} board @param {number} at @param {boolean} isOver */
function boardLine({ state, t, act }, { white, black, games }, at, isOver) {
  const isOwn = [white, black].includes(state.me.name);
  return h('li.pairing', { key: String(at), class: isOwn ? 'own' : '' },
    h('span.line-name', null, `${at + 1}. `, link(playerPath(white), white, act.go), ' – ', black ? link(playerPath(black), black, act.go) : t('tournament.bye')),
    h('span.quiet-text', null, games.map((game) => gameResult(t, act, game, isOver))));
}

/** @param {Context['t']} t @param {Context['act']} act @param {BoardGame} game @param {boolean} isOver */
function gameResult(t, act, { game, table, state, result }, isOver) {
  const text = result ? RESULT_MARKS[result] : t('tournament.playing');
  if (state === 'waiting') return h('span', { key: game }, t(isOver ? 'tournament.notPlayed' : 'tournament.waiting'));
  if (state === 'by_default') return h('span', { key: game, title: t('tournament.byDefault') }, `${text} ${t('tournament.defaultMark')}`);
  return link(state === 'playing' ? `/g/${table}` : `/g/${game}`, text, act.go, { key: game });
}
