// The messages of the protocol. Written by generate.mjs from docs/schema; do not edit.

/** Seats a bot of the server at an existing table. */
export interface AddBot {
  /** The seat: `white`, `black`, or `random` for one that is free. */
  color: SeatWish;
  level?: number | null;
  spec?: string | null;
}

/** A bot of the server, by level or by specification: `{"level":3}` or `{"spec":"alpha-beta:depth=7"}`. */
export interface BotRequest {
  level?: number | null;
  spec?: string | null;
}

/** Bots of the server for the seats of a table. */
export interface BotRequests {
  /** The bot for Black's seat. If absent, none. */
  black?: BotRequest | null;
  /** The bot for White's seat. If absent, none. */
  white?: BotRequest | null;
}

/** The result that a player claims when the opponent is absent. */
export type ClaimedResult = "win" | "draw";

/** The limits for a client. Messages that the server has requested, such as moves, do not count. */
export interface ClientLimits {
  /** The maximum number of messages in one burst. */
  message_burst: number;
  /** The number of messages per second that the client may send in the long run. */
  message_rate: number;
  /** The maximum number of tables that the client may be at, and that it may have created, not counting those whose game is over. */
  tables: number;
}

/** Why a table was closed. */
export type ClosedReason = "idle" | "ended" | "admin";

