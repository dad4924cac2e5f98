/** Games by correspondence that wait for the own move: how many there are, for the front page and the title. */

import { askAs } from '../net/signed.js';

/** @import {App} from '../app.js' */

/** So often it is asked again, in milliseconds. */
const TURNS_AGAIN_MS = 60_000;

/** Keeps up with the games. @param {App} app */
export function followTurns(app) {
  let asked = '';
  const load = async () => {
    const { me, route } = app.store.state;
    if (!me.joined || !me.account || !me.token || route.name === 'embed') return;
    const answer = await askAs(me.token, 'GET', '/api/account/correspondence');
    // What is known stays if the server does not say.
    if (answer.games) app.store.set({ turns: countTurns(answer) });
  };
  const follow = () => {
    const { me, route } = app.store.state;
    const key = `${me.joined && me.account} ${me.token} ${route.name}`;
    if (key === asked) return;
    asked = key;
    if (!me.account) app.store.set({ turns: 0 });
    load();
  };
  app.store.subscribe(follow);
  setInterval(load, TURNS_AGAIN_MS);
}

/** What waits for the player: moves, and answers to challenges. @param {{games?: {your_turn: boolean}[], challenges?: {received: boolean}[]}} overview */
export function countTurns({ games = [], challenges = [] }) {
  return games.filter((game) => game.your_turn).length + challenges.filter((challenge) => challenge.received).length;
}
