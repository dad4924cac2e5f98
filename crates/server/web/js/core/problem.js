/** What the server finds wrong with a text, in words. */

/**
 * @import {Translate} from '../i18n/words.js'
 *
 * @typedef {{code: string, line?: number, column?: number, detail?: {kind: string, moves?: string[], [name: string]: any}}} Problem
 */

/** What one may be told besides what is wrong with a text. @type {{[code: string]: string}} */
const OTHERS = { not_found: 'game.missing', no_archive: 'game.missing', unreachable: 'error.unreachable', busy: 'study.silent.busy' };

/** Where it is and what it is. @param {Problem} problem @param {Translate} t */
export function problemText({ code, line, column, detail }, t) {
  const place = line != null ? t('problem.line', { line, column }) : column != null ? t('problem.column', { column }) : '';
  const isSyntax = detail == null || detail.kind === 'syntax';
  const key = OTHERS[code] ?? (isSyntax ? `problem.${code}` : `problem.${detail.kind}`);
  const told = t(key, { ...detail, moves: detail?.moves?.join(', '), reason: detail?.reason && t(`reason.${detail.reason}`) });
  return place + (told === key ? t('error.other', { code }) : told);
}
