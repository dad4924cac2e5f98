/** A game as PDN text, from the moves as the server wrote them. */

import { START } from './pieces.js';

/**
 * @import {PlayedMove} from '../protocol.js'
 * @import {Table} from '../core/table.js'
 * @import {Notes} from './tree.js'
 *
 * @typedef {{move: PlayedMove | null, children: number[], notes?: Notes}} PdnNode
 * @typedef {object} More what else is known of a game
 * @property {string} [site] where it is found
 * @property {PdnNode[]} [tree] its moves with variations and notes; without it, those of the table
 * @property {{[name: string]: string}} [tags]
 * @property {string} [result] as PDN has it
 */

const RESULTS = { white_won: '1-0', black_won: '0-1', draw: '1/2-1/2', interrupted: '*' };
const LINE_LENGTH = 79;
/** Tags with a place of their own. */
const FIRST = ['Event', 'Site', 'Date', 'Round', 'White', 'Black'];
/** @type {{[unit: string]: number}} in milliseconds */
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** @param {Table} table @param {More} [more] */
export function pdnText(table, { site = '?', tree, tags = {}, result: told } = {}) {
  const { game, info } = table;
  if (!game) return '';
  const result = told ?? (game.result ? RESULTS[game.result] : '*');
  const clocks = /** @type {const} */ (['white', 'black']).map((color) => info?.[`${color}_clock`]);
  /** @type {{[name: string]: string | undefined}} */
  const known = {
    Event: info ? `table ${info.id}` : undefined,
    Site: site,
    Date: info ? new Date(game.started_ms ?? Date.now()).toISOString().slice(0, 10).replace(/-/g, '.') : '????.??.??',
    Round: game.game ? String(game.game) : undefined,
    White: game.white,
    Black: game.black,
    ...tags,
  };
  const { TimeControl = info ? timeControl(clocks) : undefined, ...others } = known;
  const lines = [
    ...FIRST.map((name) => tag(name, others[name] || '?')),
    tag('Result', result),
    tag('GameType', '25,W,8,8,A0,0'),
    ...(game.start_fen !== START ? [tag('SetUp', '1'), tag('FEN', game.start_fen)] : []),
    ...(TimeControl ? [tag('TimeControl', TimeControl)] : []),
    ...Object.entries(others).flatMap(([name, value]) => (FIRST.includes(name) || value == null ? [] : [tag(name, value)])),
    ...(game.reason === 'time' && !others['Termination'] ? [tag('Termination', 'time forfeit')] : []),
  ];
  const nodes = tree ?? chain(game.moves, clocks);
  return `${lines.join('\n')}\n\n${wrap([...comment(nodes[0]?.notes), ...words(nodes, 0, true), result])}\n`;
}

/** @param {string} name @param {string} value */
function tag(name, value) {
  return `[${name} "${value.replace(/[\\"]/g, '\\$&')}"]`;
}

/** The clocks of both sides as PDN has them: in seconds; `?` is what it has no form for. @param {(string | undefined)[]} clocks */
function timeControl([white, black]) {
  if (!white && !black) return '-';
  const parts = white === black ? readClock(white) : null;
  if (!parts) return '?';
  if (parts.perMove) return `1/${parts.base / 1000}`;
  return `${parts.base / 1000}${parts.more ? `+${parts.more / 1000}` : ''}`;
}

/** A clock with an increment or a time for each move, in milliseconds. @param {string | undefined} text such as `5m+3s` */
function readClock(text) {
  const [, base, more = '0s', perMove] = /^([\d.]+(?:ms|s|m|h))(?:\+([\d.]+(?:ms|s|m|h)))?(\/move)?$/.exec(text ?? '') ?? [];
  return base == null ? null : { base: milliseconds(base), more: milliseconds(more), perMove: perMove != null };
}

