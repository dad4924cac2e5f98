/** Saves the conditional moves that were played on the board of the analysis. */

/** @import {App} from '../app.js' */

/** @param {App} app @param {string} game @param {string[]} lines */
export async function saveConditional(app, game, lines) {
  const { token } = app.store.state.me;
  const headers = { accept: 'application/json', 'x-problem-status': '200', ...(token && { authorization: `Bearer ${token}` }) };
  try {
    const answer = await fetch(`/api/account/correspondence/games/${game}/conditional`, { method: 'POST', headers, body: JSON.stringify({ lines }) });
    const { code } = await answer.json();
    if (code) app.notify(code === 'bad_move' ? 'study.conditionalTwice' : 'study.conditionalLate');
    else app.go('/correspondence');
  } catch {
    app.notify('error.unreachable');
  }
}
