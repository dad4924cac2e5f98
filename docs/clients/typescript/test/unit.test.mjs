// Tests without a server: what it would send is scripted.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "checkers-client";
import { Backoff } from "../dist/backoff.js";

const PATIENCE = { timeout: 60_000 };
const PLAYERS = { white: "anna", black: "boris" };
const STATE = { game: 1, id: "t-1", seq: 4, ...PLAYERS, start_fen: "start", moves: [], fen: "start" };
const TABLE_STATE = { type: "table_state", table: "t", info: { id: "t" }, server_ms: 0 };
const LEGAL = [{ move: "c3-d4" }, { move: "e3-f4" }];

/** A WebSocket whose other side is the test. */
class FakeSocket {
  static all = [];
  sent = [];

  constructor(url) {
    if (!url.startsWith("ws")) throw new SyntaxError(`bad address ${url}`);
    FakeSocket.all.push(this);
    setImmediate(() => this.onopen?.());
  }

  static get last() {
    return FakeSocket.all.at(-1);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.closed = true;
  }

  receive(...messages) {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) });
  }

  drop(code = 1006, reason = "") {
    this.onclose?.({ code, reason });
  }

  /** Waits for a message of a type that was not returned before. */
  async next(type) {
    for (;;) {
      const index = this.sent.findIndex((message) => message.type === type);
      if (index >= 0) return this.sent.splice(index, 1)[0];
      await pause(1);
    }
  }

  async join(fields = {}) {
    const message = await this.next("join");
    this.receive({ type: "joined", name: "anna", protocol: 1, token: "0123", draw_rules: "fmjd64", ...fields });
    return message;
  }
}

globalThis.WebSocket = FakeSocket;

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The next connection, as soon as the client has made it. */
async function nextSocket() {
  const last = FakeSocket.last;
  while (FakeSocket.last === last) await pause(1);
  return FakeSocket.last;
}

async function connected(t, options = {}) {
  const connecting = Client.connect("ws://host", { name: "anna", ...options });
  const socket = FakeSocket.last;
  await socket.join();
  const client = await connecting;
  t.after(() => client.close({ leave: false }));
  return [client, socket];
}

/** A client with White in a game, whose move it is. */
async function playing(t) {
  const [client, socket] = await connected(t);
  const watching = client.watch("t");
  await socket.next("watch");
  socket.receive({ ...TABLE_STATE, you: "white", state: { ...STATE, ply: 0, turn: "white" }, legal_moves: LEGAL });
  const game = await (await watching).nextGame();
  return [client, socket, game];
}

function moved(ply, move, seq = ply + 5) {
  const color = ply % 2 ? "black" : "white";
  const turn = ply % 2 ? "white" : "black";
  const played = { ply, color, move, squares: [], captures: [], promotes: false, elapsed_ms: 1 };
  return { type: "moved", table: "t", game: 1, seq, played, fen: `fen ${ply + 1}`, turn };
}

test("pauses double, differ and have a limit", () => {
  const backoff = new Backoff();
  for (const longest of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    const found = backoff.pause();
    assert.ok(found >= longest / 2 && found <= longest, `${found} of ${longest}`);
  }
  backoff.reset();
  backoff.hint(5000);
  const hinted = backoff.pause();
  assert.ok(hinted >= 5000 && hinted <= 5250, `${hinted}`);
  assert.ok(backoff.pause() <= 1000);
});

test("the messages that wait are bounded", PATIENCE, async (t) => {
  const [client, socket] = await connected(t);
  for (let count = 0; count < 300; count += 1) socket.receive({ type: "watchers", table: "t", count });
  await client.close({ leave: false });
  const counts = [];
  for await (const message of client) counts.push(message.count);
  assert.equal(counts.length, 256);
  assert.deepEqual([counts[0], counts.at(-1)], [44, 299]);
  // 300, and `joined`.
  assert.equal(client.dropped, 45);
});

test("subscriptions get messages of their type until they end", PATIENCE, async (t) => {
  const [client, socket] = await connected(t);
  const counts = [];
  const stop = client.on("watchers", ({ count }) => counts.push(count));
  let changes = 0;
  client.onChange(() => (changes += 1));
  socket.receive({ type: "watchers", table: "t", count: 1 }, { type: "unqueued" });
  stop();
  socket.receive({ type: "watchers", table: "t", count: 2 });
  assert.deepEqual(counts, [1]);
  assert.equal(changes, 3);
  // Later versions of the protocol may have more types.
  socket.receive({ type: "of_a_later_version" });
  assert.equal(changes, 3);
  assert.ok(client.online);
});

