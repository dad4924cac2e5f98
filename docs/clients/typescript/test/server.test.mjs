// Plays with real servers; CHECKERS_BIN is the directory with the programs.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import process from "node:process";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ChallengeError, Client, JoinError, MoveError, ServerError } from "checkers-client";
import { ENVIRONMENT, PATIENCE, playRandom, Server } from "./support.mjs";

const EXAMPLE = fileURLToPath(new URL("../examples/random-bot.mjs", import.meta.url));

function assertSameGame(one, other) {
  assert.ok(one.over && other.over);
  assert.deepEqual(one.moves.map(({ ply }) => ply), [...one.moves.keys()]);
  for (const field of ["number", "id", "moves", "fen", "result", "reason", "article"]) {
    assert.deepEqual(one[field], other[field], field);
  }
  assert.notEqual(one.result, "interrupted");
}

test("two clients play a game", PATIENCE, async (t) => {
  const server = await Server.start(t);
  const [white, black] = await server.pair(t, { clock: "5m+3s" });
  assert.deepEqual([white.color, black.color, white.opponent], ["white", "black", "boris"]);
  await white.table.client.until(() => white.legalMoves.length > 0);
  assert.equal(white.legalMoves.length, 7);
  assert.deepEqual(black.legalMoves, []);
  assert.equal(black.clocks.white.increment_ms, 3000);
  await Promise.all([playRandom(white), playRandom(black)]);
  await black.finished();
  assertSameGame(white, black);
});

test("a game goes on when the server is killed and started again", PATIENCE, async (t) => {
  const server = await Server.start(t);
  const [white, black] = await server.pair(t);
  let joined = 0;
  white.table.client.on("joined", () => (joined += 1));
  const games = [playRandom(white), playRandom(black)];
  await white.table.client.until(() => white.ply >= 4);
  await server.kill();
  const plies = white.ply;
  assert.ok(!white.over);
  await server.start();
  await Promise.all(games);
  await Promise.all([white.finished(), black.finished()]);
  assertSameGame(white, black);
  assert.ok(white.ply > plies);
  assert.ok(joined >= 1);
});

test("a client that is taken or unknown is refused", PATIENCE, async (t) => {
  const server = await Server.start(t);
  const anna = await server.connect(t, "anna");
  const refused = (options, code) =>
    assert.rejects(Client.connect(server.url, options), (error) => {
      assert.ok(error instanceof JoinError && error instanceof ServerError);
      assert.equal(error.code, code);
      assert.ok(error.message.length > 0);
      return true;
    });
  await refused({ name: "anna" }, "name_taken");
  await refused({ name: "" }, "bad_name");
  await refused({ name: "boris", token: "not a token" }, "bad_token");
  assert.ok(anna.online);
  await assert.rejects(anna.watch("nowhere"), { name: "ServerError", code: "no_such_table" });
  await assert.rejects(anna.quick({ rated: true }), { name: "ServerError", code: "not_rated" });
});

test("moves are refused with a reason", PATIENCE, async (t) => {
  const server = await Server.start(t);
  const [white, black] = await server.pair(t);
  const turns = white.turns();
  await turns.next();
  await assert.rejects(white.move("c3-e5"), (error) => {
    assert.ok(error instanceof MoveError);
    assert.equal(error.code, "illegal_move");
    assert.match(error.message, /c3-e5/);
    return true;
  });
  await assert.rejects(black.move("b6-a5"), { name: "MoveError", code: "not_your_turn" });
  // The same move is wanted again.
  assert.equal((await turns.next()).value.length, 7);
  assert.equal((await white.move("c3-d4")).move, "c3-d4");
  await white.resign();
  await black.finished();
  assert.deepEqual([black.result, black.reason], ["black_won", "resignation"]);
  // A move that comes too late is no error.
  assert.equal(await black.move("b6-a5"), undefined);
  assert.equal((await turns.next()).done, true);
});

test("a move into a game that ends at the same time", PATIENCE, async (t) => {
  const server = await Server.start(t);
  const [white, black] = await server.pair(t);
  const [, played] = await Promise.all([black.resign(), white.move("c3-d4")]);
  await white.finished();
  assert.equal(played?.ply, white.moves[0]?.ply);
  // A late error is not taken for the answer to the next request.
  await white.table.leave();
  assert.ok(white.table.closed);
});

