import { Backoff } from "./backoff.js";
import { ConnectionFailed, JoinError, ServerError } from "./errors.js";
import { type Game, Table } from "./game.js";
import {
  type ChallengedEvent,
  type ClientMessage,
  type CreateTable,
  type ErrorCode,
  type ErrorEvent,
  type JoinedEvent,
  type Quick,
  type QuickRequest,
  type SeatWish,
  SERVER_MESSAGES,
  type ServerMessage,
  TABLE_WISHES,
  type TableInfo,
} from "./messages.js";

const PROTOCOL = 1;
const CONNECT_LIMIT_MS = 10_000;
const ANSWER_LIMIT_MS = 30_000;
const LEAVE_LIMIT_MS = 4_000;
// At the start, a server that starts at the same time is waited for.
const FIRST_PATIENCE_MS = 10_000;
// WebSockets hide the server's pings, so the client sends some too. Silence for two of them is a broken connection;
// counting them instead of the time spares a page whose timers were stopped in the background.
const PING_INTERVAL_MS = 10_000;
const MAX_UNANSWERED_PINGS = 2;
// When a queue is full its oldest entry is dropped: the state of tables and games does not depend on them.
const MESSAGE_QUEUE = 256;
const CHALLENGE_QUEUE = 32;
// The server closes with these when it is worth coming back; 1006 is a connection that broke.
const PASSING_CLOSES = [1006, 1012, 1013, 4000, 4001];
// What the server answers to a message about a game that is over by then.
const LATE_CODES: ErrorCode[] = ["no_game", "not_seated", "not_your_turn", "wrong_ply", "no_offer"];

/** The server's message of a type. */
export type EventOf<Type extends ServerMessage["type"]> = Extract<ServerMessage, { type: Type }>;

export interface ConnectOptions {
  /** The name of a guest; an account has its own. */
  name?: string;
  /** The token of an account, or of an earlier client with this name. */
  token?: string;
  /** Ends the client when it is aborted, also while it connects. Seats are kept as after a loss of the connection. */
  signal?: AbortSignal;
  /** How long it tries to come back after a loss of the connection: by default for ever, with 0 not at all. */
  giveUpAfterMs?: number;
  /** Whether it receives the messages of the lobby. */
  lobby?: boolean;
}

export interface QuickOptions extends Quick {
  /** Leaves the queue. It is too late once an opponent has been found: then the game is returned. */
  signal?: AbortSignal;
}

type Falsy = undefined | null | false | 0 | "";
type Check = (message: ServerMessage) => boolean;

interface Exchange {
  answers: Check;
  answer?: ServerMessage;
  error?: unknown;
}

/** Another client wants to play at a table that it has created. */
export class Challenge {
  readonly table: string;
  readonly by: string;
  readonly info: TableInfo;
  readonly #client: Client;

  /** @internal */
  constructor(client: Client, { table, by, info }: ChallengedEvent) {
    this.#client = client;
    this.table = table;
    this.by = by;
    this.info = info;
  }

  /** Enters the table and takes the seat; `nextGame` of the table is the game. */
  async accept(): Promise<Table> {
    const table = await this.#client.watch(this.table);
    await table.takeSeat("random");
    return table;
  }

  async decline(): Promise<void> {
    await this.#client.request(
      { type: "decline_challenge", table: this.table },
      (message) => message.type === "challenge_declined" && message.table === this.table,
    );
  }
}

/** A client that has joined a server. Make it with `Client.connect`, and `close` it in the end. */
export class Client implements AsyncIterable<ServerMessage> {
  /** The name that the server knows the client by. */
  name: string;
  /** The secret of the name: who shows it joins as this client. */
  token: string | undefined;
  /** Whether the name belongs to an account. */
  account = false;
  joined: JoinedEvent | undefined;
  readonly tables = new Map<string, Table>();
  /** How many messages were dropped because nothing iterated over the client. */
  dropped = 0;

  readonly #giveUpAfterMs: number;
  readonly #lobby: boolean;
  readonly #backoff = new Backoff();
  readonly #changes = new Set<() => void>();
  readonly #listeners = new Map<string, Set<(message: never) => void>>();
  readonly #messages: ServerMessage[] = [];
  readonly #challenges: Challenge[] = [];
  #socket: WebSocket | undefined;
  #endSession: (error: unknown) => void = () => {};
  #online = false;
  #closing = false;
  #error: unknown;
  #lastRequest: Promise<unknown> = Promise.resolve();
  #exchange: Exchange | undefined;
  #lateErrors = 0;
  #quick: QuickRequest | undefined;
  #paired: Table | undefined;
  #queueError: ServerError | undefined;
  // The error right before the present message, which may be the reason of it.
  #refusal: ErrorEvent | undefined;
  /** Whether `quick` was sent again, without an answer so far. */
  #isRequeued = false;

