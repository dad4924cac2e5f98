/** How a game ended, in words. */

/**
 * @import {Table} from '../core/table.js'
 * @import {Translate} from '../i18n/words.js'
 */

/** `White won: Black had no move left`. @param {Table} table @param {Translate} t */
export function resultText(table, t) {
  const { game } = table;
  if (!game || game.result == null) return '';
  if (game.reason === 'aborted') return t('result.aborted');
  return `${t(`result.${game.result}`)}: ${reasonText(table, t)}`;
}

/** Of a won game, what the loser has done. @param {Table} table @param {Translate} t */
export function reasonText({ game, you }, t) {
  if (!game?.reason || game.reason === 'aborted') return '';
  const loser = game.result === 'white_won' ? 'black' : 'white';
  const [key, told] = [`reason.${game.reason}`, `ended.${game.reason}`];
  const text = t(told, { side: t(`side.${loser === you ? 'you' : loser}`) });
  const reason = text === told ? t(key) : text;
  return game.article ? `${reason} (${t('reason.article', { article: game.article })})` : reason;
}

/** Whether anything was played after the opening. @param {Table} table */
export function isPlayed({ game }) {
  return game != null && game.moves.length > (game.opening_plies ?? 0);
}

/** For a player: won, lost or drawn. @param {Table} table @param {Translate} t */
export function ownResult(table, t) {
  const { game, you } = table;
  if (!game?.result) return '';
  if (game.reason === 'aborted') return t('result.aborted');
  if (!you || game.result === 'draw' || game.result === 'interrupted') return t(`result.${game.result}`);
  return t(game.result === `${you}_won` ? 'result.youWon' : 'result.youLost');
}
