// The messages of the protocol. Written by generate.mjs from docs/schema; do not edit.

/** A bot for a seat of a table that is there. */
export interface AddBot {
  /** The seat. */
  color: SeatWish;
  level?: number | null;
  spec?: string | null;
}

/** A bot that the server is to play: `{"level":3}` or `{"spec":"alpha-beta:depth=7"}`. */
export interface BotRequest {
  level?: number | null;
  spec?: string | null;
}

/** Bots for the seats of a table. */
export interface BotRequests {
  /** For Black's. */
  black?: BotRequest | null;
  /** For White's. */
  white?: BotRequest | null;
}

/** What a player makes of the other's absence. */
export type ClaimedResult = "win" | "draw";

/** How much a client may ask for. Messages that the server has asked for, such as moves, do not count. */
export interface ClientLimits {
  /** Messages that it may send in one burst. */
  message_burst: number;
  /** Messages a second that it may send in the long run. */
  message_rate: number;
  /** Tables at which it may be, and that it may have created, without those whose game is over. */
  tables: number;
}

/** Why a table is no more. */
export type ClosedReason = "idle" | "ended" | "admin";

/** A table as a client wants it. */
export interface CreateTable {
  /** Black's clock, likewise. */
  black_clock?: string | null;
  /** The seats that the server is to play. */
  bots?: BotRequests;
  /** Whether moves may be taken back; without it, they may, unless its games are rated. */
  casual?: boolean | null;
  /** The clock of both sides in the form of `TimeControl`. */
  clock?: string | null;
  /** The client's own seat; without it, the client only watches. */
  color?: SeatWish | null;
  /** When its games are drawn: `fmjd64` or `study`; without it, as on the main table. */
  draw_rules?: string | null;
  /** The opening its games begin from: one of the server's own by its number, from 1, or by its name, or any of them, as `random`, or moves. */
  opening?: string | null;
  /** The name of the client that is asked to play. */
  opponent?: string | null;
  /** Whether its games are rated: between two people with accounts, two bots with accounts, or one of these and a level, with the same clock for both and from the start of the game or a random opening. */
  rated?: boolean;
  /** The position its games begin from. */
  start_fen?: string | null;
  /** Who is to find it. */
  visibility?: Visibility;
  /** White's clock, if it is another. */
  white_clock?: string | null;
}

/** Why a game ended. */
export type EndReason =
  | "no_pieces"
  | "no_moves"
  | "resignation"
  | "time"
  | "time_against_king"
  | "repetition"
  | "kings_against_king"
  | "king_moves"
  | "no_progress"
  | "main_road"
  | "few_pieces"
  | "ply_limit"
  | "agreement"
  | "player_left"
  | "aborted"
  | "abandoned"
  | "adjudication"
  | "forfeit";

/** What was wrong with a message; stable, for programs. */
export type ErrorCode =
  | "bad_json"
  | "unknown_type"
  | "bad_message"
  | "not_joined"
  | "already_joined"
  | "bad_name"
  | "name_taken"
  | "seat_taken"
  | "already_seated"
  | "not_seated"
  | "no_game"
  | "not_your_turn"
  | "wrong_ply"
  | "bad_move"
  | "illegal_move"
  | "ambiguous_move"
  | "too_soon"
  | "already_offered"
  | "no_offer"
  | "nothing_to_take_back"
  | "too_late"
  | "not_casual"
  | "no_rematch"
  | "forbidden"
  | "no_such_player"
  | "bad_game"
  | "game_running"
  | "no_such_table"
  | "too_many_tables"
  | "bad_table"
  | "not_stored"
  | "bots_busy"
  | "bad_bot"
  | "bad_token"
  | "registration_closed"
  | "not_rated"
  | "rated_paused"
  | "event_over"
  | "suspended"
  | "muted"
  | "blocked"
  | "not_absent"
  | "too_many_messages";

/** Who won. */
export type GameResult = "white_won" | "black_won" | "draw" | "interrupted";

/** A game from its beginning to now. */
export interface GameState {
  /** The article of the federation's rules, for a draw that has one. */
  article?: string | null;
  /** Black's name. */
  black: string;
  /** The clocks before the move to come; absent if no side has one. */
  clocks?: WireClocks | null;
  /** The present position. */
  fen: string;
  /** The number of the game at this table, from 1. */
  game: number;
  /** The id of the game, which no other has, in the archive too. */
  id?: string;
  /** The side that left or aborted the game, if that is the reason. */
  left?: WireColor | null;
  /** Every move so far. */
  moves: PlayedMove[];
  /** What is on offer. */
  offers?: OpenOffer[];
  /** How many of the first moves are the opening's, which nobody has thought about. */
  opening_plies?: number;
  /** How many moves have been played. */
  ply: number;
  /** Why. */
  reason?: EndReason | null;
  /** Who won, if anybody, once it is over. */
  result?: GameResult | null;
  /** The number of the last event; those to come follow it without a gap. */
  seq?: number;
  /** The first position. */
  start_fen: string;
  /** The id of the table it is played at. */
  table?: string;
  /** How long the side to move has been asked for, in milliseconds; absent if it has just been. */
  thinking_ms?: number | null;
  /** The side to move. */
  turn: WireColor;
  /** White's name. */
  white: string;
}

/** A seat that a client has. */
export interface HeldSeat {
  /** The side. */
  color: WireColor;
  /** What goes on there. */
  state: TablePhase;
  /** The id of the table. */
  table: string;
}

