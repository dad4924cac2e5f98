/** A game from the archive as a table at which it has just ended. */

/**
 * @import {Game, Table} from './table.js'
 */

/**
 * @param {string} id
 * @param {any} record the server's document of a finished game
 * @param {Table} empty
 * @returns {Table}
 */
export function archivedTable(id, record, empty) {
  const players = [record.white, record.black];
  const bots = players.flatMap(({ name, bot }) => (bot ? [[name, bot]] : []));
  /** @type {Game} */
  const game = {
    game: record.number, id: record.id, white: record.white.name, black: record.black.name,
    start_fen: record.start_fen, moves: record.moves, fen: record.fen, ply: record.moves.length,
    turn: record.fen.startsWith('B') ? 'black' : 'white', offers: [], opening_plies: record.opening_plies,
    result: record.result, reason: record.reason, article: record.article, left: record.left, started_ms: record.started_ms,
  };
  /** @type {NonNullable<Table['info']>} */
  const info = {
    id, kind: 'custom', visibility: 'public', draw_rules: record.draw_rules, casual: false, state: 'over', seats: {},
    white_clock: record.white_clock, black_clock: record.black_clock, watchers: 0, ply: game.ply,
  };
  return { ...empty, info, game, bots: Object.fromEntries(bots) };
}