test("requests are sent one after the other, and get their own errors", PATIENCE, async (t) => {
  const [client, socket] = await connected(t);
  const first = assert.rejects(client.watch("a"), { name: "ServerError", code: "no_such_table", message: "no a" });
  const second = client.watch("t");
  assert.equal((await socket.next("watch")).table, "a");
  assert.ok(!socket.sent.some(({ type }) => type === "watch"));
  socket.receive({ type: "error", code: "no_such_table", message: "no a" });
  await first;
  assert.equal((await socket.next("watch")).table, "t");
  socket.receive(TABLE_STATE);
  assert.equal((await second).id, "t");
});

test("a client comes back to its tables, and plays a move once", PATIENCE, async (t) => {
  const [client, socket, game] = await playing(t);
  const refused = assert.rejects(game.offerDraw(), { name: "ConnectionFailed", code: "disconnected" });
  await socket.next("offer_draw");
  socket.drop();
  await refused;
  assert.ok(!client.online);
  const move = game.move("c3-d4");
  let again = await nextSocket();
  assert.equal((await again.join()).token, "0123");
  assert.equal((await again.next("watch")).table, "t");
  again.receive({ ...TABLE_STATE, you: "white", state: { ...STATE, ply: 0, turn: "white" }, legal_moves: LEGAL });
  const sent = await again.next("move");
  assert.deepEqual([sent.table, sent.game, sent.ply, sent.move], ["t", 1, 0, "c3-d4"]);
  // The server has played it, but the answer is lost.
  again.drop(1012, "restarting");
  again = await nextSocket();
  await again.join();
  await again.next("watch");
  const { played } = moved(0, "c3-d4");
  again.receive({ ...TABLE_STATE, you: "white", state: { ...STATE, seq: 5, moves: [played], ply: 1, turn: "black" } });
  assert.deepEqual(await move, played);
  assert.equal(client.tables.get("t").game, game);
  assert.ok(!again.sent.some(({ type }) => type === "move"));
});

test("the opponent's move is not taken for one's own", PATIENCE, async (t) => {
  const [, socket, game] = await playing(t);
  socket.receive(moved(0, "c3-d4"));
  const refused = assert.rejects(game.move("e3-f4"), { name: "MoveError", code: "not_your_turn" });
  socket.receive(moved(1, "b6-a5"));
  await refused;
  assert.ok(!socket.sent.some(({ type }) => type === "move"));
});

test("a move that cannot be stored is sent again when the server asks", PATIENCE, async (t) => {
  const [, socket, game] = await playing(t);
  const move = game.move("c3-d4");
  const { id } = await socket.next("move");
  socket.receive({ type: "error", code: "not_stored", message: "the disk is full" });
  socket.receive({ type: "your_turn", table: "t", game: 1, ply: 0, fen: "start", legal_moves: LEGAL });
  assert.equal((await socket.next("move")).id, id);
  socket.receive(moved(0, "c3-d4"));
  assert.equal((await move).move, "c3-d4");
});

test("events apply once, and a missing one is asked for", PATIENCE, async (t) => {
  const [, socket, game] = await playing(t);
  socket.receive(moved(0, "c3-d4"), moved(0, "c3-d4"));
  assert.deepEqual([game.ply, game.fen, game.turn, game.legalMoves], [1, "fen 1", "black", []]);
  socket.receive(moved(2, "e3-f4"));
  assert.equal(game.ply, 1);
  assert.equal((await socket.next("sync")).table, "t");
});

test("the error of a move that came too late is not taken for another answer", PATIENCE, async (t) => {
  const [, socket, game] = await playing(t);
  const move = game.move("c3-d4");
  await socket.next("move");
  const end = { result: "white_won", reason: "resignation", ply: 0, fen: "start" };
  socket.receive({ type: "game_over", table: "t", game: 1, id: "t-1", seq: 5, ...end });
  assert.equal(await move, undefined);
  const leaving = game.table.leave();
  await socket.next("unwatch");
  socket.receive({ type: "error", code: "no_game", message: "no game is running" });
  socket.receive({ type: "unwatched", table: "t" });
  await leaving;
});

test("the next game is one that was not returned before", PATIENCE, async (t) => {
  const [, socket, game] = await playing(t);
  const next = game.table.nextGame();
  await pause(1);
  socket.receive({ type: "game_started", table: "t", ...STATE, game: 2, ply: 0, turn: "white" });
  assert.equal((await next).number, 2);
  assert.equal(game.result, "interrupted");
});

test("a client that was replaced or closed for good does not come back", PATIENCE, async (t) => {
  for (const [code, reason] of [[4002, "replaced"], [1008, "closed"]]) {
    const [client, socket] = await connected(t);
    const waiting = assert.rejects(client.nextChallenge(), { name: "ConnectionFailed", code: reason });
    socket.drop(code);
    await waiting;
    await pause(700);
    assert.equal(FakeSocket.last, socket);
    await assert.rejects(client.send({ type: "tv" }), { code: reason });
  }
});