/** How a client comes in: to the table that the message is about, or to `main`. */
export interface Join {
  /** Enters no table, and is told what happens in the lobby instead. */
  lobby?: boolean;
  /** Whether requests for a move are to list the legal moves. */
  moves?: boolean;
  /** 1–30 characters, unique on the server. */
  name: string;
  /** What the client knows of the table; it is then told only the rest. */
  since?: Since | null;
  /** The secret of an earlier `Joined`: whoever shows it comes back as who they were. */
  token?: string | null;
}

/** The client is in. */
export interface Joined {
  /** Whether the client has an account. */
  account?: boolean;
  /** The draw rules of games that choose none: `fmjd64` or `study`. */
  draw_rules: string;
  /** How long the name is kept for a client that has gone, in milliseconds. */
  grace_ms?: number | null;
  /** How much the client may ask for; servers of earlier versions do not say it. */
  limits?: ClientLimits | null;
  /** The name as it is kept. */
  name: string;
  /** `PROTOCOL_VERSION`. */
  protocol: number;
  /** The clock of a quick game for which the player chooses none; servers of earlier versions do not say it. */
  quick_clock?: string | null;
  /** Who may create an account; absent if the server has no accounts. */
  registration?: Registration | null;
  /** Whether the client came back as who it was. */
  resumed?: boolean;
  /** The client's seats at tables where a game runs or is to begin; the client is not at these tables until it goes there. */
  seats?: HeldSeat[];
  /** The table the client looks at; absent in the lobby. */
  table?: string | null;
  /** The secret with which the client can come back. It is to be kept like a password. */
  token?: string | null;
}

/** Asks for an account under the client's name. */
export interface KeepName {
  /** The code of an invitation, if the server requires one. */
  invitation?: string | null;
}

/** A move that may be played, with every way to carry it out. */
export interface LegalMove {
  /** The captured squares in board order. */
  captures: WireSquare[];
  /** The first square. */
  from: WireSquare;
  /** The shortest text that names it. */
  move: string;
  /** Whether a man becomes a king. */
  promotes: boolean;
  /** Every route with this effect. */
  routes: WireRoute[];
  /** The last square. */
  to: WireSquare;
}

/** Which tables to list. */
export interface ListTables {
  /** Where the last list ended, in its `next`. */
  cursor?: string | null;
  /** How many at most; 50 without it, never more than 100. */
  limit?: number | null;
  /** What is to go on there. */
  state?: TableFilter;
}

/** The game that a message is meant for. */
export interface Meant {
  /** Its number; without it, whatever game there is. */
  game?: number | null;
}

/** A new account. The server sends the codes only once. */
export interface NameKept {
  /** The name. */
  name: string;
  /** Single-use codes that sign in without the token. */
  recovery: string[];
  /** The token of `Joined`, which now signs in to the account. */
  token: string;
}

/** What a player may offer the other. */
export type Offer = "draw" | "takeback" | "rematch";

/** An offer that waits for its answer. */
export interface OpenOffer {
  /** Who offers it. */
  by: WireColor;
  /** What is offered. */
  offer: Offer;
}

/** A phrase. Only its name is sent: whoever hears it reads it in their own language. */
export type Phrase =
  | "hello"
  | "good_luck"
  | "good_move"
  | "oops"
  | "sorry"
  | "one_moment"
  | "thanks"
  | "good_game"
  | "must_go"
  | "goodbye";

/** A sign of life that pages can send. */
export interface Ping {
  /** Any whole number up to 2⁵³, to be repeated in the answer. */
  t?: number | null;
}

/** A move that has been played, as it was played. */
export interface PlayedMove {
  /** The captured squares in order. */
  captures: WireSquare[];
  /** Who played it. */
  color: WireColor;
  /** From the request to the move, by the server's clock, in milliseconds. */
  elapsed_ms: number;
  /** The shortest text that names it. */
  move: string;
  /** How many moves had been played before this one. */
  ply: number;
  /** Whether a man became a king. */
  promotes: boolean;
  /** What the mover tells of the search for it. */
  search?: SearchInfo | null;
  /** Every square the piece stood on, first and last included. */
  squares: WireSquare[];
}

/** Somebody at a table. */
export interface Player {
  /** The bot that the server plays, if it is one: a specification or `level N`. */
  bot?: string | null;
  /** The name given in `join`. */
  name: string;
  /** What they do. */
  role: Role;
}

/** The answer to a `Ping`. */
export interface Pong {
  /** How long a frame takes to the client and back, as the server has measured it, in milliseconds. */
  rtt_ms?: number | null;
  /** The server's time of day in milliseconds since 1970. */
  server_ms: number;
  /** The number of the ping. */
  t?: number | null;
}

/** A request for a game with the next suitable opponent. */
export interface Quick {
  /** The clock of both sides in the form of `TimeControl`; without it, the server's own for quick games. */
  clock?: string | null;
  /** The invitation to the arena, if it needs one and the player has not entered it. */
  invitation?: string | null;
  /** The code of a private ladder, which has a clock of its own; only for bots' accounts. */
  ladder?: string | null;
  /** Whether the game is rated; only for accounts. */
  rated?: boolean;
  /** The id of an arena, which has a clock of its own; only for accounts. */
  tournament?: string | null;
}

/** Who may create an account. */
export type Registration = "open" | "invitation" | "closed";

/** What somebody at a table does there. */
export type Role = "white" | "black" | "spectator";

/** What a bot tells of the search for a move. The server passes it on as it is. */
export interface SearchInfo {
  /** How many plies deep the search went. */
  depth: number;
  /** How many positions it visited. */
  nodes: number;
  /** What it expects to be played, this move first. */
  pv?: WireLine;
  /** What the move is worth to the mover, in units of the bot's own. */
  score: number;
  /** How long it took by the mover's clock, in microseconds. */
  time_us: number;
}

