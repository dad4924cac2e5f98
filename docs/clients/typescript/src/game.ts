import type { Client } from "./client.js";
import { ChallengeError, ConnectionFailed, MoveError, ServerError } from "./errors.js";
import type {
  ClaimedResult,
  ClientMessage,
  EndReason,
  GameResult,
  GameState,
  LegalMove,
  Offer,
  OpenOffer,
  Phrase,
  PlayedMove,
  SearchInfo,
  SeatWish,
  ServerMessage,
  TableInfo,
  TableState,
  WireClocks,
  WireColor,
} from "./messages.js";

// Without an answer for so long, a move is sent again. The server plays it once.
const MOVE_ANSWER_LIMIT_MS = 2_500;
const ACCEPTED = { draw: "game_over", takeback: "took_back", rematch: "game_started" } as const;

/** A game at a table. The fields change as the server reports events. */
export class Game {
  readonly number: number;
  readonly id: string;
  readonly white: string;
  readonly black: string;
  readonly startFen: string;
  moves: PlayedMove[] = [];
  fen = "";
  turn: WireColor = "white";
  /** The clocks at the last event; they have run on since then. */
  clocks: WireClocks | undefined;
  offers: OpenOffer[] = [];
  /** The moves to choose from; empty unless it is the client's turn. */
  legalMoves: LegalMove[] = [];
  result: GameResult | undefined;
  /** Why the game ended; absent if the server has forgotten the game. */
  reason: EndReason | undefined;
  article: string | undefined;
  #takebacks = 0;
  // How many times a move was wanted. A request that the server repeats counts once.
  #requests = 0;
  #asked = "";
  #seq = 0;

  /** @internal */
  constructor(
    readonly table: Table,
    state: GameState,
  ) {
    this.number = state.game;
    this.id = state.id ?? "";
    this.white = state.white;
    this.black = state.black;
    this.startFen = state.start_fen;
    this.load(state);
  }

  /** The client's own side; `undefined` for a spectator. */
  get color(): WireColor | undefined {
    const { name } = this.table.client;
    return this.white === name ? "white" : this.black === name ? "black" : undefined;
  }

  get opponent(): string {
    return this.color === "black" ? this.white : this.black;
  }

  get ply(): number {
    return this.moves.length;
  }

  get over(): boolean {
    return this.result !== undefined;
  }

