// A server for tests, and players for it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "checkers-client";

const BIN = process.env.CHECKERS_BIN ?? fileURLToPath(new URL("../../../../target/debug", import.meta.url));
// The server refuses settings that it does not know.
export const ENVIRONMENT = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("CHECKERS_")),
);
// Only a test that would hang reaches it.
export const PATIENCE = { timeout: 180_000 };

/** A server on a port that was free, with a directory of its own. */
export class Server {
  #port = 0;

  static async start(test) {
    const server = new Server();
    server.directory = await mkdtemp(path.join(tmpdir(), "checkers-"));
    test.after(async () => {
      await server.kill();
      await rm(server.directory, { recursive: true, force: true });
    });
    await server.start();
    return server;
  }

  get url() {
    return `ws://127.0.0.1:${this.#port}`;
  }

  async start() {
    const options = ["--bind", "127.0.0.1", "--port", this.#port, "--data", path.join(this.directory, "data")];
    const stdio = ["ignore", "pipe", "pipe"];
    this.process = spawn(path.join(BIN, "checkers-server"), options, { stdio, env: ENVIRONMENT });
    let log = "";
    this.process.stderr.on("data", (text) => (log = (log + text).slice(-2000)));
    for await (const line of createInterface(this.process.stdout)) {
      this.#port = Number(/127\.0\.0\.1:(\d+)/.exec(line)?.[1]);
      this.process.stdout.resume();
      if (this.#port) return;
    }
    throw new Error(`the server does not listen: ${log}`);
  }

  async kill() {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill("SIGKILL");
    await once(this.process, "exit");
  }

  /** A client that is closed when the test is over. */
  async connect(test, name, options = {}) {
    const client = await Client.connect(this.url, { name, ...options });
    test.after(() => client.close());
    return client;
  }

  /** Two clients, anna with White and boris with Black, in a game. */
  async pair(test, wishes = {}) {
    const anna = await this.connect(test, "anna");
    const boris = await this.connect(test, "boris");
    const table = await anna.createTable({ color: "white", ...wishes });
    const seat = await boris.watch(table.id);
    await seat.takeSeat("black");
    return [await table.nextGame(), await seat.nextGame()];
  }
}

/** Plays a game to its end with random moves. */
export async function playRandom(game) {
  for await (const legalMoves of game.turns()) {
    await game.move(legalMoves[Math.floor(Math.random() * legalMoves.length)].move);
  }
}
