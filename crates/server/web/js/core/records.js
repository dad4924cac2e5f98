/** Finished games: what is searched for, and how a player's games are added up. */

import { asked } from '../net/ask.js';

/**
 * @typedef {{won: number, drawn: number, lost: number, interrupted: number}} Tally
 * @typedef {{name: string, games: Tally}} Part
 * @typedef {{[field: string]: string}} Fields
 */

/** What can be asked for in the address of the list; the server's names. */
const FIELDS = ['player', 'color', 'opponent', 'bot', 'event', 'opening', 'ending', 'result', 'reason', 'clock', 'min_plies', 'max_plies', 'from', 'to', 'cursor'];

/** What of an address is asked of the server. @param {Fields} query @returns {Fields} */
export function wantedGames(query) {
  return Object.fromEntries(FIELDS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}

/** The address of a list. @param {Fields} fields */
export function gamesPath(fields) {
  return asked('/games', wantedGames(fields));
}

/** Where the games of a list are found as one text. @param {Fields} query */
export function exportPath(query) {
  const { cursor: _, ...fields } = wantedGames(query);
  return asked('/api/games.pdn', fields);
}

/**
 * What a form asks for, in the server's words: it counts moves of both sides, and an opponent alone is a
 * player.
 * @param {Fields} form with `min_moves` and `max_moves`
 * @returns {Fields}
 */
export function fieldsOf({ min_moves: min, max_moves: max, ...form }) {
  const fields = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, value.trim()]));
  if (!fields.player) {
    fields.player = fields.opponent ?? '';
    fields.opponent = '';
  }
  if (!fields.player) Object.assign(fields, { color: '', opening: '', ending: '' });
  if (Number(min) > 0) fields.min_plies = String(Number(min) * 2 - 1);
  if (Number(max) > 0) fields.max_plies = String(Number(max) * 2);
  return wantedGames(fields);
}

/** Moves of both sides for a number of plies, as `fieldsOf` takes them. @param {string | undefined} plies */
export function movesOf(plies) {
  return plies ? String(Math.ceil(Number(plies) / 2)) : '';
}

/** @param {Tally[]} tallies @returns {Tally} */
export function sumOf(tallies) {
  const sum = { won: 0, drawn: 0, lost: 0, interrupted: 0 };
  for (const tally of tallies) {
    sum.won += tally.won;
    sum.drawn += tally.drawn;
    sum.lost += tally.lost;
    sum.interrupted += tally.interrupted;
  }
  return sum;
}

/** @param {Tally} tally */
export function gamesIn({ won, drawn, lost, interrupted }) {
  return won + drawn + lost + interrupted;
}

/** The share of points in percent; nothing without a game that was played to its end. @param {Tally} tally */
export function percentOf({ won, drawn, lost }) {
  const games = won + drawn + lost;
  return games === 0 ? null : Math.round(((won + drawn / 2) / games) * 100);
}

/** Every day or month from the first to the last, with an empty one where there were no games. @param {Part[]} periods @returns {Part[]} */
export function withoutGaps(periods) {
  const [first, last] = [periods[0], periods[periods.length - 1]];
  if (!first || !last) return [];
  const known = new Map(periods.map((period) => [period.name, period]));
  const isMonth = first.name.length === 7;
  /** @type {Part[]} */
  const all = [];
  for (let at = new Date(`${isMonth ? `${first.name}-01` : first.name}T00:00:00Z`); ;) {
    const name = at.toISOString().slice(0, first.name.length);
    all.push(known.get(name) ?? { name, games: sumOf([]) });
    if (name >= last.name) return all;
    if (isMonth) at.setUTCMonth(at.getUTCMonth() + 1);
    else at.setUTCDate(at.getUTCDate() + 1);
  }
}