/** @param {string} time */
function milliseconds(time) {
  const [, number, unit = 's'] = /^([\d.]+)(\w+)$/.exec(time) ?? [];
  return Number(number) * (UNITS[unit] ?? 1000);
}

/** Moves without variations, each with what was left on its side's clock. @param {PlayedMove[]} moves @param {(string | undefined)[]} clocks @returns {PdnNode[]} */
function chain(moves, clocks) {
  const [white, black] = clocks.map(readClock);
  const left = { white: white?.base ?? 0, black: black?.base ?? 0 };
  const nodes = moves.map((move, i) => {
    const clock = move.color === 'white' ? white : black;
    if (clock && !clock.perMove) left[move.color] = Math.max(0, left[move.color] - (move.elapsed_ms ?? 0)) + clock.more;
    const notes = clock && !clock.perMove ? { clock_ms: left[move.color] } : undefined;
    return { move, children: i + 1 < moves.length ? [i + 2] : [], notes };
  });
  return [{ move: null, children: moves.length > 0 ? [1] : [] }, ...nodes];
}

/** The line behind a node; Black's move has a number where the text begins with it. @param {PdnNode[]} tree @param {number} from @param {boolean} isFirst @param {number} [depth] in plies @returns {string[]} */
function words(tree, from, isFirst, depth = plyOf(tree)) {
  const text = [];
  for (let [at, ...others] = tree[from]?.children ?? []; at != null; [at, ...others] = tree[at]?.children ?? []) {
    text.push(...played(tree[at], isFirst, depth));
    for (const other of others) text.push(...aside(tree, other, depth));
    isFirst = false;
    depth += 1;
  }
  return text;
}

/** Half moves before the first one: one if Black begins. @param {PdnNode[]} tree */
function plyOf(tree) {
  return tree[tree[0]?.children[0] ?? 0]?.move?.color === 'black' ? 1 : 0;
}

/** @param {PdnNode | undefined} node @param {boolean} isFirst @param {number} depth */
function played(node, isFirst, depth) {
  if (!node?.move) return [];
  const number = Math.floor(depth / 2) + 1;
  const numbered = depth % 2 === 0 ? [`${number}.`] : isFirst ? [`${number}...`] : [];
  return [...numbered, node.move.move, ...(node.notes?.nags ?? []).map((nag) => `$${nag}`), ...comment(node.notes)];
}

/** A variation that begins with this node. @param {PdnNode[]} tree @param {number} at @param {number} depth */
function aside(tree, at, depth) {
  const before = tree[at]?.notes?.before;
  const text = [...(before ? [braced(before)] : []), ...played(tree[at], true, depth),
    ...words(tree, at, false, depth + 1)];
  return text.map((word, i) => `${i === 0 ? '(' : ''}${word}${i === text.length - 1 ? ')' : ''}`);
}

/** @param {Notes | undefined} notes */
function comment(notes) {
  const text = [notes?.clock_ms != null ? `[%clk ${clkText(notes.clock_ms)}]` : '', notes?.comment ?? ''].filter(Boolean).join(' ');
  return text ? [braced(text)] : [];
}

/** @param {string} text */
function braced(text) {
  return `{${text.replace(/\{/g, '(').replace(/\}/g, ')')}}`;
}

/** @param {number} ms */
function clkText(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  const rest = ms % 1000 === 0 ? '' : `.${String(Math.floor(ms % 1000)).padStart(3, '0').replace(/0+$/, '')}`;
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${rest}`;
}

/** @param {string[]} words */
function wrap(words) {
  const lines = [''];
  // A command such as `[%clk 0:01:00]` stays on one line, where simple readers look for it.
  for (const word of words.flatMap((word) => word.match(/\S*\[%[^\]\s]*\s[^\]\s]*\]\S*|\S+/g) ?? [])) {
    const line = lines[lines.length - 1] ?? '';
    if (line && line.length + 1 + word.length > LINE_LENGTH && !/^[[%]/.test(word)) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join('\n');
}
