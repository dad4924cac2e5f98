/** What a person has chosen and the browser remembers. */

/**
 * @typedef {'en' | 'ru'} Language
 * @typedef {object} Settings
 * @property {Language} lang
 * @property {'system' | 'light' | 'dark'} theme
 * @property {'wood' | 'green' | 'grey'} board
 * @property {'letters' | 'numbers' | 'both' | 'none'} squares how squares are named on the board: a1 to h8 at its
 *   edges, 1 to 32 in the squares
 * @property {number} size of the board, in hundredths of the room there is
 * @property {boolean} sound
 * @property {boolean} animate
 * @property {boolean} phrases whether it is shown what opponents say
 * @property {boolean} notify whether the system tells that it is your move while you look elsewhere
 * @property {'always' | 'bots' | 'never'} finish when a capture with one way left is played to its end
 * @property {string} name
 */

/** Where the browser keeps them. */
export const SETTINGS_KEY = 'checkers.settings';

/** @type {{[name in keyof Settings]: readonly any[] | null}} the values allowed; `null` for a text */
const VALUES = {
  lang: ['en', 'ru'],
  theme: ['system', 'light', 'dark'],
  board: ['wood', 'green', 'grey'],
  squares: ['letters', 'numbers', 'both', 'none'],
  size: [100, 95, 90, 85, 80, 75, 70, 65, 60, 55, 50],
  sound: [true, false],
  animate: [true, false],
  phrases: [true, false],
  notify: [false, true],
  finish: ['bots', 'always', 'never'],
  name: null,
};

/**
 * @param {string | null} stored what `writeSettings` wrote, or anything
 * @param {readonly string[]} languages that the browser prefers
 * @returns {Settings}
 */
export function readSettings(stored, languages) {
  const known = parsed(stored);
  const preferred = languages.map((l) => l.slice(0, 2)).find((l) => l === 'ru' || l === 'en');
  const value = (/** @type {keyof Settings} */ name) => {
    const allowed = VALUES[name];
    return allowed?.includes(known[name]) ? known[name] : allowed?.[0];
  };
  return {
    lang: VALUES.lang?.includes(known.lang) ? known.lang : preferred === 'ru' ? 'ru' : 'en',
    theme: value('theme'),
    board: value('board'),
    squares: value('squares'),
    size: value('size'),
    sound: value('sound'),
    animate: value('animate'),
    phrases: value('phrases'),
    notify: value('notify'),
    finish: value('finish'),
    name: typeof known.name === 'string' ? known.name.slice(0, 30) : '',
  };
}

/** @param {string | null} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/** @param {Settings} settings */
export function writeSettings(settings) {
  return JSON.stringify(settings);
}

/** A name for who has not chosen one. @param {number} random from 0 to 1 */
export function guestName(random) {
  return `guest-${1000 + Math.floor(random * 9000)}`;
}