test("a message that is not of the protocol ends the client", PATIENCE, async (t) => {
  const [client, socket] = await connected(t);
  const waiting = assert.rejects(client.watch("t"), { name: "ConnectionFailed", code: "protocol" });
  await socket.next("watch");
  socket.onmessage({ data: "no JSON" });
  await waiting;
  assert.ok(socket.closed);
});

test("a signal ends a client, also while it connects", PATIENCE, async (t) => {
  const connecting = new AbortController();
  const refused = assert.rejects(Client.connect("ws://host", { signal: connecting.signal }), { name: "AbortError" });
  connecting.abort();
  await refused;
  assert.ok(FakeSocket.last.closed);
  const controller = new AbortController();
  const [client, socket] = await connected(t, { signal: controller.signal });
  const waiting = assert.rejects(client.watch("t"), /enough/);
  await socket.next("watch");
  controller.abort(new Error("enough"));
  await waiting;
  assert.ok(socket.closed && !client.online);
});

test("a client gives up when it may", PATIENCE, async (t) => {
  await assert.rejects(Client.connect("no address"), { name: "ConnectionFailed", code: "unreachable" });
  const [client, socket] = await connected(t, { giveUpAfterMs: 0 });
  const waiting = assert.rejects(client.nextChallenge(), { code: "unreachable" });
  socket.drop();
  await waiting;
});

test("a program without WebSockets is told so", PATIENCE, async () => {
  delete globalThis.WebSocket;
  try {
    await assert.rejects(Client.connect("ws://host"), /Node 22/);
  } finally {
    globalThis.WebSocket = FakeSocket;
  }
});

test("why there is no connection is in the error", PATIENCE, async () => {
  const failing = assert.rejects(Client.connect("ws://host", { giveUpAfterMs: 0 }), /404/);
  FakeSocket.last.onerror({ message: "Unexpected server response: 404" });
  FakeSocket.last.drop();
  await failing;
});

test("a misspelt wish is refused", PATIENCE, async (t) => {
  const [client] = await connected(t);
  await assert.rejects(client.createTable({ bot: { black: { level: 1 } } }), /bots/);
});

test("a silent connection is given up", PATIENCE, async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const [client, socket] = await connected(t);
  let pongs = 0;
  client.on("pong", () => (pongs += 1));
  t.mock.timers.tick(20_000);
  assert.equal(socket.sent.filter(({ type }) => type === "ping").length, 2);
  socket.receive({ type: "pong", server_ms: 0 });
  // It is the client's affair.
  assert.equal(pongs, 0);
  t.mock.timers.tick(20_000);
  await pause(10);
  assert.ok(!socket.closed);
  t.mock.timers.tick(10_000);
  const again = await nextSocket();
  assert.ok(socket.closed);
  await again.join();
  await client.until(() => client.online);
});

test("a quick game whose opponent does not come is asked for again", PATIENCE, async (t) => {
  const [client, socket] = await connected(t);
  const game = client.quick({ clock: "1m", ladder: "code" });
  assert.deepEqual(await socket.next("quick"), { type: "quick", clock: "1m", ladder: "code" });
  await assert.rejects(client.quick(), /already/);
  socket.receive({ type: "queued", clock: "1m" }, { type: "paired", table: "t", color: "white" });
  assert.ok(client.paired);
  socket.receive({ type: "table_closed", table: "t", reason: "ended" });
  assert.ok(!client.paired);
  await socket.next("quick");
  socket.drop();
  const again = await nextSocket();
  await again.join();
  await again.next("quick");
  again.receive({ type: "queued", clock: "1m" }, { type: "paired", table: "t", color: "white" });
  again.receive({ type: "game_started", table: "t", ...STATE, ply: 0, turn: "white" });
  assert.equal((await game).color, "white");
});

test("an ended wait for a quick game has the server's reason", PATIENCE, async (t) => {
  const [client, socket] = await connected(t);
  const game = assert.rejects(client.quick({ tournament: "x" }), { name: "ServerError", code: "forbidden" });
  await socket.next("quick");
  socket.receive({ type: "queued", tournament: "x" });
  await pause(1);
  socket.receive({ type: "error", code: "forbidden", message: "the arena is over" }, { type: "unqueued" });
  await game;
});

test("an aborted wait ends, even without a connection", PATIENCE, async (t) => {
  const [client, socket] = await connected(t);
  const controller = new AbortController();
  const game = assert.rejects(client.quick({ signal: controller.signal }), { name: "AbortError" });
  await socket.next("quick");
  socket.receive({ type: "queued" });
  socket.drop();
  controller.abort();
  await game;
  const again = await nextSocket();
  await again.join();
  await client.until(() => client.online);
  assert.ok(!again.sent.some(({ type }) => type === "quick"));
});