/** Who sits in a seat. */
export interface SeatInfo {
  /** How long they have been away, in milliseconds. */
  absent_ms?: number | null;
  /** The bot that the server plays there, if it does: a specification or `level N`. */
  bot?: string | null;
  /** In how many milliseconds the opponent may claim the game; 0 is at once. */
  claim_in_ms?: number | null;
  /** Whether they are connected. */
  connected: boolean;
  /** Their name. */
  name: string;
}

/** A seat as it is asked for. */
export type SeatWish = "white" | "black" | "random";

/** The seats of a table. */
export interface Seats {
  /** Black's, likewise. */
  black?: SeatInfo | null;
  /** White's; absent if it is free. */
  white?: SeatInfo | null;
}

/** What a client knows of a table's games. */
export interface Since {
  /** The number of the last game it knows. */
  game: number;
  /** The number of the last event of that game that it has had. */
  seq: number;
}

/** What goes on at the tables of a list. */
export type TableFilter = "open" | "live" | "all";

/** A table in a few words. */
export interface TableInfo {
  /** Black's clock, likewise. */
  black_clock?: string | null;
  /** Whether moves may be taken back. */
  casual: boolean;
  /** When its games are drawn: `fmjd64` or `study`. */
  draw_rules: string;
  /** The event that its games belong to, such as the season `ladder-2026-11` of the ladder; without it, none. */
  event?: string | null;
  /** What it is called in messages. */
  id: string;
  /** How it came to be. */
  kind: TableKind;
  /** The name of the player who is asked to play, if one is. */
  opponent?: string | null;
  /** How many moves the running or last game has. */
  ply: number;
  /** Whether its games are rated. */
  rated?: boolean;
  /** Who sits there. */
  seats: Seats;
  /** The position its games begin from, if it is another than the start of the game. */
  start_fen?: string | null;
  /** What goes on. */
  state: TablePhase;
  /** Who finds it. */
  visibility: Visibility;
  /** How many look on. */
  watchers: number;
  /** White's clock in the form of `TimeControl`; without it, none. */
  white_clock?: string | null;
}

/** How a table came to be. */
export type TableKind = "main" | "custom" | "challenge" | "quick" | "correspondence" | "house";

/** A list of public tables. */
export interface TableList {
  /** How many public tables there are where a game runs. */
  live: number;
  /** Where the list goes on, if it does. */
  next?: string | null;
  /** How many public tables there are with a free seat and no game. */
  open: number;
  /** How many clients there are. */
  players: number;
  /** The clocks for which somebody waits for a quick game, one player each. */
  quick?: string[];
  /** The same for rated quick games. */
  quick_rated?: string[];
  /** The tables, the most watched first. */
  tables: TableInfo[];
}

/** What goes on at a table. */
export type TablePhase = "waiting" | "running" | "over";

/** All there is to know of a table: what a client needs that has just come, or has lost track. */
export interface TableState {
  /** What it is. */
  info: TableInfo;
  /** Every legal move, if the client is to move and wants to be told. */
  legal_moves?: LegalMove[];
  /** The offer to play again that is open. */
  rematch?: OpenOffer | null;
  /** The server's time of day in milliseconds since 1970. */
  server_ms: number;
  /** The running game, or the last one. */
  state?: GameState | null;
  /** The table's id. */
  table: string;
  /** The client's own seat, or its side in the game that was just over; absent if it has none. */
  you?: WireColor | null;
}

/** Who finds a table. */
export type Visibility = "public" | "link";

/** A look at a table. */
export interface Watch {
  /** What the client knows of it; it is then told only the rest. */
  since?: Since | null;
}

/** One side's clock before its move. It adds an increment unless it has a delay or a time for every move. */
export interface WireClock {
  /** What of every move takes nothing from what remains, likewise; absent without a delay. */
  delay_ms?: number | null;
  /** What every move adds once it is made, in whole milliseconds, rounded down. */
  increment_ms: number;
  /** The time for every move, likewise; absent if the time is for the game. */
  per_move_ms?: number | null;
  /** What remains for all moves to come, or for this one if each has its own time, in whole milliseconds, rounded down. */
  remaining_ms: number;
}

/** The clocks of a game in which at least one side has one. */
export interface WireClocks {
  /** Black's, if Black has one. */
  black?: WireClock | null;
  /** White's, if White has one. */
  white?: WireClock | null;
}

/** A side on the wire. */
export type WireColor = "white" | "black";

/** The moves that a bot expects to be played, one after the other. */
export type WireLine = string[];

/** One way to carry out a move. */
export interface WireRoute {
  /** The captured squares in order. */
  captures: WireSquare[];
  /** Every square the piece stands on, first and last included. */
  squares: WireSquare[];
}

/** A square on the wire: its name. */
export type WireSquare = string;

/** Comes in under a name; answered by `joined` or `error`. */
export interface JoinRequest {
  type: "join";
  /** Enters no table, and is told what happens in the lobby instead. */
  lobby?: boolean;
  /** Whether requests for a move are to list the legal moves. */
  moves?: boolean;
  /** 1–30 characters, unique on the server. */
  name: string;
  /** What the client knows of the table; it is then told only the rest. */
  since?: Since | null;
  /** The id of the table. */
  table?: string | null;
  /** The secret of an earlier `Joined`: whoever shows it comes back as who they were. */
  token?: string | null;
}

/** Asks for a seat; answered by `players` or `error`. */
export interface TakeSeatRequest {
  type: "take_seat";
  /** The side to play. */
  color: SeatWish;
  /** The id of the table. */
  table?: string | null;
}

/** Gives the seat up; a running game ends as interrupted. */
export interface LeaveSeatRequest {
  type: "leave_seat";
  /** The id of the table. */
  table?: string | null;
}

