/** Asks the server what it answers over HTTP. */

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

/**
 * The answer, or what is wrong: it has a `code`, which is `unreachable` without a server.
 * @param {string} path @param {RequestInit} [how]
 * @returns {Promise<any>}
 */
export async function ask(path, how = {}) {
  try {
    return await (await fetch(path, { ...how, headers: HEADERS })).json();
  } catch {
    return { code: 'unreachable' };
  }
}

/**
 * Hands over every line of an answer as it comes.
 * @param {string} path @param {AbortSignal | null} signal @param {(line: any) => void} take
 */
export async function askLines(path, signal, take) {
  try {
    const answer = await fetch(path, { signal, headers: HEADERS });
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
  }
}