  /** The legal moves, each time a move is wanted, until the game is over. */
  async *turns(): AsyncGenerator<LegalMove[], void, undefined> {
    let seen = 0;
    while (!this.over) {
      await this.table.client.until(() => this.over || (this.legalMoves.length > 0 && this.#requests !== seen));
      // Another event may have come since.
      if (this.legalMoves.length === 0) continue;
      seen = this.#requests;
      yield [...this.legalMoves];
    }
  }

  /** Waits for the end of the game. */
  async finished(): Promise<void> {
    await this.table.client.until(() => this.over);
  }

  /**
   * Plays a move and waits until the server has stored it, also across a loss of the connection.
   *
   * Returns `undefined` if it came too late: the game is over, or a move was taken back meanwhile. Throws MoveError if
   * it is not the client's turn, or if the server refuses the move; `turns` then asks again.
   */
  async move(text: string, search?: SearchInfo): Promise<PlayedMove | undefined> {
    const { client } = this.table;
    // Not left to the server, because the opponent's move, which may be on its way, would look like the answer.
    if (!this.over && !this.color) throw new MoveError("not_seated", "you do not play this game");
    if (!this.over && this.color !== this.turn) throw new MoveError("not_your_turn", "it is the opponent's turn");
    const ply = this.ply;
    const takebacks = this.#takebacks;
    const settled = () => this.over || this.#takebacks !== takebacks || this.ply > ply;
    const message = { type: "move", ply, move: text, search, id: Math.random().toString(36).slice(2) } as const;
    for (;;) {
      await client.until(() => client.online || settled());
      if (settled()) break;
      const requests = this.#requests;
      // If the server repeats its request while the move is under way, the move is wanted again.
      this.#asked = "";
      try {
        await this.#ask(message, settled, () => this.ply <= ply, MOVE_ANSWER_LIMIT_MS);
      } catch (error) {
        if (error instanceof ConnectionFailed && (error.code === "disconnected" || error.code === "timeout")) continue;
        if (!(error instanceof ServerError)) throw error;
        if (settled()) break;
        if (error.code === "not_stored") {
          // The server asks again once it can store moves.
          await client.until(() => settled() || this.#requests !== requests);
          continue;
        }
        this.#requests += 1;
        client.wake();
        throw new MoveError(error.code, error.message, error.candidates);
      }
    }
    return this.#takebacks === takebacks ? this.moves[ply] : undefined;
  }

  async resign(): Promise<void> {
    await this.#end({ type: "resign" }, "resignation");
  }

  /** Calls the game off, which is possible until both sides have moved. */
  async abort(): Promise<void> {
    await this.#end({ type: "abort" }, "aborted");
  }

  /** Claims the game of an opponent who has been away for long enough. */
  async claim(result: ClaimedResult): Promise<void> {
    await this.#end({ type: "claim", result }, "abandoned");
  }

  /** Offers a draw, a takeback or a rematch; accepts it if the opponent has offered the same. */
  async offer(offer: Offer): Promise<void> {
    await this.#ask({ type: `offer_${offer}` }, this.#answers(offer, "offered"));
  }

  async accept(offer: Offer): Promise<void> {
    await this.#ask({ type: `accept_${offer}` }, this.#answers(offer));
  }

  async decline(offer: Offer): Promise<void> {
    await this.#ask({ type: `decline_${offer}` }, this.#answers(offer, "declined"));
  }

  async offerDraw(): Promise<void> {
    await this.offer("draw");
  }

  /** Whether the opponent has made an offer that is still open. */
  offered(offer: Offer): boolean {
    return this.offers.some((found) => found.offer === offer && found.by !== this.color);
  }

  async #end(message: ClientMessage, reason: EndReason): Promise<void> {
    // Of a game that is over already, only an error tells.
    const wasOver = this.over;
    await this.#ask(message, () => this.over && !wasOver, () => this.reason !== reason);
  }

  #answers(offer: Offer, reply?: "offered" | "declined"): (message: ServerMessage) => boolean {
    return (message) => {
      if (!("table" in message) || message.table !== this.table.id) return false;
      if (message.type !== "offered" && message.type !== "declined") return message.type === ACCEPTED[offer];
      return message.type === reply && message.offer === offer && message.by === this.color;
    };
  }

  async #ask(
    message: ClientMessage,
    answers: (message: ServerMessage) => boolean,
    leavesError?: () => boolean,
    limitMs?: number,
  ): Promise<void> {
    await this.table.request({ ...message, game: this.number } as ClientMessage, answers, leavesError, limitMs);
  }

  // What the server reports.

  /** @internal */
  load(state: GameState): void {
    if (this.moves.some(({ move }, ply) => state.moves[ply]?.move !== move)) this.#takebacks += 1;
    this.moves = [...state.moves];
    this.offers = [...(state.offers ?? [])];
    this.#seq = state.seq ?? 0;
    this.#place(state);
    if (state.result) this.#finish(state.result, state.reason, state.article);
  }

  #place(message: { fen: string; turn: WireColor; clocks?: WireClocks | null }): void {
    this.fen = message.fen;
    this.turn = message.turn;
    this.clocks = message.clocks ?? undefined;
    this.legalMoves = [];
  }

  /** @internal */
  want(legalMoves: LegalMove[]): void {
    this.legalMoves = legalMoves;
    const now = `${this.#takebacks} ${this.ply}`;
    if (this.#asked !== now) this.#requests += 1;
    this.#asked = now;
  }

  #finish(result: GameResult, reason?: EndReason | null, article?: string | null): void {
    this.result = result;
    this.reason = reason ?? undefined;
    this.article = article ?? undefined;
    this.legalMoves = [];
    this.offers = [];
  }

  /** @internal The server has no such game any more. */
  lose(): void {
    if (!this.over) this.#finish("interrupted");
  }

  /** @internal Applies an event of this game; `false` if one before it is missing. */
  handle(message: ServerMessage): boolean {
    const seq = "seq" in message ? (message.seq ?? 0) : 0;
    if (seq > 0 && message.type !== "acknowledged") {
      if (seq <= this.#seq) return true;
      if (seq > this.#seq + 1) return false;
      this.#seq = seq;
    }
    switch (message.type) {
      case "moved":
        this.moves.push(message.played);
        this.#place(message);
        break;
      case "took_back":
        this.moves.length = message.ply;
        this.#takebacks += 1;
        this.#place(message);
        this.#dropOffer("takeback");
        break;
      case "your_turn":
        if (message.ply !== this.ply) return message.ply < this.ply;
        this.clocks = message.clocks ?? this.clocks;
        this.want(message.legal_moves ?? []);
        break;
      case "clocks":
        this.clocks = message.clocks;
        break;
      case "offered":
        this.offers.push({ offer: message.offer, by: message.by });
        break;
      case "declined":
      case "lapsed":
        this.#dropOffer(message.offer);
        break;
      case "game_over":
        this.fen = message.fen;
        this.#finish(message.result, message.reason, message.article);
        break;
    }
    return true;
  }

  #dropOffer(offer: Offer): void {
    this.offers = this.offers.filter((found) => found.offer !== offer);
  }
}