/** Plays a move; answered by `moved` or `error`. */
export interface MoveRequest {
  type: "move";
  /** The number of the game it is meant for; without it, the running one. */
  game?: number | null;
  /** The client's own name for it, at most `MAX_MOVE_ID` visible characters, repeated in `moved`. */
  id?: string | null;
  /** The move as text: any legal route to it, or a short form that fits no other. */
  move: string;
  /** How many moves have been played before this one. */
  ply: number;
  /** What found it; told to everybody. */
  search?: SearchInfo | null;
  /** The id of the table. */
  table?: string | null;
}

/** Gives the game up; answered by `game_over` or `error`. */
export interface ResignRequest {
  type: "resign";
  /** Its number; without it, whatever game there is. */
  game?: number | null;
  /** The id of the table. */
  table?: string | null;
}

/** Calls the game off before both sides have moved; answered by `game_over` or `error`. */
export interface AbortRequest {
  type: "abort";
  /** Its number; without it, whatever game there is. */
  game?: number | null;
  /** The id of the table. */
  table?: string | null;
}

/** Offers a draw; answered by `offered`, or by `game_over` if the opponent has offered one, or by `error`. */
export interface OfferDrawRequest {
  type: "offer_draw";
  /** Its number; without it, whatever game there is. */
  game?: number | null;
  /** The id of the table. */
  table?: string | null;
}

/** Takes the draw that is offered; answered by `game_over` or `error`. */
export interface AcceptDrawRequest {
  type: "accept_draw";
  /** Its number; without it, whatever game there is. */
  game?: number | null;
  /** The id of the table. */
  table?: string | null;
}

/** Turns it down; answered by `declined` or `error`. */
export interface DeclineDrawRequest {
  type: "decline_draw";
  /** Its number; without it, whatever game there is. */
  game?: number | null;
  /** The id of the table. */
  table?: string | null;
}

/** Asks to take the own last move back; answered by `offered`, or by `took_back` if the opponent has asked too, or by `error`. */
export interface OfferTakebackRequest {
  type: "offer_takeback";
  /** Its number; without it, whatever game there is. */
  game?: number | null;
  /** The id of the table. */
  table?: string | null;
}

/** Lets the opponent take a move back; answered by `took_back` or `error`. */
export interface AcceptTakebackRequest {
  type: "accept_takeback";
  /** Its number; without it, whatever game there is. */
  game?: number | null;
  /** The id of the table. */
  table?: string | null;
}

/** Does not; answered by `declined` or `error`. */
export interface DeclineTakebackRequest {
  type: "decline_takeback";
  /** Its number; without it, whatever game there is. */
  game?: number | null;
  /** The id of the table. */
  table?: string | null;
}

/** Offers to play again; answered by `offered`, or by `game_started` if the opponent has offered it, or by `error`. */
export interface OfferRematchRequest {
  type: "offer_rematch";
  /** Its number; without it, whatever game there is. */
  game?: number | null;
  /** The id of the table. */
  table?: string | null;
}

/** Agrees to play again; answered by `game_started` or `error`. */
export interface AcceptRematchRequest {
  type: "accept_rematch";
  /** Its number; without it, whatever game there is. */
  game?: number | null;
  /** The id of the table. */
  table?: string | null;
}

/** Does not; answered by `declined` or `error`. */
export interface DeclineRematchRequest {
  type: "decline_rematch";
  /** Its number; without it, whatever game there is. */
  game?: number | null;
  /** The id of the table. */
  table?: string | null;
}

/** The director seats two clients and starts their game; answered by `game_started` or `error`. */
export interface ArrangeGameRequest {
  type: "arrange_game";
  /** The name of the client that is to play Black. */
  black: string;
  /** Black's clock, likewise. */
  black_clock?: string | null;
  /** The number the game is to have: above that of every game before. */
  game: number;
  /** The moves of the opening, played before the first request. */
  moves?: string[];
  /** The position to start from; without it, the start of the game. */
  start_fen?: string | null;
  /** The id of the table. */
  table?: string | null;
  /** What shows that the client is the director. */
  token: string;
  /** The name of the client that is to play White. */
  white: string;
  /** White's clock in the form of `TimeControl`; without it, none. */
  white_clock?: string | null;
}

/** The director ends the running game; answered by `game_over` or `error`. */
export interface EndGameRequest {
  type: "end_game";
  /** The number of the game. */
  game: number;
  /** Why. */
  reason: EndReason;
  /** Who is to have won. */
  result: GameResult;
  /** The id of the table. */
  table?: string | null;
  /** What shows that the client is the director. */
  token: string;
}

/** Makes a table and comes to it; answered by `table_created` or `error`. */
export interface CreateTableRequest {
  type: "create_table";
  /** Black's clock, likewise. */
  black_clock?: string | null;
  /** The seats that the server is to play. */
  bots?: BotRequests;
  /** Whether moves may be taken back; without it, they may, unless its games are rated. */
  casual?: boolean | null;
  /** The clock of both sides in the form of `TimeControl`. */
  clock?: string | null;
  /** The client's own seat; without it, the client only watches. */
  color?: SeatWish | null;
  /** When its games are drawn: `fmjd64` or `study`; without it, as on the main table. */
  draw_rules?: string | null;
  /** The opening its games begin from: one of the server's own by its number, from 1, or by its name, or any of them, as `random`, or moves. */
  opening?: string | null;
  /** The name of the client that is asked to play. */
  opponent?: string | null;
  /** Whether its games are rated: between two people with accounts, two bots with accounts, or one of these and a level, with the same clock for both and from the start of the game or a random opening. */
  rated?: boolean;
  /** The position its games begin from. */
  start_fen?: string | null;
  /** The id of the table. */
  table?: string | null;
  /** Who is to find it. */
  visibility?: Visibility;
  /** White's clock, if it is another. */
  white_clock?: string | null;
}