/** The settings of a new table. All fields are optional. */
export interface CreateTable {
  /** Black's clock. If absent, `clock`. */
  black_clock?: string | null;
  /** The bots of the server for the seats. If absent, none. */
  bots?: BotRequests;
  /** Whether moves can be taken back. If absent, they can, unless games are rated. */
  casual?: boolean | null;
  /** The clock of both sides, such as `10s+100ms`. If absent, a side without its own clock has none. */
  clock?: string | null;
  /** The client's own seat. If absent, the client is a spectator. */
  color?: SeatWish | null;
  /** The draw rules of its games: `fmjd64` or `study`. If absent, those of the table `main`. */
  draw_rules?: string | null;
  /** The opening of its games: the number of one of the server's openings, from 1, or its name; `random` for any of them; or moves, such as `c3-d4 d6-c5`. If absent, games have no opening. */
  opening?: string | null;
  /** The name of a connected client, which is challenged to play. If absent, the table is open to all. */
  opponent?: string | null;
  /** Whether its games are rated. If absent, `false`. Rated games are between two people with accounts, two bots with accounts, or one of these and a level of the server. Both sides have the same clock, `casual` is not `true`, and there is no `start_fen` and no `opening` except `random`. */
  rated?: boolean;
  /** The start position of its games as FEN. If absent, the initial position. */
  start_fen?: string | null;
  /** Who can find the table. If absent, `public`. */
  visibility?: Visibility;
  /** White's clock. If absent, `clock`. */
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

/** What was wrong with a message, for programs. The codes are stable. */
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

/** The result of a game. */
export type GameResult = "white_won" | "black_won" | "draw" | "interrupted";

/** The state of a game, with all moves so far. */
export interface GameState {
  /** The article of the FMJD's rules that makes the game a draw, such as `7.2.3`. Absent for all other endings. */
  article?: string | null;
  /** The name of Black's player. */
  black: string;
  /** The clocks at the moment when the turn of the side to move started. Absent if no side has a clock. */
  clocks?: WireClocks | null;
  /** The current position as FEN. */
  fen: string;
  /** The number of the game at this table, from 1. */
  game: number;
  /** The id of the game, unique on the server. The archive has the game under this id. */
  id?: string;
  /** The side that left or aborted the game. Absent for reasons other than `player_left` and `aborted`, and if both sides left. */
  left?: WireColor | null;
  /** All moves played so far, those of the opening included. */
  moves: PlayedMove[];
  /** The open offers. */
  offers?: OpenOffer[];
  /** The number of moves at the beginning that belong to the opening. The server played them, and they took no time. */
  opening_plies?: number;
  /** The number of moves played. */
  ply: number;
  /** Why the game ended. Absent while it is running. */
  reason?: EndReason | null;
  /** The result. Absent while the game is running. */
  result?: GameResult | null;
  /** The number of the game's last event. Later events continue from it without gaps. */
  seq?: number;
  /** The start position as FEN, before the moves of the opening. */
  start_fen: string;
  /** The table's id. */
  table?: string;
  /** How long the turn of the side to move has lasted, in milliseconds. Absent if it starts now, and if the game is over. */
  thinking_ms?: number | null;
  /** The side to move. */
  turn: WireColor;
  /** The name of White's player. */
  white: string;
}

/** A seat of a client. */
export interface HeldSeat {
  /** The client's side. */
  color: WireColor;
  /** The state of the table. */
  state: TablePhase;
  /** The id of the table. */
  table: string;
}

/** Joins the server and enters the table in `table`, or `main` if it is absent. */
export interface Join {
  /** Whether to subscribe to the lobby instead of entering a table. If absent, `false`. */
  lobby?: boolean;
  /** Whether `your_turn` and `table_state` list the legal moves. If absent, `true`. */
  moves?: boolean;
  /** The client's name: 1–30 visible characters, unique on the server together with look-alikes. With the token of an account, the name of the account is used instead. */
  name: string;
  /** The last event that the client has received from the table: the server sends only the events after it. If absent, the server sends the running game. */
  since?: Since | null;
  /** The token of an earlier `joined`, which resumes that session, or the token of an account or a bot. If absent, the server creates a new one. */
  token?: string | null;
}

/** The client has joined the server. */
export interface Joined {
  /** Whether the client has an account. Absent means `false`. */
  account?: boolean;
  /** The draw rules of the table, or without a table those of new tables that choose none: `fmjd64` or `study`. */
  draw_rules: string;
  /** How long the name stays reserved after the client has disconnected, in milliseconds. */
  grace_ms?: number | null;
  /** The limits for the client. Absent on servers of earlier versions. */
  limits?: ClientLimits | null;
  /** The client's name. */
  name: string;
  /** The version of the protocol, 1. */
  protocol: number;
  /** The clock of quick games for which the client chooses none, such as `3m+2s`. Absent on servers of earlier versions. */
  quick_clock?: string | null;
  /** Who may create an account. Absent if the server has no accounts. */
  registration?: Registration | null;
  /** Whether an earlier session was resumed. Absent means `false`. */
  resumed?: boolean;
  /** The client's seats at tables where a game is running or has yet to start. The client is not at these tables until it enters them with `watch`. */
  seats?: HeldSeat[];
  /** The id of the table that the client has entered. Absent if it joined with `lobby`. */
  table?: string | null;
  /** The token that resumes this session: 32 or 64 hexadecimal digits. Keep it like a password. */
  token?: string | null;
}

/** Creates an account under the client's name. */
export interface KeepName {
  /** The code of an invitation. It is required if `registration` of `joined` is `invitation`. */
  invitation?: string | null;
}

/** A legal move, with all routes that carry it out. */
export interface LegalMove {
  /** The captured squares in board order. */
  captures: WireSquare[];
  /** The square that the piece leaves. */
  from: WireSquare;
  /** The shortest text that identifies the move, such as `c3-d4`. */
  move: string;
  /** Whether a man is promoted to a king. */
  promotes: boolean;
  /** All routes with this effect. */
  routes: WireRoute[];
  /** The square where the piece ends. */
  to: WireSquare;
}

/** Selects the tables to list. */
export interface ListTables {
  /** The `next` of the previous list, to continue after it. If absent, the list starts with the first table. */
  cursor?: string | null;
  /** The maximum number of tables, at most 100. If absent, 50. */
  limit?: number | null;
  /** The state of the tables to list. If absent, `all`. */
  state?: TableFilter;
}

/** The game that a message is for. It protects against messages that arrive late. */
export interface Meant {
  /** The number of the game; for a rematch, that of the finished game. If absent, the message is for the running game, or for a rematch of the last one. */
  game?: number | null;
}

/** A new account. The server sends the recovery codes only once. */
export interface NameKept {
  /** The name of the account. */
  name: string;
  /** Ten codes. Each signs in once without the token. */
  recovery: string[];
  /** The token of `joined`, which now signs in to the account. Keep it like a password. */
  token: string;
}

/** What a player may offer the opponent. */
export type Offer = "draw" | "takeback" | "rematch";

/** An offer that the opponent has not answered yet. */
export interface OpenOffer {
  /** The side that made the offer; for a rematch, its colour in the finished game. */
  by: WireColor;
  /** The kind of offer. */
  offer: Offer;
}

/** A phrase. Only its name is sent, so that clients can show it in the user's language. */
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

/** Requests a `pong`, for programs that cannot send WebSocket pings, such as web pages. */
export interface Ping {
  /** Any whole number up to 2⁵³, which the answer repeats. */
  t?: number | null;
}

/** A move that was played. */
export interface PlayedMove {
  /** The captured squares in the order of the route. */
  captures: WireSquare[];
  /** The side that played it. */
  color: WireColor;
  /** The time charged for the move, in milliseconds: from the request until the server received the move, minus the network delay that the server returned. 0 for moves of the opening. */
  elapsed_ms: number;
  /** The shortest text that identifies the move, such as `c3-d4`. */
  move: string;
  /** The number of moves of both sides played before this one. */
  ply: number;
  /** Whether a man was promoted to a king. */
  promotes: boolean;
  /** What the mover reported of its search. Absent if it reported nothing. */
  search?: SearchInfo | null;
  /** The squares of the route in order, including the first and the last. */
  squares: WireSquare[];
}

/** A player or a spectator of a table. */
export interface Player {
  /** For a bot of the server, what it is: `level N` or its specification. Absent for all others. */
  bot?: string | null;
  /** The name. */
  name: string;
  /** The role at the table. */
  role: Role;
}

/** The answer to `ping`. */
export interface Pong {
  /** The round-trip time that the server has measured for this connection, in milliseconds. Absent if it has not measured it yet. */
  rtt_ms?: number | null;
  /** The server's time, in milliseconds since 1970, UTC. */
  server_ms: number;
  /** The number in the `ping`. Absent if it had none. */
  t?: number | null;
}

/** Requests a game against the next suitable opponent. Bots are paired with bots, people with people. */
export interface Quick {
  /** The clock of both sides, such as `3m+2s`. If absent, `quick_clock` of `joined`. */
  clock?: string | null;
  /** The invitation to the tournament, if it needs one and the client has not entered the tournament yet. */
  invitation?: string | null;
  /** The code of a private ladder, which determines the clock; only for accounts of bots. If absent, the game is not for a private ladder. */
  ladder?: string | null;
  /** Whether the game is rated; only for accounts. If absent, `false`. */
  rated?: boolean;
  /** The id of a tournament, which determines the clock; only for accounts. If absent, the game is not for a tournament. */
  tournament?: string | null;
}

/** Who may create an account. */
export type Registration = "open" | "invitation" | "closed";

/** The role of a client at a table. */
export type Role = "white" | "black" | "spectator";

/** What a bot reports of its search for a move. The server passes it on unchanged. */
export interface SearchInfo {
  /** The depth of the search in plies. */
  depth: number;
  /** The number of positions visited. */
  nodes: number;
  /** The line that the bot expects, starting with this move: at most 64 moves. Absent if the bot reports none. */
  pv?: WireLine;
  /** The value of the move in the bot's own units; positive if the mover is better. */
  score: number;
  /** The duration of the search in microseconds, measured by the bot. */
  time_us: number;
}

/** The player in a seat. */
export interface SeatInfo {
  /** How long the player has been disconnected, in milliseconds. Absent if the player is connected. */
  absent_ms?: number | null;
  /** For a bot of the server, what it is: `level N` or its specification. Absent for all others. */
  bot?: string | null;
  /** The time until the opponent may claim the game, in milliseconds; 0 means now. Absent if the player is connected, in lists of tables, and in a game by correspondence. */
  claim_in_ms?: number | null;
  /** Whether the player is connected. */
  connected: boolean;
  /** The player's name. */
  name: string;
}

/** The seat that a client requests. */
export type SeatWish = "white" | "black" | "random";

/** The seats of a table. */
export interface Seats {
  /** Black's seat. Absent if it is free. */
  black?: SeatInfo | null;
  /** White's seat. Absent if it is free. */
  white?: SeatInfo | null;
}

/** The last event that a client has received from a table. */
export interface Since {
  /** The number of the game. */
  game: number;
  /** The number of the last event of that game which the client has received. */
  seq: number;
}

/** The state of the tables of a list. */
export type TableFilter = "open" | "live" | "all";

/** A table's entry in lists: its settings, players and state. */
export interface TableInfo {
  /** Black's clock, such as `10s+100ms`. Absent if Black has none. */
  black_clock?: string | null;
  /** Whether moves can be taken back. */
  casual: boolean;
  /** The draw rules of its games: `fmjd64` or `study`. */
  draw_rules: string;
  /** The event that its games belong to, such as the season `ladder-2026-11` of the ladder. Absent if they belong to none. */
  event?: string | null;
  /** The table's id. */
  id: string;
  /** The kind of the table. */
  kind: TableKind;
  /** The name of the challenged client. Absent if there is none. */
  opponent?: string | null;
  /** The number of moves of the running or last game. */
  ply: number;
  /** Whether its games are rated. Absent means `false`. */
  rated?: boolean;
  /** The players in the seats. */
  seats: Seats;
  /** The start position of its games as FEN, before the moves of an opening. Absent for the initial position. */
  start_fen?: string | null;
  /** The state of the table. */
  state: TablePhase;
  /** Who can find the table. */
  visibility: Visibility;
  /** The number of spectators. */
  watchers: number;
  /** White's clock, such as `10s+100ms`. Absent if White has none. */
  white_clock?: string | null;
}

/** The kind of a table, by its origin. */
export type TableKind = "main" | "custom" | "challenge" | "quick" | "correspondence" | "house";

/** A list of public tables. */
export interface TableList {
  /** The number of public tables with a running game. */
  live: number;
  /** The cursor for the rest of the list. Absent if the list is complete. */
  next?: string | null;
  /** The number of public tables with a free seat and no running game. */
  open: number;
  /** The number of connected clients. */
  players: number;
  /** The clocks of the unrated quick games for which people wait, one entry for each person, at most 20. Absent if no one waits. */
  quick?: string[];
  /** The clocks of the rated quick games for which people wait, likewise. */
  quick_rated?: string[];
  /** The tables: those with running games first, and among these those with the most spectators. */
  tables: TableInfo[];
}

/** The state of a table. */
export type TablePhase = "waiting" | "running" | "over";

/** The complete state of a table, for a client that has just entered it or has missed events. */
export interface TableState {
  /** The table's entry, with its settings and players. */
  info: TableInfo;
  /** All legal moves. Absent if the client is not to move, or has joined with `moves` false. */
  legal_moves?: LegalMove[];
  /** The open offer of a rematch. Absent if there is none. */
  rematch?: OpenOffer | null;
  /** The server's time, in milliseconds since 1970, UTC. */
  server_ms: number;
  /** The running game, or else the last one. Absent if there was none. */
  state?: GameState | null;
  /** The table's id. */
  table: string;
  /** The client's side at the table, or in the last game while a rematch is possible. Absent for a spectator. */
  you?: WireColor | null;
}

/** Who can find a table. */
export type Visibility = "public" | "link";

/** Requests the state of a table. */
export interface Watch {
  /** The last event that the client has received from the table: the server sends only the events after it. If absent, the server sends the full state. */
  since?: Since | null;
}

/** The clock of one side, before its move. It is of one of three kinds: with an increment, which may be 0, with a delay, or with a fixed time for each move. All times are whole milliseconds, rounded down. */
export interface WireClock {
  /** The delay in milliseconds: the part of each move's time that is free. Unused delay is lost. Absent if the clock has no delay. */
  delay_ms?: number | null;
  /** The increment in milliseconds, added after each move of the side. 0 if there is none. */
  increment_ms: number;
  /** The time for each move in milliseconds: `remaining_ms` is reset to it after every move of the side. Absent if the time is for the game. */
  per_move_ms?: number | null;
  /** The remaining time in milliseconds: for the rest of the game, or with `per_move_ms` for this move. */
  remaining_ms: number;
}

/** The clocks of a game in which at least one side has a clock. */
export interface WireClocks {
  /** Black's clock. Absent if Black has none. */
  black?: WireClock | null;
  /** White's clock. Absent if White has none. */
  white?: WireClock | null;
}

/** A side: White or Black. */
export type WireColor = "white" | "black";

/** The moves that a bot expects to be played, one after the other. */
export type WireLine = string[];

/** A route: one way to carry out a move. */
export interface WireRoute {
  /** The captured squares in the order of the route. */
  captures: WireSquare[];
  /** The squares of the route in order, including the first and the last. */
  squares: WireSquare[];
}

/** The name of a square, such as `c3`. */
export type WireSquare = string;

/** Joins the server under a name. Answered by `joined` or `error`. */
export interface JoinRequest {
  type: "join";
  /** Whether to subscribe to the lobby instead of entering a table. If absent, `false`. */
  lobby?: boolean;
  /** Whether `your_turn` and `table_state` list the legal moves. If absent, `true`. */
  moves?: boolean;
  /** The client's name: 1–30 visible characters, unique on the server together with look-alikes. With the token of an account, the name of the account is used instead. */
  name: string;
  /** The last event that the client has received from the table: the server sends only the events after it. If absent, the server sends the running game. */
  since?: Since | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
  /** The token of an earlier `joined`, which resumes that session, or the token of an account or a bot. If absent, the server creates a new one. */
  token?: string | null;
}

/** Takes a seat. Answered by `players`, then by `game_started` if both seats are taken; or by `error`. */
export interface TakeSeatRequest {
  type: "take_seat";
  /** The seat: `white`, `black`, or `random` for one that is free. */
  color: SeatWish;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Leaves the seat, which resigns a running game: if both sides have moved, the opponent wins; otherwise, and in an arranged game, the game ends as `interrupted`. Answered by `players`, before it by `game_over` if a game was running; or by `error`. */
export interface LeaveSeatRequest {
  type: "leave_seat";
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Plays a move. Answered by `moved`, by `acknowledged` if the move was already played, or by `error`. */
export interface MoveRequest {
  type: "move";
  /** The number of the game that the move is for. If absent, the running game. */
  game?: number | null;
  /** An id that the client chooses for the move: 1–36 visible characters. `moved` and `acknowledged` repeat it. */
  id?: string | null;
  /** The move as text, such as `c3-d4` or `c3:e5`: one of its routes, or a short form that matches no other legal move. */
  move: string;
  /** The number of moves of both sides played before this one. */
  ply: number;
  /** The search that found the move, if the client reports it. It is sent to everyone at the table. */
  search?: SearchInfo | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Resigns the game. Answered by `game_over` or `error`. */
export interface ResignRequest {
  type: "resign";
  /** The number of the game; for a rematch, that of the finished game. If absent, the message is for the running game, or for a rematch of the last one. */
  game?: number | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Aborts the game before both sides have moved. Answered by `game_over` or `error`. */
export interface AbortRequest {
  type: "abort";
  /** The number of the game; for a rematch, that of the finished game. If absent, the message is for the running game, or for a rematch of the last one. */
  game?: number | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Offers a draw. Answered by `offered`, by `game_over` if the opponent has also offered one, or by `error`. */
export interface OfferDrawRequest {
  type: "offer_draw";
  /** The number of the game; for a rematch, that of the finished game. If absent, the message is for the running game, or for a rematch of the last one. */
  game?: number | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Accepts the opponent's draw offer. Answered by `game_over` or `error`. */
export interface AcceptDrawRequest {
  type: "accept_draw";
  /** The number of the game; for a rematch, that of the finished game. If absent, the message is for the running game, or for a rematch of the last one. */
  game?: number | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Declines the opponent's draw offer. Answered by `declined` or `error`. */
export interface DeclineDrawRequest {
  type: "decline_draw";
  /** The number of the game; for a rematch, that of the finished game. If absent, the message is for the running game, or for a rematch of the last one. */
  game?: number | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Asks the opponent for a takeback of the client's last move. Answered by `offered`, by `took_back` if the opponent has also asked for one, or by `error`. */
export interface OfferTakebackRequest {
  type: "offer_takeback";
  /** The number of the game; for a rematch, that of the finished game. If absent, the message is for the running game, or for a rematch of the last one. */
  game?: number | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Accepts the takeback that the opponent asked for. Answered by `took_back` or `error`. */
export interface AcceptTakebackRequest {
  type: "accept_takeback";
  /** The number of the game; for a rematch, that of the finished game. If absent, the message is for the running game, or for a rematch of the last one. */
  game?: number | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Declines the takeback that the opponent asked for. Answered by `declined` or `error`. */
export interface DeclineTakebackRequest {
  type: "decline_takeback";
  /** The number of the game; for a rematch, that of the finished game. If absent, the message is for the running game, or for a rematch of the last one. */
  game?: number | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Offers a rematch. Answered by `offered`, by `game_started` if the opponent has also offered one, or by `error`. */
export interface OfferRematchRequest {
  type: "offer_rematch";
  /** The number of the game; for a rematch, that of the finished game. If absent, the message is for the running game, or for a rematch of the last one. */
  game?: number | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Accepts the opponent's rematch offer. Answered by `game_started` or `error`. */
export interface AcceptRematchRequest {
  type: "accept_rematch";
  /** The number of the game; for a rematch, that of the finished game. If absent, the message is for the running game, or for a rematch of the last one. */
  game?: number | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Declines the opponent's rematch offer. Answered by `declined` or `error`. */
export interface DeclineRematchRequest {
  type: "decline_rematch";
  /** The number of the game; for a rematch, that of the finished game. If absent, the message is for the running game, or for a rematch of the last one. */
  game?: number | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Seats two clients and starts a game between them; only for the director. Answered by `game_started` or `error`. */
export interface ArrangeGameRequest {
  type: "arrange_game";
  /** The name of the client that plays Black. */
  black: string;
  /** Black's clock, such as `10s+100ms`. If absent, Black has no clock. */
  black_clock?: string | null;
  /** The number of the new game. It must be greater than that of every earlier game. */
  game: number;
  /** The moves of the opening. The server plays them before it requests the first move; they take no time. */
  moves?: string[];
  /** The start position as FEN. If absent, the initial position. */
  start_fen?: string | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
  /** The director's token. */
  token: string;
  /** The name of the client that plays White. */
  white: string;
  /** White's clock, such as `10s+100ms`. If absent, White has no clock. */
  white_clock?: string | null;
}

/** Ends the running game; only for the director. Answered by `game_over` or `error`. */
export interface EndGameRequest {
  type: "end_game";
  /** The number of the game at this table. */
  game: number;
  /** Why the game ended. */
  reason: EndReason;
  /** The result of the game. */
  result: GameResult;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
  /** The director's token. */
  token: string;
}

/** Creates a table and enters it. Answered by `table_created`, then as `watch`; or by `error`. */
export interface CreateTableRequest {
  type: "create_table";
  /** Black's clock. If absent, `clock`. */
  black_clock?: string | null;
  /** The bots of the server for the seats. If absent, none. */
  bots?: BotRequests;
  /** Whether moves can be taken back. If absent, they can, unless games are rated. */
  casual?: boolean | null;
  /** The clock of both sides, such as `10s+100ms`. If absent, a side without its own clock has none. */
  clock?: string | null;
  /** The client's own seat. If absent, the client is a spectator. */
  color?: SeatWish | null;
  /** The draw rules of its games: `fmjd64` or `study`. If absent, those of the table `main`. */
  draw_rules?: string | null;
  /** The opening of its games: the number of one of the server's openings, from 1, or its name; `random` for any of them; or moves, such as `c3-d4 d6-c5`. If absent, games have no opening. */
  opening?: string | null;
  /** The name of a connected client, which is challenged to play. If absent, the table is open to all. */
  opponent?: string | null;
  /** Whether its games are rated. If absent, `false`. Rated games are between two people with accounts, two bots with accounts, or one of these and a level of the server. Both sides have the same clock, `casual` is not `true`, and there is no `start_fen` and no `opening` except `random`. */
  rated?: boolean;
  /** The start position of its games as FEN. If absent, the initial position. */
  start_fen?: string | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
  /** Who can find the table. If absent, `public`. */
  visibility?: Visibility;
  /** White's clock. If absent, `clock`. */
  white_clock?: string | null;
}

/** Enters a table. Answered by `table_state`, by the events that the client has missed, or by `error`. */
export interface WatchRequest {
  type: "watch";
  /** The last event that the client has received from the table: the server sends only the events after it. If absent, the server sends the full state. */
  since?: Since | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Leaves a table. A seat stays reserved as if the connection were lost. Answered by `unwatched` or `error`. */
export interface UnwatchRequest {
  type: "unwatch";
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Requests the state of a table that the client is at. Answered as `watch`. */
export interface SyncRequest {
  type: "sync";
  /** The last event that the client has received from the table: the server sends only the events after it. If absent, the server sends the full state. */
  since?: Since | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Seats a bot of the server. Answered by `players` or `error`. */
export interface AddBotRequest {
  type: "add_bot";
  /** The seat: `white`, `black`, or `random` for one that is free. */
  color: SeatWish;
  level?: number | null;
  spec?: string | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Declines the challenge to play at a table. Answered by `challenge_declined` or `error`. */
export interface DeclineChallengeRequest {
  type: "decline_challenge";
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Requests a game against the next client that wants the same. Answered by `queued`, then by `paired`; or by `error`. */
export interface QuickRequest {
  type: "quick";
  /** The clock of both sides, such as `3m+2s`. If absent, `quick_clock` of `joined`. */
  clock?: string | null;
  /** The invitation to the tournament, if it needs one and the client has not entered the tournament yet. */
  invitation?: string | null;
  /** The code of a private ladder, which determines the clock; only for accounts of bots. If absent, the game is not for a private ladder. */
  ladder?: string | null;
  /** Whether the game is rated; only for accounts. If absent, `false`. */
  rated?: boolean;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
  /** The id of a tournament, which determines the clock; only for accounts. If absent, the game is not for a tournament. */
  tournament?: string | null;
}

/** Withdraws the request for a quick game. Answered by `unqueued`. */
export interface CancelQuickRequest {
  type: "cancel_quick";
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Requests a list of public tables. Answered by `tables` or `error`. */
export interface ListTablesRequest {
  type: "list_tables";
  /** The `next` of the previous list, to continue after it. If absent, the list starts with the first table. */
  cursor?: string | null;
  /** The maximum number of tables, at most 100. If absent, 50. */
  limit?: number | null;
  /** The state of the tables to list. If absent, `all`. */
  state?: TableFilter;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Subscribes to the lobby. Answered by `lobby`, now and after every change, at most once a second. */
export interface SubscribeLobbyRequest {
  type: "subscribe_lobby";
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Ends the subscription to the lobby. */
export interface UnsubscribeLobbyRequest {
  type: "unsubscribe_lobby";
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Follows the public game that the server selects. Answered by `tv`, now and whenever the server selects another table, each time with the state of the table. */
export interface TvRequest {
  type: "tv";
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Stops following the game that the server selects. */
export interface LeaveTvRequest {
  type: "leave_tv";
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Claims the game after the opponent has been disconnected for too long. Answered by `game_over` or `error`. */
export interface ClaimRequest {
  type: "claim";
  /** The result for the client. */
  result: ClaimedResult;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Sends a phrase to everyone at the table; only for players. Answered by `said` or `error`. */
export interface SayRequest {
  type: "say";
  /** The phrase. */
  phrase: Phrase;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Creates an account under the client's name. Answered by `name_kept` or `error`. */
export interface KeepNameRequest {
  type: "keep_name";
  /** The code of an invitation. It is required if `registration` of `joined` is `invitation`. */
  invitation?: string | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Ends the session: resigns the client's games, leaves all seats and frees the name and the token. At a table of kind `correspondence` the seat is kept. The server then closes the connection. */
export interface LeaveRequest {
  type: "leave";
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
  table?: string | null;
}

/** Requests a `pong`. With the id of a table that the client is at, the answer comes after the answers to everything that the client has sent about that table before. */
export interface PingRequest {
  type: "ping";
  /** Any whole number up to 2⁵³, which the answer repeats. */
  t?: number | null;
  /** The id of the table that the message is about. If absent, the table that the client has entered last; for `join` and `watch`, `main` if there is none. */
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

/** The client has joined. It is a spectator, unless it has returned to its seat. */
export interface JoinedEvent {
  type: "joined";
  /** Whether the client has an account. Absent means `false`. */
  account?: boolean;
  /** The draw rules of the table, or without a table those of new tables that choose none: `fmjd64` or `study`. */
  draw_rules: string;
  /** How long the name stays reserved after the client has disconnected, in milliseconds. */
  grace_ms?: number | null;
  /** The limits for the client. Absent on servers of earlier versions. */
  limits?: ClientLimits | null;
  /** The client's name. */
  name: string;
  /** The version of the protocol, 1. */
  protocol: number;
  /** The clock of quick games for which the client chooses none, such as `3m+2s`. Absent on servers of earlier versions. */
  quick_clock?: string | null;
  /** Who may create an account. Absent if the server has no accounts. */
  registration?: Registration | null;
  /** Whether an earlier session was resumed. Absent means `false`. */
  resumed?: boolean;
  /** The client's seats at tables where a game is running or has yet to start. The client is not at these tables until it enters them with `watch`. */
  seats?: HeldSeat[];
  /** The id of the table that the client has entered. Absent if it joined with `lobby`. */
  table?: string | null;
  /** The token that resumes this session: 32 or 64 hexadecimal digits. Keep it like a password. */
  token?: string | null;
}

/** The players and spectators of a table. Sent to everyone at the table whenever they change. */
export interface PlayersEvent {
  type: "players";
  /** The players in the seats, connected or not, and at most 100 spectators. */
  players: Player[];
  /** The table's id. */
  table?: string;
  /** The number of spectators, including those that are not listed. */
  watchers?: number;
}

/** A game has started. Sent to everyone at the table. */
export interface GameStartedEvent {
  type: "game_started";
  /** The article of the FMJD's rules that makes the game a draw, such as `7.2.3`. Absent for all other endings. */
  article?: string | null;
  /** The name of Black's player. */
  black: string;
  /** The clocks at the moment when the turn of the side to move started. Absent if no side has a clock. */
  clocks?: WireClocks | null;
  /** The current position as FEN. */
  fen: string;
  /** The number of the game at this table, from 1. */
  game: number;
  /** The id of the game, unique on the server. The archive has the game under this id. */
  id?: string;
  /** The side that left or aborted the game. Absent for reasons other than `player_left` and `aborted`, and if both sides left. */
  left?: WireColor | null;
  /** All moves played so far, those of the opening included. */
  moves: PlayedMove[];
  /** The open offers. */
  offers?: OpenOffer[];
  /** The number of moves at the beginning that belong to the opening. The server played them, and they took no time. */
  opening_plies?: number;
  /** The number of moves played. */
  ply: number;
  /** Why the game ended. Absent while it is running. */
  reason?: EndReason | null;
  /** The result. Absent while the game is running. */
  result?: GameResult | null;
  /** The number of the game's last event. Later events continue from it without gaps. */
  seq?: number;
  /** The start position as FEN, before the moves of the opening. */
  start_fen: string;
  /** The table's id. */
  table?: string;
  /** How long the turn of the side to move has lasted, in milliseconds. Absent if it starts now, and if the game is over. */
  thinking_ms?: number | null;
  /** The side to move. */
  turn: WireColor;
  /** The name of White's player. */
  white: string;
}

/** The running game, sent to a client that joins while it runs. */
export interface GameStateEvent {
  type: "game_state";
  /** The article of the FMJD's rules that makes the game a draw, such as `7.2.3`. Absent for all other endings. */
  article?: string | null;
  /** The name of Black's player. */
  black: string;
  /** The clocks at the moment when the turn of the side to move started. Absent if no side has a clock. */
  clocks?: WireClocks | null;
  /** The current position as FEN. */
  fen: string;
  /** The number of the game at this table, from 1. */
  game: number;
  /** The id of the game, unique on the server. The archive has the game under this id. */
  id?: string;
  /** The side that left or aborted the game. Absent for reasons other than `player_left` and `aborted`, and if both sides left. */
  left?: WireColor | null;
  /** All moves played so far, those of the opening included. */
  moves: PlayedMove[];
  /** The open offers. */
  offers?: OpenOffer[];
  /** The number of moves at the beginning that belong to the opening. The server played them, and they took no time. */
  opening_plies?: number;
  /** The number of moves played. */
  ply: number;
  /** Why the game ended. Absent while it is running. */
  reason?: EndReason | null;
  /** The result. Absent while the game is running. */
  result?: GameResult | null;
  /** The number of the game's last event. Later events continue from it without gaps. */
  seq?: number;
  /** The start position as FEN, before the moves of the opening. */
  start_fen: string;
  /** The table's id. */
  table?: string;
  /** How long the turn of the side to move has lasted, in milliseconds. Absent if it starts now, and if the game is over. */
  thinking_ms?: number | null;
  /** The side to move. */
  turn: WireColor;
  /** The name of White's player. */
  white: string;
}

/** The receiver is to move. Sent only to that player. */
export interface YourTurnEvent {
  type: "your_turn";
  /** The clocks at the moment when the receiver's clock started. Absent if no side has a clock. */
  clocks?: WireClocks | null;
  /** The current position as FEN. */
  fen: string;
  /** The number of the game at this table. */
  game: number;
  /** All legal moves. Absent if the client joined with `moves` false. */
  legal_moves?: LegalMove[];
  /** The number of moves played. Repeat it in the answer. */
  ply: number;
  /** The table's id. */
  table?: string;
  /** How long the receiver's turn has lasted, in milliseconds, if the request is repeated. Absent if the turn starts now. */
  thinking_ms?: number | null;
}

/** A move was played. Sent to everyone at the table, including the mover. */
export interface MovedEvent {
  type: "moved";
  /** The clocks after the move, with the increment added. Absent if no side has a clock. */
  clocks?: WireClocks | null;
  /** The position after the move, as FEN. */
  fen: string;
  /** The number of the game at this table. */
  game: number;
  /** The id that the mover gave the move. Absent if it gave none. */
  id?: string | null;
  /** The move that was played. */
  played: PlayedMove;
  /** The number of this event in its game. */
  seq?: number;
  /** The table's id. */
  table?: string;
  /** The side to move after the move. */
  turn: WireColor;
}

/** A player has made an offer. Sent to everyone at the table. */
export interface OfferedEvent {
  type: "offered";
  /** The side that made the offer; for a rematch, its colour in the finished game. */
  by: WireColor;
  /** The number of the game; for a rematch, that of the finished game. */
  game: number;
  /** The kind of offer. */
  offer: Offer;
  /** The number of this event in its game. Absent for a rematch, whose offers are not numbered. */
  seq?: number | null;
  /** The table's id. */
  table?: string;
}

/** A player has declined an offer. Sent to everyone at the table. */
export interface DeclinedEvent {
  type: "declined";
  /** The side that declined the offer; for a rematch, its colour in the finished game. */
  by: WireColor;
  /** The number of the game; for a rematch, that of the finished game. */
  game: number;
  /** The kind of offer. */
  offer: Offer;
  /** The number of this event in its game. Absent for a rematch, whose offers are not numbered. */
  seq?: number | null;
  /** The table's id. */
  table?: string;
}

/** An offer can no longer be accepted. Sent to everyone at the table. */
export interface LapsedEvent {
  type: "lapsed";
  /** The side that made the offer; for a rematch, its colour in the finished game. */
  by: WireColor;
  /** The number of the game; for a rematch, that of the finished game. */
  game: number;
  /** The kind of offer. */
  offer: Offer;
  /** The table's id. */
  table?: string;
}

/** One or two moves were taken back. Sent to everyone at the table. */
export interface TookBackEvent {
  type: "took_back";
  /** The clocks, which a takeback does not reset. Absent if no side has a clock. */
  clocks?: WireClocks | null;
  /** The current position as FEN. */
  fen: string;
  /** The number of the game at this table. */
  game: number;
  /** The number of moves that remain: the moves from this ply on were taken back. */
  ply: number;
  /** The number of this event in its game. */
  seq?: number;
  /** The table's id. */
  table?: string;
  /** The side to move. */
  turn: WireColor;
}

/** The game is over and both seats are free. Sent to everyone at the table. */
export interface GameOverEvent {
  type: "game_over";
  /** The article of the FMJD's rules that makes the game a draw, such as `7.2.3`. Absent for all other endings. */
  article?: string | null;
  /** The final position as FEN. */
  fen: string;
  /** The number of the game at this table. */
  game: number;
  /** The id of the game, unique on the server. The archive has the game under this id. */
  id?: string;
  /** The side that left or aborted the game. Absent for reasons other than `player_left` and `aborted`, and if both sides left. */
  left?: WireColor | null;
  /** The number of moves played. */
  ply: number;
  /** Why the game ended. */
  reason: EndReason;
  /** The result of the game. */
  result: GameResult;
  /** The number of this event in its game. */
  seq?: number;
  /** The table's id. */
  table?: string;
}

/** The server refused a player's move. Sent to the director of an arranged game. */
export interface MoveRefusedEvent {
  type: "move_refused";
  /** What was wrong, for programs. */
  code: ErrorCode;
  /** The side that sent the move. */
  color: WireColor;
  /** The number of the game at this table. */
  game: number;
  /** What was wrong, for people. */
  message: string;
  /** The move as the player sent it. */
  move: string;
  /** The number of moves played in the game. */
  ply: number;
  /** The table's id. */
  table?: string;
}

/** A player violated the protocol. Sent to the director of an arranged game. */
export interface MisbehavedEvent {
  type: "misbehaved";
  /** The side of the player. */
  color: WireColor;
  /** The number of the game at this table. */
  game: number;
  /** What was wrong, for people. */
  message: string;
  /** The table's id. */
  table?: string;
}

/** The server refused a message of the client, and nothing has changed. */
export interface ErrorEvent {
  type: "error";
  /** The moves that an ambiguous text matches, each as a text to send. Absent for other errors. */
  candidates?: string[];
  /** What was wrong, for programs. */
  code: ErrorCode;
  /** What was wrong, for people. */
  message: string;
  /** The id of the table that the refused message was about. Absent if it was not about a table. */
  table?: string | null;
}

/** The move was already played: the answer to a move that the client has sent again. */
export interface AcknowledgedEvent {
  type: "acknowledged";
  /** The number of the game at this table. */
  game: number;
  /** The id that the mover gave the move. Absent if it gave none. */
  id?: string | null;
  /** The number of moves played before the move. */
  ply: number;
  /** The number of the event that the move was. */
  seq: number;
  /** The table's id. */
  table: string;
}

/** A player of the running game has lost the connection or has returned. Sent to everyone at the table. */
export interface PresenceEvent {
  type: "presence";
  /** The time until the opponent may claim the game, in milliseconds. Absent if the player is connected, and in a game by correspondence, which cannot be claimed. */
  claim_in_ms?: number | null;
  /** The side of the player. */
  color: WireColor;
  /** Whether the player is connected now. */
  connected: boolean;
  /** The table's id. */
  table: string;
}

/** The clocks during a move. Sent to a client after the events that it had missed. */
export interface ClocksEvent {
  type: "clocks";
  /** The clocks at the moment when the turn of the side to move started. */
  clocks: WireClocks;
  /** The number of the game at this table. */
  game: number;
  /** The number of moves played. */
  ply: number;
  /** The table's id. */
  table: string;
  /** How long the turn of the side to move has lasted, in milliseconds. Absent if it starts now, and while the clocks are stopped. */
  thinking_ms?: number | null;
}

/** A player has said a phrase. Sent to everyone at the table; the server does not store it. */
export interface SaidEvent {
  type: "said";
  /** The side that said it. */
  by: WireColor;
  /** The phrase. */
  phrase: Phrase;
  /** The table's id. */
  table: string;
}

/** The number of spectators has changed. Sent to everyone at the table, at most once a second. */
export interface WatchersEvent {
  type: "watchers";
  /** The number of spectators, rounded if it is above 100. */
  count: number;
  /** The table's id. */
  table: string;
}

/** The complete state of a table. */
export interface TableStateEvent {
  type: "table_state";
  /** The table's entry, with its settings and players. */
  info: TableInfo;
  /** All legal moves. Absent if the client is not to move, or has joined with `moves` false. */
  legal_moves?: LegalMove[];
  /** The open offer of a rematch. Absent if there is none. */
  rematch?: OpenOffer | null;
  /** The server's time, in milliseconds since 1970, UTC. */
  server_ms: number;
  /** The running game, or else the last one. Absent if there was none. */
  state?: GameState | null;
  /** The table's id. */
  table: string;
  /** The client's side at the table, or in the last game while a rematch is possible. Absent for a spectator. */
  you?: WireColor | null;
}

/** Whether the server can store events. While it cannot, it refuses commands with `not_stored`, and the clocks are stopped. Sent to everyone at the table. */
export interface StorageEvent {
  type: "storage";
  /** Whether the server can store events. */
  ok: boolean;
  /** The table's id. */
  table: string;
}

/** The client's table was created, and the client has entered it. */
export interface TableCreatedEvent {
  type: "table_created";
  /** The table's id. */
  table: string;
}

/** The list of tables that the client requested. */
export interface TablesEvent {
  type: "tables";
  /** The number of public tables with a running game. */
  live: number;
  /** The cursor for the rest of the list. Absent if the list is complete. */
  next?: string | null;
  /** The number of public tables with a free seat and no running game. */
  open: number;
  /** The number of connected clients. */
  players: number;
  /** The clocks of the unrated quick games for which people wait, one entry for each person, at most 20. Absent if no one waits. */
  quick?: string[];
  /** The clocks of the rated quick games for which people wait, likewise. */
  quick_rated?: string[];
  /** The tables: those with running games first, and among these those with the most spectators. */
  tables: TableInfo[];
}

/** The first 50 public tables with a running game, and the first 50 with a free seat and no game. Sent to subscribers of the lobby whenever it changes, at most once a second. */
export interface LobbyEvent {
  type: "lobby";
  /** The number of public tables with a running game. */
  live: number;
  /** The cursor for the rest of the list. Absent if the list is complete. */
  next?: string | null;
  /** The number of public tables with a free seat and no running game. */
  open: number;
  /** The number of connected clients. */
  players: number;
  /** The clocks of the unrated quick games for which people wait, one entry for each person, at most 20. Absent if no one waits. */
  quick?: string[];
  /** The clocks of the rated quick games for which people wait, likewise. */
  quick_rated?: string[];
  /** The tables: those with running games first, and among these those with the most spectators. */
  tables: TableInfo[];
}

/** The client is no longer at a table. */
export interface UnwatchedEvent {
  type: "unwatched";
  /** The table's id. */
  table: string;
}

/** A table was closed. Sent to everyone at the table. */
export interface TableClosedEvent {
  type: "table_closed";
  /** Why the table was closed. */
  reason: ClosedReason;
  /** The table's id. */
  table: string;
}

/** The client waits for an opponent for a quick game. */
export interface QueuedEvent {
  type: "queued";
  /** The clock of both sides, such as `3m+2s`. Absent if the game has no clock. */
  clock?: string | null;
  /** Whether the game is rated. Absent means `false`. */
  rated?: boolean;
  /** The id of the tournament that the game belongs to. Absent if it belongs to none. */
  tournament?: string | null;
}

/** The client no longer waits for an opponent. */
export interface UnqueuedEvent {
  type: "unqueued";
}

/** An opponent was found, and the client has a seat at a table. */
export interface PairedEvent {
  type: "paired";
  /** The client's side. */
  color: WireColor;
  /** The table's id. */
  table: string;
}

/** The table that the server has selected for those who follow `tv`. */
export interface TvEvent {
  type: "tv";
  /** The table's id. Absent if there is no game to show. */
  table?: string | null;
}

/** Another client challenges the receiver to a game. */
export interface ChallengedEvent {
  type: "challenged";
  /** The challenger's name. */
  by: string;
  /** The table's entry, with the settings of the game. */
  info: TableInfo;
  /** The id of the table where the challenger waits. */
  table: string;
}

/** A challenge was declined. Sent to both clients. */
export interface ChallengeDeclinedEvent {
  type: "challenge_declined";
  /** The name of the client that declined. */
  by: string;
  /** The table's id. */
  table: string;
}

/** The challenger has withdrawn the challenge. */
export interface ChallengeWithdrawnEvent {
  type: "challenge_withdrawn";
  /** The table's id. */
  table: string;
}

/** Another connection has joined with the client's token and replaces this one, which the server then closes. Do not reconnect. */
export interface ReplacedEvent {
  type: "replaced";
}

/** The server restarts. */
export interface RestartingEvent {
  type: "restarting";
  /** How long to wait before reconnecting, in milliseconds. Add a random delay. */
  delay_ms: number;
  /** The time until the server closes the connection, in milliseconds. Games continue until then. Absent if it closes the connection now. */
  in_ms?: number | null;
}

/** The answer to `ping`. */
export interface PongEvent {
  type: "pong";
  /** The round-trip time that the server has measured for this connection, in milliseconds. Absent if it has not measured it yet. */
  rtt_ms?: number | null;
  /** The server's time, in milliseconds since 1970, UTC. */
  server_ms: number;
  /** The number in the `ping`. Absent if it had none. */
  t?: number | null;
}

/** The client's account was created. */
export interface NameKeptEvent {
  type: "name_kept";
  /** The name of the account. */
  name: string;
  /** Ten codes. Each signs in once without the token. */
  recovery: string[];
  /** The token of `joined`, which now signs in to the account. Keep it like a password. */
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
