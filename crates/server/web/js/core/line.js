/** A line of moves that belongs to no table: as one, and as an address. */

import { readFen, START } from '../game/pieces.js';
import { written } from '../game/tree.js';
import { asked } from '../net/ask.js';
import { emptyTable } from './table.js';

/**
 * @import {PlayedMove} from '../protocol.js'
 * @import {Table} from './table.js'
 */

/** @param {string} start @param {{[name: string]: string}} names @returns {Table} */
export function gameTable(start, { white = '', black = '' }) {
  const { turn } = readFen(start);
  const game = { game: 0, white, black, start_fen: start, moves: [], fen: start, ply: 0, turn, offers: [] };
  return { ...emptyTable('analysis'), game };
}

/** Where a line is found again. @param {string} start @param {PlayedMove[]} moves @param {{white?: string, black?: string}} names */
export function studyPath(start, moves, { white, black }) {
  return asked('/analysis', { fen: start === START ? null : start, moves: written(moves), white, black });
}

/** A name, unless PDN says that it is not known. @param {string | null | undefined} name */
export function named(name) {
  return name == null || name === '?' ? '' : name;
}