/** Comes to a table; answered by `table_state`, or by what has happened since, or by `error`. */
export interface WatchRequest {
  type: "watch";
  /** What the client knows of it; it is then told only the rest. */
  since?: Since | null;
  /** The id of the table. */
  table?: string | null;
}

/** Goes away from a table; answered by `unwatched`. */
export interface UnwatchRequest {
  type: "unwatch";
  /** The id of the table. */
  table?: string | null;
}

/** Asks for the state of a table that the client is at; answered like `watch`. */
export interface SyncRequest {
  type: "sync";
  /** What the client knows of it; it is then told only the rest. */
  since?: Since | null;
  /** The id of the table. */
  table?: string | null;
}

/** Seats a bot that the server plays; answered by `players` or `error`. */
export interface AddBotRequest {
  type: "add_bot";
  /** The seat. */
  color: SeatWish;
  level?: number | null;
  spec?: string | null;
  /** The id of the table. */
  table?: string | null;
}

/** Does not want to play at the table that somebody has made for it; answered by `challenge_declined`. */
export interface DeclineChallengeRequest {
  type: "decline_challenge";
  /** The id of the table. */
  table?: string | null;
}

/** Wants to play whoever wants to play too; answered by `queued` and then `paired`. */
export interface QuickRequest {
  type: "quick";
  /** The clock of both sides in the form of `TimeControl`; without it, the server's own for quick games. */
  clock?: string | null;
  /** The invitation to the arena, if it needs one and the player has not entered it. */
  invitation?: string | null;
  /** The code of a private ladder, which has a clock of its own; only for bots' accounts. */
  ladder?: string | null;
  /** Whether the game is rated; only for accounts. */
  rated?: boolean;
  /** The id of the table. */
  table?: string | null;
  /** The id of an arena, which has a clock of its own; only for accounts. */
  tournament?: string | null;
}

/** Does not any more; answered by `unqueued`. */
export interface CancelQuickRequest {
  type: "cancel_quick";
  /** The id of the table. */
  table?: string | null;
}

/** Asks which public tables there are; answered by `tables` or `error`. */
export interface ListTablesRequest {
  type: "list_tables";
  /** Where the last list ended, in its `next`. */
  cursor?: string | null;
  /** How many at most; 50 without it, never more than 100. */
  limit?: number | null;
  /** What is to go on there. */
  state?: TableFilter;
  /** The id of the table. */
  table?: string | null;
}

/** Wants to be told what happens in the lobby; answered by `lobby`, again and again. */
export interface SubscribeLobbyRequest {
  type: "subscribe_lobby";
  /** The id of the table. */
  table?: string | null;
}

/** Does not any more. */
export interface UnsubscribeLobbyRequest {
  type: "unsubscribe_lobby";
  /** The id of the table. */
  table?: string | null;
}

/** Wants to see the most watched game, whichever that is; answered by `tv`, again whenever it is another. */
export interface TvRequest {
  type: "tv";
  /** The id of the table. */
  table?: string | null;
}

/** Does not any more. */
export interface LeaveTvRequest {
  type: "leave_tv";
  /** The id of the table. */
  table?: string | null;
}

/** Ends a game whose other player has been away for long; answered by `game_over` or `error`. */
export interface ClaimRequest {
  type: "claim";
  /** How it is to have ended for the client. */
  result: ClaimedResult;
  /** The id of the table. */
  table?: string | null;
}

/** Says something to the opponent; answered by `said` or `error`. */
export interface SayRequest {
  type: "say";
  /** What. */
  phrase: Phrase;
  /** The id of the table. */
  table?: string | null;
}

/** Creates an account under the client's name; answered by `name_kept` or `error`. */
export interface KeepNameRequest {
  type: "keep_name";
  /** The code of an invitation, if the server requires one. */
  invitation?: string | null;
  /** The id of the table. */
  table?: string | null;
}

/** Goes for good: gives its seats up and its name free. The server closes the connection then. */
export interface LeaveRequest {
  type: "leave";
  /** The id of the table. */
  table?: string | null;
}

/** Asks for a sign of life; answered by `pong`. About a table where the client is, it is answered after everything that the client has sent there before. */
export interface PingRequest {
  type: "ping";
  /** Any whole number up to 2⁵³, to be repeated in the answer. */
  t?: number | null;
  /** The id of the table. */
  table?: string | null;
}

/** What a client can send. */
export type ClientMessage =
  | JoinRequest
  | TakeSeatRequest
  | LeaveSeatRequest
  | MoveRequest
  | ResignRequest
  | AbortRequest
  | OfferDrawRequest
  | AcceptDrawRequest
  | DeclineDrawRequest
  | OfferTakebackRequest
  | AcceptTakebackRequest
  | DeclineTakebackRequest
  | OfferRematchRequest
  | AcceptRematchRequest
  | DeclineRematchRequest
  | ArrangeGameRequest
  | EndGameRequest
  | CreateTableRequest
  | WatchRequest
  | UnwatchRequest
  | SyncRequest
  | AddBotRequest
  | DeclineChallengeRequest
  | QuickRequest
  | CancelQuickRequest
  | ListTablesRequest
  | SubscribeLobbyRequest
  | UnsubscribeLobbyRequest
  | TvRequest
  | LeaveTvRequest
  | ClaimRequest
  | SayRequest
  | KeepNameRequest
  | LeaveRequest
  | PingRequest;

