/** The game that a person sets up, and what to tell the server to get it. */

/**
 * @import {Color, Message} from '../protocol.js'
 *
 * @typedef {object} NewGame
 * @property {'computer' | 'friend' | 'challenge' | 'quick'} against
 * @property {number} level 1–10
 * @property {Color | 'random'} color
 * @property {string} clock one of `CLOCKS`, or `own`
 * @property {number} minutes of an own clock
 * @property {number} increment of an own clock, in seconds
 * @property {'start' | 'opening' | 'fen'} from
 * @property {string} fen
 * @property {boolean} rated
 */

/** The clocks to choose from; the empty one is none. */
export const CLOCKS = ['', '1m+1s', '3m+2s', '5m+3s', '10m+5s', '30m+20s'];

/** What has been chosen, with everything else as it is at first. @param {{[name: string]: any}} form @returns {NewGame} */
export function newGame(form) {
  return { against: 'computer', level: 3, color: 'random', clock: '', minutes: 5, increment: 3, from: 'start', fen: '', rated: false, ...form };
}

/**
 * @param {NewGame} game
 * @param {number} random from 0 to 1
 * @returns {Message}
 */
export function request(game, random) {
  const clock = clockWish(game);
  if (game.against === 'quick') return { type: 'quick', ...(clock && { clock }), ...(isRated(game) && { rated: true }) };
  const wish = { type: 'create_table', visibility: game.against === 'challenge' ? 'public' : 'link', ...(clock && { clock }), ...start(game), ...(isRated(game) && { rated: true }) };
  if (game.against !== 'computer') return { ...wish, color: game.color };
  const color = game.color === 'random' ? random < 0.5 ? 'white' : 'black' : game.color;
  const bot = { level: game.level };
  return { ...wish, color, bots: color === 'white' ? { black: bot } : { white: bot } };
}

/** Games without a clock, and from a position of one's own, are not rated. A quick game always has a clock. @param {NewGame} game */
export function isRated(game) {
  return game.rated && (game.against === 'quick' || (game.clock !== '' && game.from !== 'fen'));
}

/** A game that two computers of a level play. @param {NewGame} game @returns {Message} */
export function botsOnly(game) {
  const bot = { level: game.level };
  return { type: 'create_table', visibility: 'public', ...start(game), bots: { white: bot, black: bot } };
}

/** @param {NewGame} game */
function clockWish(game) {
  if (game.clock !== 'own') return game.clock;
  const minutes = within(game.minutes, 1, 180);
  return `${minutes}m+${within(game.increment, 0, 180)}s`;
}

/** @param {number} value @param {number} least @param {number} most */
function within(value, least, most) {
  return Math.min(most, Math.max(least, Math.round(value) || least));
}

/** @param {NewGame} game */
function start(game) {
  if (game.from === 'opening') return { opening: 'random' };
  return game.from === 'fen' && game.fen.trim() ? { start_fen: game.fen.trim() } : {};
}