/** A table that the client has entered. */
export class Table {
  info: TableInfo | undefined;
  /** The client's own seat. */
  color: WireColor | undefined;
  /** The running game, or the last one. */
  game: Game | undefined;
  closed = false;
  #refusal: "declined" | "withdrawn" | undefined;
  #returned = 0;

  /** @internal */
  constructor(
    readonly client: Client,
    readonly id: string,
  ) {}

  /**
   * Waits for the next game, or returns the running one if it was not returned before.
   *
   * Throws ChallengeError or ConnectionFailed if there will be none.
   */
  async nextGame(): Promise<Game> {
    const game = await this.client.until(() => {
      if (this.game && this.game.number > this.#returned) return this.game;
      if (this.#refusal) throw new ChallengeError(this.#refusal, `the challenge was ${this.#refusal}`);
      if (this.closed) throw new ConnectionFailed("closed", `table ${this.id} is closed`);
      return undefined;
    });
    this.#returned = game.number;
    return game;
  }

  async takeSeat(color: SeatWish = "random"): Promise<void> {
    await this.request({ type: "take_seat", color }, () => this.color !== undefined);
  }

  /** Gives the seat up, which resigns a running game. */
  async leaveSeat(): Promise<void> {
    await this.request({ type: "leave_seat" }, () => this.color === undefined);
  }

  /** Has the server play a seat. */
  async addBot(color: SeatWish, bot: { level: number } | { spec: string }): Promise<void> {
    const answers = ["players", "game_started"];
    await this.request(
      { type: "add_bot", color, ...bot },
      (message) => answers.includes(message.type) && "table" in message && message.table === this.id,
    );
  }

  async say(phrase: Phrase): Promise<void> {
    await this.request({ type: "say", phrase }, (message) => message.type === "said" && message.table === this.id);
  }

  /** Leaves the table; a seat is kept for a while, as if the connection were lost. */
  async leave(): Promise<void> {
    await this.request({ type: "unwatch" }, () => this.closed);
  }

  /** @internal */
  async request(
    message: ClientMessage,
    answers: (message: ServerMessage) => boolean,
    leavesError?: () => boolean,
    limitMs?: number,
  ): Promise<void> {
    await this.client.request({ ...message, table: this.id }, answers, leavesError, limitMs);
  }

  /** @internal Applies a message about this table; `false` if the state has to be requested. */
  handle(message: ServerMessage): boolean {
    switch (message.type) {
      case "table_state":
        this.#load(message);
        return true;
      case "players": {
        const role = message.players.find(({ name }) => name === this.client.name)?.role;
        this.color = role === "spectator" ? undefined : role;
        return true;
      }
      case "game_started":
      case "game_state":
        this.#begin(message);
        return true;
      case "challenge_declined":
        this.#refusal = "declined";
        return true;
      case "challenge_withdrawn":
        this.#refusal = "withdrawn";
        return true;
    }
    if (!("game" in message)) return true;
    if (this.game?.number !== message.game) return false;
    if (message.type === "game_over") this.color = undefined;
    return this.game.handle(message);
  }

  #load(message: TableState): void {
    this.info = message.info;
    this.color = message.you ?? undefined;
    if (!message.state) {
      this.game?.lose();
      return;
    }
    const isFirst = this.game === undefined;
    const game = this.#begin(message.state);
    // A game that was over before the client came is not its next one.
    if (isFirst && game.over && game.color === undefined) this.#returned = game.number;
    if (game.over) game.offers = message.rematch ? [message.rematch] : [];
    else if (message.legal_moves?.length) game.want(message.legal_moves);
  }

  #begin(state: GameState): Game {
    if (this.game?.number === state.game) {
      if (!this.game.over) this.game.load(state);
      return this.game;
    }
    this.game?.lose();
    this.game = new Game(this, state);
    if (!this.game.over) this.color = this.game.color;
    return this.game;
  }

  /** @internal */
  close(): void {
    this.closed = true;
    this.color = undefined;
    this.game?.lose();
  }
}