test("draws, takebacks and rematches", PATIENCE, async (t) => {
  const server = await Server.start(t);
  const [white, black] = await server.pair(t);
  await white.move("c3-d4");
  await white.offer("takeback");
  await black.table.client.until(() => black.offered("takeback"));
  await black.accept("takeback");
  await white.table.client.until(() => white.ply === 0 && white.legalMoves.length === 7);
  await white.move("e3-f4");
  await black.table.client.until(() => black.ply === 1);
  await white.offerDraw();
  await black.table.client.until(() => black.offered("draw"));
  await black.decline("draw");
  await assert.rejects(white.offerDraw(), { name: "ServerError", code: "too_soon" });
  await black.offerDraw();
  await white.table.client.until(() => white.offered("draw"));
  await white.accept("draw");
  await black.finished();
  assert.deepEqual([black.result, black.reason], ["draw", "agreement"]);
  await white.offer("rematch");
  await black.table.client.until(() => black.offered("rematch"));
  await black.accept("rematch");
  const next = await black.table.nextGame();
  assert.deepEqual([next.number, next.color], [2, "white"]);
});

test("a token brings a new client back to the game", PATIENCE, async (t) => {
  const server = await Server.start(t);
  const [white, black] = await server.pair(t);
  await white.move("c3-d4");
  const { token } = white.table.client;
  await white.table.client.close({ leave: false });
  await assert.rejects(white.resign(), { name: "ConnectionFailed", code: "closed" });
  const again = await server.connect(t, "anna", { token });
  const game = await again.tables.get(white.table.id).nextGame();
  assert.deepEqual([game.color, game.ply, game.fen], ["white", 1, black.fen]);
});

test("the example plays a game against the server", PATIENCE, async (t) => {
  const server = await Server.start(t);
  const bot = spawn(process.execPath, [EXAMPLE, server.url, "anna"], { env: ENVIRONMENT });
  const [output, errors] = await Promise.all([text(bot.stdout), text(bot.stderr)]);
  assert.equal(errors, "");
  assert.match(output, /^white against Level 1\n(white_won|black_won|draw) [a-z_]+\n$/);
});

test("a quick game", PATIENCE, async (t) => {
  const server = await Server.start(t);
  const [anna, boris] = await Promise.all([server.connect(t, "anna"), server.connect(t, "boris")]);
  const [one, other] = await Promise.all([anna.quick(), boris.quick()]);
  await Promise.all([playRandom(one), playRandom(other)]);
  await Promise.all([one.finished(), other.finished()]);
  assertSameGame(one, other);
});

test("a path without WebSockets", PATIENCE, async (t) => {
  const server = await Server.start(t);
  const failed = { name: "ConnectionFailed", code: "unreachable" };
  await assert.rejects(Client.connect(`${server.url}/nowhere`, { giveUpAfterMs: 0 }), failed);
});

test("leaving the queue of quick games", PATIENCE, async (t) => {
  const server = await Server.start(t);
  const anna = await server.connect(t, "anna");
  const controller = new AbortController();
  anna.on("queued", () => controller.abort());
  await assert.rejects(anna.quick({ signal: controller.signal }), { name: "AbortError" });
  const boris = await server.connect(t, "boris");
  const waiting = boris.quick();
  // Anna does not wait any more, or they would be paired.
  await assert.rejects(Promise.all([waiting, boris.cancelQuick()]), { name: "ServerError", code: "unqueued" });
});

test("challenges", PATIENCE, async (t) => {
  const server = await Server.start(t);
  const anna = await server.connect(t, "anna");
  const boris = await server.connect(t, "boris");
  const table = await anna.challenge("boris", { clock: "1m" });
  const challenge = await boris.nextChallenge();
  assert.deepEqual([challenge.by, challenge.info.white_clock], ["anna", "1m+0s"]);
  const accepted = await challenge.accept();
  const [one, other] = await Promise.all([table.nextGame(), accepted.nextGame()]);
  assert.notEqual(one.color, other.color);
  const second = await anna.challenge("boris");
  await (await boris.nextChallenge()).decline();
  await assert.rejects(second.nextGame(), (error) => error instanceof ChallengeError && error.code === "declined");
});

test("messages, and a game against the computer", PATIENCE, async (t) => {
  const server = await Server.start(t);
  const anna = await server.connect(t, "anna");
  const table = await anna.createTable({ color: "white" });
  await table.addBot("black", { level: 1 });
  const game = await table.nextGame();
  await game.move("c3-d4");
  await table.say("hello");
  await anna.send({ type: "ping", t: 7 });
  const types = [];
  for await (const message of anna) {
    types.push(message.type);
    if (message.type !== "pong") continue;
    assert.equal(message.t, 7);
    break;
  }
  for (const type of ["joined", "table_created", "table_state", "players", "game_started", "moved", "said"]) {
    assert.ok(types.includes(type), type);
  }
});
