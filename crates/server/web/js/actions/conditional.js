/** Conditional moves on the board of the analysis: reads those that were saved, and saves what is played there. */

import { besides, readMoves } from '../core/line.js';
import { branch, line } from '../game/tree.js';
import { askAs } from '../net/signed.js';

/**
 * @import {App} from '../app.js'
 * @import {Tree} from '../game/tree.js'
 */

/** Reads the lines of a game, or replaces them. @param {App} app @param {string} game @param {string[]} [lines] */
function askConditional(app, game, lines) {
  const path = `/api/account/correspondence/games/${game}/conditional`;
  return askAs(app.identity.recall()?.token, lines ? 'POST' : 'GET', path, lines && { lines });
}

/**
 * A game with the line of its address, and with the conditional moves that were saved: saving replaces them all.
 * @param {App} app @param {{[name: string]: string}} query @param {Tree} game @param {string} fen
 * @returns {Promise<{tree: Tree, at: number, hasSaved: boolean}>}
 */
export async function withSaved(app, query, game, fen) {
  const opened = await besides(game, fen, query.line);
  if (!query.conditional) return { ...opened, hasSaved: false };
  const { lines } = await askConditional(app, query.conditional);
  const main = line(game);
  const from = main[main.length - 1] ?? 0;
  let { tree } = opened;
  for (const text of lines ?? []) {
    const played = await readMoves(fen, tree, from, text.split(' '));
    if (!played) return { ...opened, hasSaved: false };
    tree = branch(tree, from, played).tree;
  }
  return { tree, at: opened.at, hasSaved: lines != null };
}

/** @param {App} app @param {string} game @param {string[]} lines */
export async function saveConditional(app, game, lines) {
  const { code } = await askConditional(app, game, lines);
  if (code) app.notify(code === 'unreachable' ? 'error.unreachable' : 'study.conditionalLate');
  else app.go('/correspondence');
}
