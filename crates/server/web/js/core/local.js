/** The table of a game that the page itself keeps, for when there is no server. */

import { isOnline } from './state.js';

/**
 * @import {Message} from '../protocol.js'
 * @import {State} from './state.js'
 */

export const LOCAL = 'this-device';

/** Whether a message is for that table, or asks for a game that can be played there: against the computer. @param {Message} message @param {State} state */
export function isLocal(message, state) {
  if (message.type !== 'create_table') return message.table === LOCAL;
  const { white, black } = message.bots ?? {};
  const { status, attempt } = state.connection;
  const isBegun = status === 'connecting' && attempt === 0;
  return !isOnline(state) && !isBegun && (white ?? black)?.level != null && !(white && black);
}
