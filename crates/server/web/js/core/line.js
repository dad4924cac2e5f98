/** A line of moves that belongs to no table: as one, and as an address. */

import { readFen, START } from '../game/pieces.js';
import { branch, line, movesTo, path, through, written } from '../game/tree.js';
import { ask, asked } from '../net/ask.js';
import { archivedTable } from './archived.js';
import { readRoute } from './route.js';
import { emptyTable, isRunning, other } from './table.js';

/**
 * @import {PlayedMove} from '../protocol.js'
 * @import {StudyPage} from '../actions/study.js'
 * @import {Tree} from '../game/tree.js'
 * @import {Table} from './table.js'
 */

/** How the server names its levels at a table; the second of a kind has a number. */
const LEVEL_NAME = /^Level (\d+)(?: \(\d+\))?$/;

/** @param {string} start @param {{[name: string]: string}} names @returns {Table} */
export function gameTable(start, { white = '', black = '' }) {
  const { turn } = readFen(start);
  const game = { game: 0, white, black, start_fen: start, moves: [], fen: start, ply: 0, turn, offers: [] };
  const bots = [white, black].flatMap((name) => {
    const level = LEVEL_NAME.exec(name)?.[1];
    return level ? [[name, `level:${level}`]] : [];
  });
  return { ...emptyTable('analysis'), game, bots: Object.fromEntries(bots) };
}

/** Where a line is found again. @param {string} start @param {PlayedMove[]} moves @param {{white?: string, black?: string}} names */
export function studyPath(start, moves, { white, black }) {
  return asked('/analysis', { fen: start === START ? null : start, moves: written(moves), white, black });
}

/** The nodes of the main line that was opened. @param {Pick<StudyPage, 'tree' | 'opened'>} page */
export function openedLine({ tree, opened }) {
  return line(tree).filter((id) => id < opened);
}

/**
 * Where the node in view is found again, without its ply. Moves that are not part of the main line that was
 * opened are `line`: the ply that they follow, and the moves.
 * @param {Pick<StudyPage, 'key' | 'tree' | 'at' | 'opened' | 'table'>} page
 */
export function studyAddress(page) {
  const { key, tree, at, table } = page;
  const main = openedLine(page);
  const query = { ...readRoute('/analysis', key).query };
  delete query.line;
  if (main.includes(at)) return asked('/analysis', query);
  const way = through(tree, at);
  if (main.length === 1 && table.game) return studyPath(table.game.start_fen, movesTo(tree, way[way.length - 1] ?? 0), table.game);
  const from = way.findIndex((id) => !main.includes(id));
  return asked('/analysis', { ...query, line: `${from - 1} ${written(way.slice(from).flatMap((id) => tree[id]?.move ?? []))}` });
}

/** The node of an address: after so many moves of the way to `end`. @param {Tree} tree @param {number} end @param {number | null} ply */
export function nodeAt(tree, end, ply) {
  const way = path(tree, end);
  return way[Math.min(ply ?? 0, way.length - 1)] ?? 0;
}

/**
 * The table that an address of the analysis means, or what is wrong with it.
 * @param {{[name: string]: string}} query @param {Table[]} seen tables that are known here
 * @returns {Promise<any>}
 */
export async function openedTable(query, seen) {
  if (query.game) {
    const known = seen.find((table) => table.game?.id === query.game && !isRunning(table));
    if (known) return known;
    const record = await ask(`/api/games/${encodeURIComponent(query.game)}`);
    return record.code ? record : archivedTable(query.game, record, emptyTable('analysis'));
  }
  const answer = await ask(asked('/api/legal', { fen: query.fen, moves: query.moves }));
  if (answer.code) return answer;
  const table = gameTable(query.fen ?? START, query);
  // Conditional moves are those of the side that has just moved.
  const you = query.conditional ? answer.played.at(-1)?.color ?? other(table.game?.turn ?? 'white') : null;
  return { ...table, you, game: { ...table.game, moves: answer.played } };
}

/** The table of a game that was read from a text. @param {any} answer @param {{[name: string]: string}} query @returns {Table} */
export function readTable({ start_fen: start, moves }, query) {
  const table = gameTable(start, query);
  return table.game ? { ...table, game: { ...table.game, moves } } : table;
}

/** Moves from a node on, with their squares. @param {string | undefined} fen @param {Tree} tree @param {number} from @param {string[]} moves @returns {Promise<PlayedMove[] | undefined>} */
export async function readMoves(fen, tree, from, moves) {
  const before = movesTo(tree, from);
  const { played } = await ask(asked('/api/legal', { fen, moves: `${written(before)} ${moves.join(' ')}`.trim() }));
  return played?.slice(before.length);
}

/** A game with the side line of an address, and where that ends. @param {Tree} game @param {string} fen @param {string | undefined} text */
export async function besides(game, fen, text) {
  const main = line(game);
  const [ply, ...moves] = text?.split(' ') ?? [];
  const from = moves.length > 0 ? main[Number(ply)] : undefined;
  const played = from == null ? null : await readMoves(fen, game, from, moves);
  return played && from != null ? branch(game, from, played) : { tree: game, at: main[main.length - 1] ?? 0 };
}

/** A name, unless PDN says that it is not known. @param {string | null | undefined} name */
export function named(name) {
  return name == null || name === '?' ? '' : name;
}