/** The client is in, as a spectator unless it has come back to its seat. */
export interface JoinedEvent {
  type: "joined";
  /** Whether the client has an account. */
  account?: boolean;
  /** The draw rules of games that choose none: `fmjd64` or `study`. */
  draw_rules: string;
  /** How long the name is kept for a client that has gone, in milliseconds. */
  grace_ms?: number | null;
  /** How much the client may ask for; servers of earlier versions do not say it. */
  limits?: ClientLimits | null;
  /** The name as it is kept. */
  name: string;
  /** `PROTOCOL_VERSION`. */
  protocol: number;
  /** The clock of a quick game for which the player chooses none; servers of earlier versions do not say it. */
  quick_clock?: string | null;
  /** Who may create an account; absent if the server has no accounts. */
  registration?: Registration | null;
  /** Whether the client came back as who it was. */
  resumed?: boolean;
  /** The client's seats at tables where a game runs or is to begin; the client is not at these tables until it goes there. */
  seats?: HeldSeat[];
  /** The table the client looks at; absent in the lobby. */
  table?: string | null;
  /** The secret with which the client can come back. It is to be kept like a password. */
  token?: string | null;
}

/** Who is here; told to everybody whenever it changes. */
export interface PlayersEvent {
  type: "players";
  /** Who sits, and at most `MAX_LISTED_WATCHERS` of those who look on, in the order of their coming. */
  players: Player[];
  /** The table's id. */
  table?: string;
  /** How many look on, those that are not listed included. */
  watchers?: number;
}

/** A game begins. */
export interface GameStartedEvent {
  type: "game_started";
  /** The article of the federation's rules, for a draw that has one. */
  article?: string | null;
  /** Black's name. */
  black: string;
  /** The clocks before the move to come; absent if no side has one. */
  clocks?: WireClocks | null;
  /** The present position. */
  fen: string;
  /** The number of the game at this table, from 1. */
  game: number;
  /** The id of the game, which no other has, in the archive too. */
  id?: string;
  /** The side that left or aborted the game, if that is the reason. */
  left?: WireColor | null;
  /** Every move so far. */
  moves: PlayedMove[];
  /** What is on offer. */
  offers?: OpenOffer[];
  /** How many of the first moves are the opening's, which nobody has thought about. */
  opening_plies?: number;
  /** How many moves have been played. */
  ply: number;
  /** Why. */
  reason?: EndReason | null;
  /** Who won, if anybody, once it is over. */
  result?: GameResult | null;
  /** The number of the last event; those to come follow it without a gap. */
  seq?: number;
  /** The first position. */
  start_fen: string;
  /** The id of the table it is played at. */
  table?: string;
  /** How long the side to move has been asked for, in milliseconds; absent if it has just been. */
  thinking_ms?: number | null;
  /** The side to move. */
  turn: WireColor;
  /** White's name. */
  white: string;
}

/** The running game, told to a client that comes in while it runs. */
export interface GameStateEvent {
  type: "game_state";
  /** The article of the federation's rules, for a draw that has one. */
  article?: string | null;
  /** Black's name. */
  black: string;
  /** The clocks before the move to come; absent if no side has one. */
  clocks?: WireClocks | null;
  /** The present position. */
  fen: string;
  /** The number of the game at this table, from 1. */
  game: number;
  /** The id of the game, which no other has, in the archive too. */
  id?: string;
  /** The side that left or aborted the game, if that is the reason. */
  left?: WireColor | null;
  /** Every move so far. */
  moves: PlayedMove[];
  /** What is on offer. */
  offers?: OpenOffer[];
  /** How many of the first moves are the opening's, which nobody has thought about. */
  opening_plies?: number;
  /** How many moves have been played. */
  ply: number;
  /** Why. */
  reason?: EndReason | null;
  /** Who won, if anybody, once it is over. */
  result?: GameResult | null;
  /** The number of the last event; those to come follow it without a gap. */
  seq?: number;
  /** The first position. */
  start_fen: string;
  /** The id of the table it is played at. */
  table?: string;
  /** How long the side to move has been asked for, in milliseconds; absent if it has just been. */
  thinking_ms?: number | null;
  /** The side to move. */
  turn: WireColor;
  /** White's name. */
  white: string;
}

/** The receiver is to move. */
export interface YourTurnEvent {
  type: "your_turn";
  /** The clocks as the receiver's starts to run; absent if no side has one. */
  clocks?: WireClocks | null;
  /** The position. */
  fen: string;
  /** The number of the game. */
  game: number;
  /** Every legal move; absent for a client that has not asked for them. */
  legal_moves?: LegalMove[];
  /** How many moves have been played; to be repeated in the answer. */
  ply: number;
  /** The table's id. */
  table?: string;
  /** How long ago the receiver was asked for the first time, in milliseconds; absent if it is asked only now. */
  thinking_ms?: number | null;
}

/** A move has been played. */
export interface MovedEvent {
  type: "moved";
  /** The clocks after it, the increment added; absent if no side has one. */
  clocks?: WireClocks | null;
  /** The position after it. */
  fen: string;
  /** The number of the game. */
  game: number;
  /** What the mover has called it. */
  id?: string | null;
  /** The move. */
  played: PlayedMove;
  /** The number of the event. */
  seq?: number;
  /** The table's id. */
  table?: string;
  /** The side to move after it. */
  turn: WireColor;
}

/** A player has made an offer. */
export interface OfferedEvent {
  type: "offered";
  /** Who offers it. */
  by: WireColor;
  /** The number of the game; for a rematch, of the one that is over. */
  game: number;
  /** What is offered. */
  offer: Offer;
  /** The number of the event; absent for a rematch, which is none. */
  seq?: number | null;
  /** The table's id. */
  table?: string;
}

