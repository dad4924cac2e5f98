/** Addresses of the page, and what they show. */

/**
 * @import {GameState} from '../protocol.js'
 *
 * @typedef {'lobby' | 'tv' | 'game' | 'embed' | 'analysis' | 'editor' | 'explorer' | 'lessons' | 'lesson' | 'help' | 'games' | 'player' | 'account' | 'ratings' | 'tournaments' | 'tournament' | 'correspondence' | 'report' | 'moderation' | 'unknown'} PageName
 * @typedef {{name: PageName, id: string | null, ply: number | null, query: {[name: string]: string}}} Route
 *   `id` of a table or a game, or a player's name; `ply` from the fragment: `#12` is after twelve moves
 */

/** A QR code takes no name that is longer in an address. */
const LONGEST_NAME = 200;

const ID = /^[A-Za-z0-9_-]{1,64}$/;
/** @type {{[segment: string]: PageName}} */
const PLAIN = { '': 'lobby', tv: 'tv', analysis: 'analysis', editor: 'editor', explorer: 'explorer', lessons: 'lessons', help: 'help', games: 'games', account: 'account', ratings: 'ratings', tournaments: 'tournaments', correspondence: 'correspondence', 'sign-in': 'account', invitation: 'account', moderation: 'moderation' };
/** @type {{[segment: string]: PageName}} */
const WITH_ID = { g: 'game', embed: 'embed', lessons: 'lesson', tournament: 'tournament' };

/**
 * @param {string} path
 * @param {string} [search]
 * @param {string} [hash]
 * @returns {Route}
 */
export function readRoute(path, search = '', hash = '') {
  const [first = '', second, ...rest] = path.split('/').slice(1);
  const number = /^#(\d{1,5})$/.exec(hash);
  const ply = number ? Number(number[1]) : null;
  const query = readQuery(search);
  const withId = WITH_ID[first];
  if (withId && second != null && ID.test(second) && rest.length === 0) return { name: withId, id: second, ply, query };
  if ((first === 'player' || first === 'report') && second && rest.length === 0) return { name: first, id: decodedPart(second), ply, query };
  const plain = second == null || second === '' ? PLAIN[first] : undefined;
  return { name: plain ?? 'unknown', id: null, ply, query };
}

/** @param {string} search such as `?lang=ru&fen=…` @returns {{[name: string]: string}} */
function readQuery(search) {
  const pairs = search.replace(/^\?/, '').split('&').filter(Boolean);
  return Object.fromEntries(pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [decoded(name), decoded(value.join('='))];
  }));
}

/** @param {string} text of a query */
function decoded(text) {
  return decodedPart(text.replace(/\+/g, ' '));
}

/** @param {string} text */
function decodedPart(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The tournament that the games of an event belong to. @param {string | undefined} event */
export function tournamentOf(event) {
  return /^tournament-(\w+)$/.exec(event ?? '')?.[1] ?? null;
}

/** Whether a tournament is shown to an audience, which needs no connection and takes none from the organiser. @param {Route} route */
export function isProjected({ name, query }) {
  return name === 'tournament' && query.view === 'projector';
}

/** The address of a player's page. @param {string} name */
export function playerPath(name) {
  return `/player/${encodeURIComponent(name)}`;
}

/** Where a code signs in to the account of this name; the code follows. @param {string} name */
export function signInAddress(name) {
  const encoded = encodeURIComponent(name);
  return `${location.origin}/sign-in${encoded.length > LONGEST_NAME ? '' : `?name=${encoded}`}#`;
}

/** Where a player is blocked or reported. @param {string} name */
export function reportPath(name) {
  return `/report/${encodeURIComponent(name)}`;
}

/** The address of a table or game. @param {string} id @param {number | null} [ply] */
export function gamePath(id, ply = null) {
  return `/g/${id}${ply == null ? '' : `#${ply}`}`;
}

/** The address of the analysis of a finished game. @param {string} id @param {number} ply the position to begin with */
export function analysisPath(id, ply) {
  return `/analysis?game=${id}#${ply}`;
}

/** The address of a game's analysis; one that is in no archive is told by its moves. @param {GameState} game @param {number} ply */
export function lookBack({ id, start_fen: fen, moves }, ply) {
  if (id) return analysisPath(id, ply);
  return `/analysis?fen=${fen}&moves=${moves.map((played) => played.move).join('+')}#${ply}`;
}

/** Where conditional moves of a game are played on a board. @param {GameState} game */
export function conditionalPath(game) {
  const { start_fen: fen, moves, id, ply } = game;
  return `/analysis?fen=${fen}&moves=${moves.map((played) => played.move).join('+')}&conditional=${id}#${ply}`;
}

/**
 * Where the server is that an address means, such as `host:43210`; without `https:` it is spoken to
 * as the page's own.
 * @param {string} address
 * @param {string} own the page's own origin
 * @returns {string | null} its origin, `null` if it is no address
 */
export function serverAt(address, own) {
  const [, scheme, host, port = ''] = /^(?:(https?|wss?):\/\/)?([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?\/?$/i.exec(address.trim()) ?? [];
  if (host == null) return null;
  const protocol = scheme ? scheme.toLowerCase().replace('ws', 'http') : own.split(':')[0];
  return `${protocol}://${host.toLowerCase()}${port}`;
}
