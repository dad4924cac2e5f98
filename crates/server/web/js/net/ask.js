/** Questions to the server's API; the engine in the browser answers some of them as well. */

/** @import {Engine} from '../engine/engine.js' */

/** A mistake is told in the answer itself: it is no failure of the page. */
const HEADERS = { accept: 'application/json', 'x-problem-status': '200' };

/**
 * The path of a question; what is empty is left out.
 * @param {string} path @param {{[name: string]: string | number | null | undefined}} query
 */
export function asked(path, query) {
  const pairs = Object.entries(query).filter(([, value]) => value != null && value !== '');
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replace(/%20/g, '+').replace(/%3A/g, ':').replace(/%2C/g, ',')}`);
  return text.length > 0 ? `${path}?${text.join('&')}` : path;
}

/** What the engine answers too; the server may have tables of more pieces. */
const OF_RULES = ['legal', 'premoves'];
const OF_ENGINE = [...OF_RULES, 'tablebase', 'analysis'];
/** Parameters that are numbers. */
const NUMBERS = ['time', 'depth', 'lines'];

/** @type {Engine | null} once it is loaded */
let loaded = null;

/** The engine in the browser; null if it cannot be loaded now. @returns {Promise<Engine | null>} */
export async function loadEngine() {
  try {
    loaded = (await import('../engine/engine.js')).engine;
  } catch {
    // It may have been loaded before.
  }
  return loaded;
}

/**
 * The answer, or what is wrong: it has a `code`, which is `unreachable` without a server. The engine knows the
 * rules and is nearer; of the rest it answers what the server cannot be asked.
 * @param {string} path @param {RequestInit} [how]
 * @returns {Promise<any>}
 */
export async function ask(path, how = {}) {
  const question = questionOf(path);
  if (question && loaded?.isReady && OF_RULES.includes(question.about)) {
    const answer = await loaded.ask(question);
    if (answer.code !== 'unreachable') return answer;
  }
  try {
    return await (await fetch(path, { ...how, headers: HEADERS })).json();
  } catch {
    const local = question && !how.signal?.aborted ? await loadEngine() : null;
    return local ? local.ask(question) : { code: 'unreachable' };
  }
}

/** What a path asks the engine; null if it answers no such thing. @param {string} path @returns {any} */
function questionOf(path) {
  const [where = '', query] = path.split('?');
  const about = where.replace('/api/', '');
  if (!OF_ENGINE.includes(about)) return null;
  const pairs = (query ?? '').split('&').filter(Boolean).map((pair) => {
    const [name = '', value = ''] = pair.split('=');
    return [name, NUMBERS.includes(name) ? Number(value) : decodeURIComponent(value.replace(/\+/g, ' '))];
  });
  return { about, ...Object.fromEntries(pairs) };
}

/**
 * Hands over every line of an answer as it comes.
 * @param {string} path @param {AbortSignal | null} signal @param {(line: any) => void} take
 */
export async function askLines(path, signal, take) {
  let hasAnswered = false;
  try {
    const answer = await fetch(path, { signal, headers: HEADERS });
    hasAnswered = true;
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const part = await reader?.read();
      if (!part || part.done) return;
      const lines = (text + part.value).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) take(JSON.parse(line));
    }
  } catch {
    // What has come so far is what there is.
    if (!hasAnswered && !signal?.aborted) await analyseLocally(path, signal, take);
  }
}

/** Has the engine look at every position of a game. @param {string} path @param {AbortSignal | null} signal @param {(line: any) => void} take */
async function analyseLocally(path, signal, take) {
  const { moves = '', ...question } = questionOf(path.replace('/game?', '?')) ?? {};
  const played = moves.split(' ').filter(Boolean);
  const local = await loadEngine();
  for (let ply = 0; local && question.about && ply <= played.length; ply += 1) {
    const answer = await local.ask({ ...question, moves: played.slice(0, ply).join(' ') });
    if (signal?.aborted || answer.code) return;
    take(answer);
  }
}