/** A player has turned an offer down. */
export interface DeclinedEvent {
  type: "declined";
  /** Who turned it down. */
  by: WireColor;
  /** The number of the game, likewise. */
  game: number;
  /** What was offered. */
  offer: Offer;
  /** The number of the event; absent for a rematch, which is none. */
  seq?: number | null;
  /** The table's id. */
  table?: string;
}

/** An offer can be accepted no longer. */
export interface LapsedEvent {
  type: "lapsed";
  /** Who had offered it. */
  by: WireColor;
  /** The number of the game, likewise. */
  game: number;
  /** What was offered. */
  offer: Offer;
  /** The table's id. */
  table?: string;
}

/** Moves have been taken back. */
export interface TookBackEvent {
  type: "took_back";
  /** The clocks, which run on from where they stand; absent if no side has one. */
  clocks?: WireClocks | null;
  /** The position. */
  fen: string;
  /** The number of the game. */
  game: number;
  /** How many moves are left; those from this one on have been taken back. */
  ply: number;
  /** The number of the event. */
  seq?: number;
  /** The table's id. */
  table?: string;
  /** The side to move. */
  turn: WireColor;
}

/** The game is over and both seats are free. */
export interface GameOverEvent {
  type: "game_over";
  /** The article of the federation's rules, for a draw that has one. */
  article?: string | null;
  /** The last position. */
  fen: string;
  /** The number of the game. */
  game: number;
  /** The id of the game in the archive. */
  id?: string;
  /** The side that left or aborted the game, if that is the reason. */
  left?: WireColor | null;
  /** How many moves were played. */
  ply: number;
  /** Why. */
  reason: EndReason;
  /** Who won, if anybody. */
  result: GameResult;
  /** The number of the event. */
  seq?: number;
  /** The table's id. */
  table?: string;
}

/** A player's move was refused: told to the director of an arranged game. */
export interface MoveRefusedEvent {
  type: "move_refused";
  /** What is wrong, for programs. */
  code: ErrorCode;
  /** Whose move it was. */
  color: WireColor;
  /** The number of the game. */
  game: number;
  /** What is wrong, for people. */
  message: string;
  /** The move as it was sent. */
  move: string;
  /** How many moves have been played in it. */
  ply: number;
  /** The table's id. */
  table?: string;
}

/** A player said what is no message of the protocol: told to the director of an arranged game. */
export interface MisbehavedEvent {
  type: "misbehaved";
  /** Which player. */
  color: WireColor;
  /** The number of the game. */
  game: number;
  /** What is wrong, for people. */
  message: string;
  /** The table's id. */
  table?: string;
}

/** A message was refused; the client stays where it was. */
export interface ErrorEvent {
  type: "error";
  /** For an ambiguous move: the moves it could mean. */
  candidates?: string[];
  /** What is wrong, for programs. */
  code: ErrorCode;
  /** What is wrong, for people. */
  message: string;
  /** The id of the table that the message was about, if it was about one. */
  table?: string | null;
}

/** A move has been played already: the answer to a move that was sent again. */
export interface AcknowledgedEvent {
  type: "acknowledged";
  /** The number of the game. */
  game: number;
  /** What the mover has called it. */
  id?: string | null;
  /** Its ply. */
  ply: number;
  /** The number of the event that the move is. */
  seq: number;
  /** The table's id. */
  table: string;
}

/** A player of the running game has gone or has come back. */
export interface PresenceEvent {
  type: "presence";
  /** In how many milliseconds the opponent may claim the game, if they are not. */
  claim_in_ms?: number | null;
  /** Which player. */
  color: WireColor;
  /** Whether they are here now. */
  connected: boolean;
  /** The table's id. */
  table: string;
}

/** The clocks while the side to move thinks: told after what a client had missed. */
export interface ClocksEvent {
  type: "clocks";
  /** The clocks as the side to move was asked. */
  clocks: WireClocks;
  /** The number of the game. */
  game: number;
  /** How many moves have been played. */
  ply: number;
  /** The table's id. */
  table: string;
  /** How long ago that was, in milliseconds; absent while the clocks stand. */
  thinking_ms?: number | null;
}

/** A player has said something. It is told once and kept nowhere. */
export interface SaidEvent {
  type: "said";
  /** Who has said it. */
  by: WireColor;
  /** What. */
  phrase: Phrase;
  /** The table's id. */
  table: string;
}

/** How many look on, when it has changed much. */
export interface WatchersEvent {
  type: "watchers";
  /** How many. */
  count: number;
  /** The table's id. */
  table: string;
}

/** All there is to know of a table. */
export interface TableStateEvent {
  type: "table_state";
  /** What it is. */
  info: TableInfo;
  /** Every legal move, if the client is to move and wants to be told. */
  legal_moves?: LegalMove[];
  /** The offer to play again that is open. */
  rematch?: OpenOffer | null;
  /** The server's time of day in milliseconds since 1970. */
  server_ms: number;
  /** The running game, or the last one. */
  state?: GameState | null;
  /** The table's id. */
  table: string;
  /** The client's own seat, or its side in the game that was just over; absent if it has none. */
  you?: WireColor | null;
}

/** Whether the server can keep what happens. While it cannot, nothing happens and no clock runs. */
export interface StorageEvent {
  type: "storage";
  /** Whether it can. */
  ok: boolean;
  /** The table's id. */
  table: string;
}

/** The client's table is there, and the client at it. */
export interface TableCreatedEvent {
  type: "table_created";
  /** Its id. */
  table: string;
}

/** The tables that were asked for. */
export interface TablesEvent {
  type: "tables";
  /** How many public tables there are where a game runs. */
  live: number;
  /** Where the list goes on, if it does. */
  next?: string | null;
  /** How many public tables there are with a free seat and no game. */
  open: number;
  /** How many clients there are. */
  players: number;
  /** The clocks for which somebody waits for a quick game, one player each. */
  quick?: string[];
  /** The same for rated quick games. */
  quick_rated?: string[];
  /** The tables, the most watched first. */
  tables: TableInfo[];
}

