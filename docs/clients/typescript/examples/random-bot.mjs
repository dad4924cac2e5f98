// A bot that plays random moves against the easiest level: node random-bot.mjs ws://127.0.0.1:43210 my-name

import process from "node:process";
import { Client } from "checkers-client";

const [url, name] = process.argv.slice(2);
const client = await Client.connect(url, { name });
const table = await client.createTable({ color: "white", bots: { black: { level: 1 } } });
const game = await table.nextGame();
console.log(`${game.color} against ${game.opponent}`);
for await (const legalMoves of game.turns()) {
  await game.move(legalMoves[Math.floor(Math.random() * legalMoves.length)].move);
}
console.log(game.result, game.reason);
await client.close();
