/** Requests to the server's API with the token of a session. */

/** @param {string | null | undefined} token @param {string} method @param {string} path @param {any} [body] */
export function fetchAs(token, method, path, body) {
  const headers = { accept: 'application/json', 'x-problem-status': '200', ...(token && { authorization: `Bearer ${token}` }) };
  return fetch(path, { method, headers, ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }) });
}

/**
 * The answer, or what is wrong: it has a `code`, which is `unreachable` without a server.
 * @param {string | null | undefined} token @param {string} method @param {string} path @param {any} [body]
 * @returns {Promise<any>}
 */
export async function askAs(token, method, path, body) {
  try {
    return await (await fetchAs(token, method, path, body)).json();
  } catch {
    return { code: 'unreachable' };
  }
}