/** The first public tables, open ones and live ones, told whenever that has changed. */
export interface LobbyEvent {
  type: "lobby";
  /** How many public tables there are where a game runs. */
  live: number;
  /** Where the list goes on, if it does. */
  next?: string | null;
  /** How many public tables there are with a free seat and no game. */
  open: number;
  /** How many clients there are. */
  players: number;
  /** The clocks for which somebody waits for a quick game, one player each. */
  quick?: string[];
  /** The same for rated quick games. */
  quick_rated?: string[];
  /** The tables, the most watched first. */
  tables: TableInfo[];
}

/** The client is at a table no more. */
export interface UnwatchedEvent {
  type: "unwatched";
  /** The table's id. */
  table: string;
}

/** A table is no more. */
export interface TableClosedEvent {
  type: "table_closed";
  /** Why. */
  reason: ClosedReason;
  /** Its id. */
  table: string;
}

/** The client waits for somebody to play. */
export interface QueuedEvent {
  type: "queued";
  /** The clock of the game to come; absent if it has none. */
  clock?: string | null;
  /** Whether it is rated. */
  rated?: boolean;
  /** The id of the arena that it belongs to, if any. */
  tournament?: string | null;
}

/** The client does not wait any more. */
export interface UnqueuedEvent {
  type: "unqueued";
}

/** Somebody has been found: the client has its seat at a table. */
export interface PairedEvent {
  type: "paired";
  /** The client's side. */
  color: WireColor;
  /** The table's id. */
  table: string;
}

/** What there is to be seen. */
export interface TvEvent {
  type: "tv";
  /** The id of the table; absent while no game runs. */
  table?: string | null;
}

/** Somebody wants to play the client. */
export interface ChallengedEvent {
  type: "challenged";
  /** Their name. */
  by: string;
  /** What kind of a game it is to be. */
  info: TableInfo;
  /** The id of the table where they wait. */
  table: string;
}

/** Whom the client wants to play does not. */
export interface ChallengeDeclinedEvent {
  type: "challenge_declined";
  /** Who has declined. */
  by: string;
  /** The id of the table. */
  table: string;
}

/** Who wanted to play the client does not any more. */
export interface ChallengeWithdrawnEvent {
  type: "challenge_withdrawn";
  /** The id of the table. */
  table: string;
}

/** Another connection has shown the client's token and is the client now. This one is closed. */
export interface ReplacedEvent {
  type: "replaced";
}

/** The server goes down and comes back. */
export interface RestartingEvent {
  type: "restarting";
  /** How long to stay away, in milliseconds. */
  delay_ms: number;
  /** How long it goes on before it closes the connection, in milliseconds; absent if it does so now. */
  in_ms?: number | null;
}

/** The answer to `ping`. */
export interface PongEvent {
  type: "pong";
  /** How long a frame takes to the client and back, as the server has measured it, in milliseconds. */
  rtt_ms?: number | null;
  /** The server's time of day in milliseconds since 1970. */
  server_ms: number;
  /** The number of the ping. */
  t?: number | null;
}

/** The client's account was created. */
export interface NameKeptEvent {
  type: "name_kept";
  /** The name. */
  name: string;
  /** Single-use codes that sign in without the token. */
  recovery: string[];
  /** The token of `Joined`, which now signs in to the account. */
  token: string;
}

/** What the server sends. */
export type ServerMessage =
  | JoinedEvent
  | PlayersEvent
  | GameStartedEvent
  | GameStateEvent
  | YourTurnEvent
  | MovedEvent
  | OfferedEvent
  | DeclinedEvent
  | LapsedEvent
  | TookBackEvent
  | GameOverEvent
  | MoveRefusedEvent
  | MisbehavedEvent
  | ErrorEvent
  | AcknowledgedEvent
  | PresenceEvent
  | ClocksEvent
  | SaidEvent
  | WatchersEvent
  | TableStateEvent
  | StorageEvent
  | TableCreatedEvent
  | TablesEvent
  | LobbyEvent
  | UnwatchedEvent
  | TableClosedEvent
  | QueuedEvent
  | UnqueuedEvent
  | PairedEvent
  | TvEvent
  | ChallengedEvent
  | ChallengeDeclinedEvent
  | ChallengeWithdrawnEvent
  | ReplacedEvent
  | RestartingEvent
  | PongEvent
  | NameKeptEvent;

/** The types of the server's messages. */
export const SERVER_MESSAGES: ReadonlySet<string> = new Set([
  "joined",
  "players",
  "game_started",
  "game_state",
  "your_turn",
  "moved",
  "offered",
  "declined",
  "lapsed",
  "took_back",
  "game_over",
  "move_refused",
  "misbehaved",
  "error",
  "acknowledged",
  "presence",
  "clocks",
  "said",
  "watchers",
  "table_state",
  "storage",
  "table_created",
  "tables",
  "lobby",
  "unwatched",
  "table_closed",
  "queued",
  "unqueued",
  "paired",
  "tv",
  "challenged",
  "challenge_declined",
  "challenge_withdrawn",
  "replaced",
  "restarting",
  "pong",
  "name_kept",
]);

/** The fields of `CreateTable`. */
export const TABLE_WISHES: ReadonlySet<string> = new Set([
  "black_clock",
  "bots",
  "casual",
  "clock",
  "color",
  "draw_rules",
  "opening",
  "opponent",
  "rated",
  "start_fen",
  "visibility",
  "white_clock",
]);