  private constructor(
    readonly url: string,
    options: ConnectOptions,
  ) {
    this.name = options.name ?? "";
    this.token = options.token;
    this.#giveUpAfterMs = options.giveUpAfterMs ?? Infinity;
    this.#lobby = options.lobby ?? false;
  }

  /**
   * Joins a server, as a guest with a `name` or with the `token` of an account or of an earlier client.
   *
   * Throws ConnectionFailed if the server cannot be reached, and JoinError if it does not let the client in.
   */
  static async connect(url: string, options: ConnectOptions = {}): Promise<Client> {
    const { signal } = options;
    signal?.throwIfAborted();
    const client = new Client(url, options);
    const abort = () => client.#fail(signal?.reason);
    signal?.addEventListener("abort", abort);
    void client.#run().finally(() => signal?.removeEventListener("abort", abort));
    await client.until(() => client.#online);
    return client;
  }

  /** Whether the client is connected and has entered its tables again. */
  get online(): boolean {
    return this.#online;
  }

  /** Whether an opponent has been found for `quick`, and the game is about to begin. */
  get paired(): boolean {
    return this.#quick !== undefined && this.#paired !== undefined;
  }

  /**
   * Ends the connection. Running games are resigned and the name is free at once; without `leave` the server keeps name
   * and seats for a while, and the token brings the client back.
   */
  async close({ leave = true } = {}): Promise<void> {
    this.#closing = true;
    if (leave && this.#online) {
      this.#post({ type: "leave" });
      // The server closes the connection then, which ends the client.
      await this.#wait(() => this.#error !== undefined || !this.#online, LEAVE_LIMIT_MS).catch(() => {});
    }
    this.#fail(new ConnectionFailed("closed", "the client is closed"));
  }

  /** The server's messages, from the oldest of the last 256, until the client is closed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ServerMessage, void, undefined> {
    for (;;) {
      try {
        await this.until(() => this.#messages.length > 0);
      } catch (error) {
        if (this.#closing) return;
        throw error;
      }
      const message = this.#messages.shift();
      if (message) yield message;
    }
  }

  /** Calls `listener` with every message of a type, once tables and games are up to date; returns how to stop it. */
  on<Type extends ServerMessage["type"]>(type: Type, listener: (message: EventOf<Type>) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Calls `listener` when anything may have changed, such as `online` or a game; returns how to stop it. */
  onChange(listener: () => void): () => void {
    this.#changes.add(listener);
    return () => this.#changes.delete(listener);
  }

  /**
   * Sends a message and waits for no answer; answers, errors too, come with the other messages.
   *
   * An error may be taken for the answer to a request that was made meanwhile.
   */
  async send(message: ClientMessage): Promise<void> {
    await this.until(() => this.#online);
    this.#post(message);
  }

  /**
   * Waits for a true result of `check`, which is called after every change, and returns it.
   *
   * Throws ConnectionFailed once the client has no connection and does not come back.
   */
  async until<T>(check: () => T | Falsy): Promise<T> {
    return (await this.#wait(check, Infinity)) as T;
  }

  /**
   * Creates a table and enters it. With a `color` and the seat of the server in `bots`, such as
   * `{ black: { level: 1 } }`, `nextGame` of the table is a game against it.
   */
  async createTable(wishes: CreateTable = {}): Promise<Table> {
    // The server ignores what it does not know, and the client would wait in vain.
    const unknown = Object.keys(wishes).filter((wish) => !TABLE_WISHES.has(wish));
    if (unknown.length > 0) throw new TypeError(`a table has no ${unknown.join()}; it has ${[...TABLE_WISHES].join()}`);
    const created = await this.request(
      { type: "create_table", ...wishes },
      (message) => message.type === "table_created",
    );
    const table = this.#table((created as EventOf<"table_created">).table);
    await this.until(() => table.info ?? table.closed);
    return table;
  }

  /** Challenges a client; `nextGame` of the table waits for the answer. */
  async challenge(opponent: string, wishes: CreateTable & { color?: SeatWish } = {}): Promise<Table> {
    return this.createTable({ color: "random", ...wishes, opponent });
  }

  /** Waits for a challenge by another client. At most 32 wait; then the oldest is dropped. */
  async nextChallenge(): Promise<Challenge> {
    await this.until(() => this.#challenges.length > 0);
    return this.#challenges.shift() ?? this.nextChallenge();
  }

  /** Enters a table; `main` is always there. */
  async watch(table: string): Promise<Table> {
    await this.request({ type: "watch", table }, isStateOf(table));
    return this.#table(table);
  }

  /**
   * Waits for an opponent who wants the same, and returns the game. Guests meet guests and people, bots with accounts
   * other such bots; with `rated` and on a `ladder` these play the server when no other comes.
   */
  async quick({ signal, ...wishes }: QuickOptions = {}): Promise<Game> {
    signal?.throwIfAborted();
    if (this.#quick) throw new Error("the client waits for a quick game already");
    this.#quick = { type: "quick", ...wishes };
    this.#paired = undefined;
    this.#queueError = undefined;
    this.#isRequeued = false;
    const wake = () => this.wake();
    signal?.addEventListener("abort", wake);
    try {
      if (this.#online) await this.#enterQueue(this.#quick);
      const game = await this.until(() => this.#quickGame() ?? (!this.#paired && signal?.aborted));
      if (game !== true) return game;
      if (this.#online) await this.cancelQuick().catch(() => {});
      if (!this.#paired) throw signal?.reason;
      return await this.until(() => this.#quickGame());
    } finally {
      this.#quick = undefined;
      signal?.removeEventListener("abort", wake);
    }
  }

  /** Ends the wait of `quick`, which throws ServerError, unless an opponent has been found just now. */
  async cancelQuick(): Promise<void> {
    await this.request({ type: "cancel_quick" }, isOutOfQueue);
  }

  async #enterQueue(quick: QuickRequest): Promise<void> {
    try {
      for (const table of [...this.tables.values()]) {
        if (table.info?.kind === "quick" && table.game?.over) await table.leave();
      }
      await this.request(quick, isInQueue);
    } catch (error) {
      // The client asks again when it has come back.
      if (!(error instanceof ConnectionFailed && error.code === "disconnected")) throw error;
    }
  }

  #quickGame(): Game | undefined {
    const game = this.#paired?.game;
    if (game?.color) return game;
    if (this.#queueError) throw this.#queueError;
    return undefined;
  }

  #table(id: string): Table {
    const table = this.tables.get(id) ?? new Table(this, id);
    this.tables.set(id, table);
    return table;
  }

  // Requests. The protocol answers in order and names no request in an error: there is one at a time.

  /**
   * @internal Sends a message and waits for its answer. `leavesError` says whether the message came too late for what
   * has answered it, so that an error is still to come.
   */
  async request(
    message: ClientMessage,
    answers: Check,
    leavesError: () => boolean = () => false,
    limitMs = ANSWER_LIMIT_MS,
  ): Promise<ServerMessage> {
    const work = this.#lastRequest.then(async () => {
      await this.until(() => this.#online);
      const answer = await this.#ask(message, answers, limitMs);
      if (leavesError()) this.#lateErrors += 1;
      return answer;
    });
    this.#lastRequest = work.catch(() => {});
    return work;
  }

  async #ask(message: ClientMessage, answers: Check, limitMs = ANSWER_LIMIT_MS): Promise<ServerMessage> {
    const exchange: Exchange = { answers };
    this.#exchange = exchange;
    try {
      this.#post(message);
      await this.#wait(() => exchange.answer ?? exchange.error, limitMs);
    } finally {
      if (this.#exchange === exchange) this.#exchange = undefined;
    }
    if (exchange.answer) return exchange.answer;
    throw exchange.error ?? new ConnectionFailed("timeout", `no answer to ${message.type} within ${limitMs} ms`);
  }

  #post(message: ClientMessage): void {
    if (!this.#socket) throw lost();
    this.#socket.send(JSON.stringify(message));
  }

  /** Like `until`, but returns `undefined` when the time is over. */
  #wait<T>(check: () => T | Falsy, limitMs: number): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const timer = Number.isFinite(limitMs) ? setTimeout(() => end(() => resolve(undefined)), limitMs) : undefined;
      const end = (settle: () => void) => {
        clearTimeout(timer);
        stop();
        settle();
      };
      const look = () => {
        try {
          const value = check();
          if (value) end(() => resolve(value));
          else if (this.#error !== undefined) throw this.#error;
        } catch (error) {
          end(() => reject(error));
        }
      };
      const stop = this.onChange(look);
      look();
    });
  }

  /** @internal Has `until` check again. */
  wake(): void {
    for (const listener of [...this.#changes]) guarded(listener);
  }

  // The connection.

  /** Connects, and connects again, until the client is closed or nothing more can be done. */
  async #run(): Promise<void> {
    let deadline = performance.now() + Math.min(FIRST_PATIENCE_MS, this.#giveUpAfterMs);
    try {
      for (;;) {
        const reason = await this.#session();
        if (this.#offline()) deadline = performance.now() + this.#giveUpAfterMs;
        const pause = this.#backoff.pause();
        if (performance.now() + pause > deadline) {
          throw new ConnectionFailed("unreachable", `cannot reach ${this.url}: ${reason}`);
        }
        await this.#wait(() => false, pause);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** One connection: returns why it was lost, and throws an error that is final. */
  async #session(): Promise<string> {
    const socket = connect(this.url);
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise<string>((lose, fail) => {
        let hasJoined = false;
        let unanswered = 0;
        let detail = "";
        this.#endSession = fail;
        timer = setTimeout(() => lose("no answer"), CONNECT_LIMIT_MS);
        const joined = (message: JoinedEvent) => {
          hasJoined = true;
          clearTimeout(timer);
          timer = setInterval(() => {
            if (unanswered >= MAX_UNANSWERED_PINGS) lose("the server does not answer");
            unanswered += 1;
            socket.send(JSON.stringify({ type: "ping" }));
          }, PING_INTERVAL_MS);
          this.#join(message);
          this.#resume(message).catch((error: unknown) => {
            if (error instanceof ConnectionFailed) lose(error.message);
            else fail(invalid(error));
          });
        };
        socket.onopen = () => {
          this.#socket = socket;
          this.#post({ type: "join", name: this.name, token: this.token, lobby: true });
        };
        socket.onmessage = ({ data }) => {
          unanswered = 0;
          try {
            const message = JSON.parse(data as string) as ServerMessage;
            if (!SERVER_MESSAGES.has(message.type)) return;
            if (hasJoined) this.#handle(message);
            else if (message.type === "joined") joined(message);
            else if (message.type === "error" && message.code === "not_stored") lose(message.message);
            else if (message.type === "error") fail(new JoinError(message.code, message.message));
          } catch (error) {
            // Most likely a field is missing; nothing may wait for ever.
            fail(invalid(error));
          }
        };
        socket.onclose = ({ code, reason }) => {
          const text = detail || `the server has closed the connection with ${code}: ${reason}`;
          if (PASSING_CLOSES.includes(code)) lose(text);
          else fail(new ConnectionFailed(code === 4002 ? "replaced" : "closed", text));
        };
        // A close follows. Browsers have no details.
        socket.onerror = (event) => {
          if ("message" in event) detail = String(event.message);
        };
        if (this.#error !== undefined) fail(this.#error);
      });
    } finally {
      clearTimeout(timer);
      this.#endSession = () => {};
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  #join(message: JoinedEvent): void {
    if (message.protocol !== PROTOCOL) throw new Error(`version ${message.protocol} of the protocol`);
    this.joined = message;
    this.name = message.name;
    this.token = message.token ?? this.token;
    this.account = message.account ?? false;
    this.#publish(message);
  }

  /** Enters the tables again where the client was or has a seat, and then lets requests through. */
  async #resume(joined: JoinedEvent): Promise<void> {
    if (!this.#lobby) this.#post({ type: "unsubscribe_lobby" });
    const seats = new Map((joined.seats ?? []).map((seat) => [seat.table, seat]));
    for (const id of new Set([...this.tables.keys(), ...seats.keys()])) {
      const isNew = !this.tables.has(id);
      try {
        await this.#ask({ type: "watch", table: id }, isStateOf(id));
      } catch (error) {
        if (!(error instanceof ServerError)) throw error;
        this.#closeTable(id);
        continue;
      }
      // The opponent may have come while the connection was lost.
      const table = this.#table(id);
      if (isNew && this.#quick && table.info?.kind === "quick" && seats.get(id)?.state !== "over") this.#paired = table;
    }
    const quick = this.#quick;
    if (quick && !this.#paired) {
      try {
        await this.#ask(quick, isInQueue);
        // It may have been aborted meanwhile.
        if (this.#quick !== quick) await this.#ask({ type: "cancel_quick" }, isOutOfQueue);
      } catch (error) {
        if (!(error instanceof ServerError)) throw error;
        this.#queueError = error;
      }
    }
    this.#backoff.reset();
    this.#online = true;
    this.wake();
  }

  /** Handles the loss of the connection, and returns whether the client was online. */
  #offline(): boolean {
    const wasOnline = this.#online;
    this.#online = false;
    this.#socket = undefined;
    this.#lateErrors = 0;
    if (this.#exchange) this.#exchange.error ??= this.#error ?? lost();
    this.wake();
    return wasOnline;
  }

  #fail(error: unknown): void {
    this.#error ??= error;
    this.#endSession(this.#error);
    this.#offline();
  }

  // Messages of the server.

  #handle(message: ServerMessage): void {
    // The answer to a ping of this client; a program's own have a number.
    if (message.type === "pong" && message.t == null) return;
    const exchange = this.#exchange?.answer || this.#exchange?.error ? undefined : this.#exchange;
    if (message.type !== "error") {
      this.#apply(message);
      this.#refusal = undefined;
      if (isInQueue(message)) this.#isRequeued = false;
      if (exchange?.answers(message)) exchange.answer = message;
    } else if (this.#lateErrors > 0 && LATE_CODES.includes(message.code)) {
      this.#lateErrors -= 1;
      return;
    } else if (exchange) {
      exchange.error = new ServerError(message.code, message.message, message.candidates);
      this.wake();
      return;
    } else {
      this.#refusal = message;
      if (this.#isRequeued) this.#queueError = new ServerError(message.code, message.message);
    }
    this.#publish(message);
  }

  #publish(message: ServerMessage): void {
    this.#messages.push(message);
    if (this.#messages.length > MESSAGE_QUEUE) {
      this.#messages.shift();
      this.dropped += 1;
    }
    for (const listener of [...(this.#listeners.get(message.type) ?? [])]) guarded(() => listener(message as never));
    this.wake();
  }

  /** Updates what is known of tables and games. */
  #apply(message: ServerMessage): void {
    switch (message.type) {
      case "restarting":
        this.#backoff.hint(message.delay_ms);
        break;
      case "table_created":
      case "table_state":
        this.#table(message.table);
        break;
      case "paired":
        this.#paired = this.#table(message.table);
        this.#paired.color = message.color;
        break;
      case "unqueued":
        if (!this.#quick || this.#paired) break;
        this.#queueError = this.#refusal
          ? new ServerError(this.#refusal.code, this.#refusal.message)
          : new ServerError("unqueued", "the wait for an opponent was ended");
        break;
      case "challenged":
        this.#challenges.push(new Challenge(this, message));
        if (this.#challenges.length > CHALLENGE_QUEUE) this.#challenges.shift();
        break;
      case "challenge_declined":
      case "challenge_withdrawn": {
        const index = this.#challenges.findIndex(({ table }) => table === message.table);
        if (index >= 0) this.#challenges.splice(index, 1);
        break;
      }
    }
    const table = "table" in message && message.table ? this.tables.get(message.table) : undefined;
    // If an event is missing.
    if (table && !table.handle(message)) this.#post({ type: "sync", table: table.id });
    if (message.type === "unwatched" || message.type === "table_closed") this.#closeTable(message.table);
  }

  #closeTable(id: string): void {
    const table = this.tables.get(id);
    if (!table) return;
    this.tables.delete(id);
    table.close();
    // The opponent did not come.
    if (table !== this.#paired || table.game || !this.#quick) return;
    this.#paired = undefined;
    if (!this.#online) return;
    this.#isRequeued = true;
    this.#post(this.#quick);
  }
}

function connect(url: string): WebSocket {
  if (typeof WebSocket === "undefined") {
    const message = "there is no WebSocket: use Node 22 or later, or assign that of the package ws to globalThis.WebSocket";
    throw new ConnectionFailed("unreachable", message);
  }
  try {
    return new WebSocket(url);
  } catch (error) {
    throw new ConnectionFailed("unreachable", `bad address ${url}: ${String(error)}`);
  }
}

function lost(): ConnectionFailed {
  return new ConnectionFailed("disconnected", "the connection is lost");
}

function invalid(error: unknown): ConnectionFailed {
  return new ConnectionFailed("protocol", `the server has sent an invalid message: ${String(error)}`);
}

function isStateOf(table: string): Check {
  return (message) => message.type === "table_state" && message.table === table;
}

function isInQueue(message: ServerMessage): boolean {
  return message.type === "queued" || message.type === "paired";
}

function isOutOfQueue(message: ServerMessage): boolean {
  return message.type === "unqueued";
}

/** Calls a listener, whose error must not be taken for one of the connection. */
function guarded(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
