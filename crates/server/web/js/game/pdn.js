/** A game as PDN text, from the moves as the server wrote them. */

import { START } from './pieces.js';

/** @import {Table} from '../core/table.js' */

const RESULTS = { white_won: '1-0', black_won: '0-1', draw: '1/2-1/2', interrupted: '*' };
const LINE_LENGTH = 79;

/**
 * @param {Table} table
 * @returns {string}
 */
export function pdnText(table) {
  const { game } = table;
  if (!game) return '';
  const result = game.result ? RESULTS[game.result] : '*';
  const tags = [
    tag('GameType', '25,W,8,8,A0,0'),
    tag('White', game.white || '?'),
    tag('Black', game.black || '?'),
    tag('Result', result),
    ...(game.start_fen !== START ? [tag('SetUp', '1'), tag('FEN', game.start_fen)] : []),
  ];
  return `${tags.join('\n')}\n\n${wrap([...numbered(game), result])}\n`;
}

/** @param {string} name @param {string} value */
function tag(name, value) {
  return `[${name} "${value.replace(/[\\"]/g, '\\$&')}"]`;
}

/** @param {NonNullable<Table['game']>} game */
function numbered({ moves }) {
  const skip = moves[0]?.color === 'black' ? 1 : 0;
  return moves.flatMap((move, i) => {
    const number = Math.floor((i + skip) / 2) + 1;
    if (move.color === 'white') return [`${number}.`, move.move];
    return i === 0 ? [`${number}...`, move.move] : [move.move];
  });
}

/** @param {string[]} words */
function wrap(words) {
  const lines = [''];
  for (const word of words) {
    const line = lines[lines.length - 1] ?? '';
    if (line && line.length + 1 + word.length > LINE_LENGTH) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join('\n');
}
