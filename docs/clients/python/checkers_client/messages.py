"""The messages of the protocol. Written by generate.py from docs/schema; do not edit.

Fields of a class with total=False may be absent.
"""

from __future__ import annotations

from typing import Literal, TypedDict, Union

ClaimedResult = Literal["win", "draw"]

ClosedReason = Literal["idle", "ended", "admin"]

EndReason = Literal[
    "no_pieces",
    "no_moves",
    "resignation",
    "time",
    "time_against_king",
    "repetition",
    "kings_against_king",
    "king_moves",
    "no_progress",
    "main_road",
    "few_pieces",
    "ply_limit",
    "agreement",
    "player_left",
    "aborted",
    "abandoned",
    "adjudication",
    "forfeit",
]

ErrorCode = Literal[
    "bad_json",
    "unknown_type",
    "bad_message",
    "not_joined",
    "already_joined",
    "bad_name",
    "name_taken",
    "seat_taken",
    "already_seated",
    "not_seated",
    "no_game",
    "not_your_turn",
    "wrong_ply",
    "bad_move",
    "illegal_move",
    "ambiguous_move",
    "too_soon",
    "already_offered",
    "no_offer",
    "nothing_to_take_back",
    "too_late",
    "not_casual",
    "no_rematch",
    "forbidden",
    "no_such_player",
    "bad_game",
    "game_running",
    "no_such_table",
    "too_many_tables",
    "bad_table",
    "not_stored",
    "bots_busy",
    "bad_bot",
    "bad_token",
    "registration_closed",
    "not_rated",
    "rated_paused",
    "event_over",
    "suspended",
    "muted",
    "blocked",
    "not_absent",
    "too_many_messages",
]

GameResult = Literal["white_won", "black_won", "draw", "interrupted"]

Offer = Literal["draw", "takeback", "rematch"]

Phrase = Literal[
    "hello",
    "good_luck",
    "good_move",
    "oops",
    "sorry",
    "one_moment",
    "thanks",
    "good_game",
    "must_go",
    "goodbye",
]

Registration = Literal["open", "invitation", "closed"]

Role = Literal["white", "black", "spectator"]

SeatWish = Literal["white", "black", "random"]

TableFilter = Literal["open", "live", "all"]

TableKind = Literal["main", "custom", "challenge", "quick", "correspondence", "house"]

TablePhase = Literal["waiting", "running", "over"]

Visibility = Literal["public", "link"]

WireColor = Literal["white", "black"]

WireLine = list[str]

WireSquare = str


class _AddBot(TypedDict):
    color: SeatWish


class AddBot(_AddBot, total=False):
    """Seats a bot of the server at an existing table."""

    level: int | None
    spec: str | None


class BotRequest(TypedDict, total=False):
    """A bot of the server, by level or by specification: {'level':3} or {'spec':'alpha-beta:depth=7'}."""

    level: int | None
    spec: str | None


class BotRequests(TypedDict, total=False):
    """Bots of the server for the seats of a table."""

    black: BotRequest | None
    white: BotRequest | None


class ClientLimits(TypedDict):
    """The limits for a client. Messages that the server has requested, such as moves, do not count."""

    message_burst: int
    message_rate: int
    tables: int


class CreateTable(TypedDict, total=False):
    """The settings of a new table. All fields are optional."""

    black_clock: str | None
    bots: BotRequests
    casual: bool | None
    clock: str | None
    color: SeatWish | None
    draw_rules: str | None
    opening: str | None
    opponent: str | None
    rated: bool
    start_fen: str | None
    visibility: Visibility
    white_clock: str | None


class _GameState(TypedDict):
    black: str
    fen: str
    game: int
    moves: list[PlayedMove]
    ply: int
    start_fen: str
    turn: WireColor
    white: str


class GameState(_GameState, total=False):
    """The state of a game, with all moves so far."""

    article: str | None
    clocks: WireClocks | None
    id: str
    left: WireColor | None
    offers: list[OpenOffer]
    opening_plies: int
    reason: EndReason | None
    result: GameResult | None
    seq: int
    table: str
    thinking_ms: int | None


class HeldSeat(TypedDict):
    """A seat of a client."""

    color: WireColor
    state: TablePhase
    table: str


class _Join(TypedDict):
    name: str


class Join(_Join, total=False):
    """Joins the server and enters the table in table, or main if it is absent."""

    lobby: bool
    moves: bool
    since: Since | None
    token: str | None


class _Joined(TypedDict):
    draw_rules: str
    name: str
    protocol: int


class Joined(_Joined, total=False):
    """The client has joined the server."""

    account: bool
    grace_ms: int | None
    limits: ClientLimits | None
    quick_clock: str | None
    registration: Registration | None
    resumed: bool
    seats: list[HeldSeat]
    table: str | None
    token: str | None


class KeepName(TypedDict, total=False):
    """Creates an account under the client's name."""

    invitation: str | None

LegalMove = TypedDict(
    "LegalMove",
    {
        "captures": "list[WireSquare]",
        "from": "WireSquare",
        "move": "str",
        "promotes": "bool",
        "routes": "list[WireRoute]",
        "to": "WireSquare",
    },
)


class ListTables(TypedDict, total=False):
    """Selects the tables to list."""

    cursor: str | None
    limit: int | None
    state: TableFilter


class Meant(TypedDict, total=False):
    """The game that a message is for. It protects against messages that arrive late."""

    game: int | None


class NameKept(TypedDict):
    """A new account. The server sends the recovery codes only once."""

    name: str
    recovery: list[str]
    token: str


class OpenOffer(TypedDict):
    """An offer that the opponent has not answered yet."""

    by: WireColor
    offer: Offer


class Ping(TypedDict, total=False):
    """Requests a pong, for programs that cannot send WebSocket pings, such as web pages."""

    t: int | None


class _PlayedMove(TypedDict):
    captures: list[WireSquare]
    color: WireColor
    elapsed_ms: int
    move: str
    ply: int
    promotes: bool
    squares: list[WireSquare]


class PlayedMove(_PlayedMove, total=False):
    """A move that was played."""

    search: SearchInfo | None


class _Player(TypedDict):
    name: str
    role: Role


class Player(_Player, total=False):
    """A player or a spectator of a table."""

    bot: str | None


class _Pong(TypedDict):
    server_ms: int


class Pong(_Pong, total=False):
    """The answer to ping."""

    rtt_ms: int | None
    t: int | None


class Quick(TypedDict, total=False):
    """Requests a game against the next suitable opponent. Bots are paired with bots, people with people."""

    clock: str | None
    invitation: str | None
    ladder: str | None
    rated: bool
    tournament: str | None


class _SearchInfo(TypedDict):
    depth: int
    nodes: int
    score: int
    time_us: int


class SearchInfo(_SearchInfo, total=False):
    """What a bot reports of its search for a move. The server passes it on unchanged."""

    pv: WireLine


class _SeatInfo(TypedDict):
    connected: bool
    name: str


class SeatInfo(_SeatInfo, total=False):
    """The player in a seat."""

    absent_ms: int | None
    bot: str | None
    claim_in_ms: int | None


class Seats(TypedDict, total=False):
    """The seats of a table."""

    black: SeatInfo | None
    white: SeatInfo | None


class Since(TypedDict):
    """The last event that a client has received from a table."""

    game: int
    seq: int


class _TableInfo(TypedDict):
    casual: bool
    draw_rules: str
    id: str
    kind: TableKind
    ply: int
    seats: Seats
    state: TablePhase
    visibility: Visibility
    watchers: int


class TableInfo(_TableInfo, total=False):
    """A table's entry in lists: its settings, players and state."""

    black_clock: str | None
    event: str | None
    opponent: str | None
    rated: bool
    start_fen: str | None
    white_clock: str | None


class _TableList(TypedDict):
    live: int
    open: int
    players: int
    tables: list[TableInfo]


class TableList(_TableList, total=False):
    """A list of public tables."""

    next: str | None
    quick: list[str]
    quick_rated: list[str]


class _TableState(TypedDict):
    info: TableInfo
    server_ms: int
    table: str


class TableState(_TableState, total=False):
    """The complete state of a table, for a client that has just entered it or has missed events."""

    legal_moves: list[LegalMove]
    rematch: OpenOffer | None
    state: GameState | None
    you: WireColor | None


class Watch(TypedDict, total=False):
    """Requests the state of a table."""

    since: Since | None


class _WireClock(TypedDict):
    increment_ms: int
    remaining_ms: int


class WireClock(_WireClock, total=False):
    """The clock of one side, before its move. It is of one of three kinds: with an increment, which may be 0, with a
    delay, or with a fixed time for each move. All times are whole milliseconds, rounded down."""

    delay_ms: int | None
    per_move_ms: int | None


class WireClocks(TypedDict, total=False):
    """The clocks of a game in which at least one side has a clock."""

    black: WireClock | None
    white: WireClock | None


class WireRoute(TypedDict):
    """A route: one way to carry out a move."""

    captures: list[WireSquare]
    squares: list[WireSquare]


class _JoinRequest(TypedDict):
    name: str
    type: Literal["join"]


class JoinRequest(_JoinRequest, total=False):
    """Joins the server under a name. Answered by joined or error."""

    lobby: bool
    moves: bool
    since: Since | None
    table: str | None
    token: str | None


class _TakeSeatRequest(TypedDict):
    color: SeatWish
    type: Literal["take_seat"]


class TakeSeatRequest(_TakeSeatRequest, total=False):
    """Takes a seat. Answered by players, then by game_started if both seats are taken; or by error."""

    table: str | None


class _LeaveSeatRequest(TypedDict):
    type: Literal["leave_seat"]


class LeaveSeatRequest(_LeaveSeatRequest, total=False):
    """Leaves the seat, which resigns a running game: if both sides have moved, the opponent wins; otherwise, and in an
    arranged game, the game ends as interrupted. Answered by players, before it by game_over if a game was running;
    or by error."""

    table: str | None


class _MoveRequest(TypedDict):
    move: str
    ply: int
    type: Literal["move"]


class MoveRequest(_MoveRequest, total=False):
    """Plays a move. Answered by moved, by acknowledged if the move was already played, or by error."""

    game: int | None
    id: str | None
    search: SearchInfo | None
    table: str | None


class _ResignRequest(TypedDict):
    type: Literal["resign"]


class ResignRequest(_ResignRequest, total=False):
    """Resigns the game. Answered by game_over or error."""

    game: int | None
    table: str | None


class _AbortRequest(TypedDict):
    type: Literal["abort"]


class AbortRequest(_AbortRequest, total=False):
    """Aborts the game before both sides have moved. Answered by game_over or error."""

    game: int | None
    table: str | None


class _OfferDrawRequest(TypedDict):
    type: Literal["offer_draw"]


class OfferDrawRequest(_OfferDrawRequest, total=False):
    """Offers a draw. Answered by offered, by game_over if the opponent has also offered one, or by error."""

    game: int | None
    table: str | None


class _AcceptDrawRequest(TypedDict):
    type: Literal["accept_draw"]


class AcceptDrawRequest(_AcceptDrawRequest, total=False):
    """Accepts the opponent's draw offer. Answered by game_over or error."""

    game: int | None
    table: str | None


class _DeclineDrawRequest(TypedDict):
    type: Literal["decline_draw"]


class DeclineDrawRequest(_DeclineDrawRequest, total=False):
    """Declines the opponent's draw offer. Answered by declined or error."""

    game: int | None
    table: str | None


class _OfferTakebackRequest(TypedDict):
    type: Literal["offer_takeback"]


class OfferTakebackRequest(_OfferTakebackRequest, total=False):
    """Asks the opponent for a takeback of the client's last move. Answered by offered, by took_back if the opponent has
    also asked for one, or by error."""

    game: int | None
    table: str | None


class _AcceptTakebackRequest(TypedDict):
    type: Literal["accept_takeback"]


class AcceptTakebackRequest(_AcceptTakebackRequest, total=False):
    """Accepts the takeback that the opponent asked for. Answered by took_back or error."""

    game: int | None
    table: str | None


class _DeclineTakebackRequest(TypedDict):
    type: Literal["decline_takeback"]


class DeclineTakebackRequest(_DeclineTakebackRequest, total=False):
    """Declines the takeback that the opponent asked for. Answered by declined or error."""

    game: int | None
    table: str | None


class _OfferRematchRequest(TypedDict):
    type: Literal["offer_rematch"]


class OfferRematchRequest(_OfferRematchRequest, total=False):
    """Offers a rematch. Answered by offered, by game_started if the opponent has also offered one, or by error."""

    game: int | None
    table: str | None


class _AcceptRematchRequest(TypedDict):
    type: Literal["accept_rematch"]


class AcceptRematchRequest(_AcceptRematchRequest, total=False):
    """Accepts the opponent's rematch offer. Answered by game_started or error."""

    game: int | None
    table: str | None


class _DeclineRematchRequest(TypedDict):
    type: Literal["decline_rematch"]


class DeclineRematchRequest(_DeclineRematchRequest, total=False):
    """Declines the opponent's rematch offer. Answered by declined or error."""

    game: int | None
    table: str | None


class _ArrangeGameRequest(TypedDict):
    black: str
    game: int
    token: str
    type: Literal["arrange_game"]
    white: str


class ArrangeGameRequest(_ArrangeGameRequest, total=False):
    """Seats two clients and starts a game between them; only for the director. Answered by game_started or error."""

    black_clock: str | None
    moves: list[str]
    start_fen: str | None
    table: str | None
    white_clock: str | None


class _EndGameRequest(TypedDict):
    game: int
    reason: EndReason
    result: GameResult
    token: str
    type: Literal["end_game"]


class EndGameRequest(_EndGameRequest, total=False):
    """Ends the running game; only for the director. Answered by game_over or error."""

    table: str | None


class _CreateTableRequest(TypedDict):
    type: Literal["create_table"]


class CreateTableRequest(_CreateTableRequest, total=False):
    """Creates a table and enters it. Answered by table_created, then as watch; or by error."""

    black_clock: str | None
    bots: BotRequests
    casual: bool | None
    clock: str | None
    color: SeatWish | None
    draw_rules: str | None
    opening: str | None
    opponent: str | None
    rated: bool
    start_fen: str | None
    table: str | None
    visibility: Visibility
    white_clock: str | None


class _WatchRequest(TypedDict):
    type: Literal["watch"]


class WatchRequest(_WatchRequest, total=False):
    """Enters a table. Answered by table_state, by the events that the client has missed, or by error."""

    since: Since | None
    table: str | None


class _UnwatchRequest(TypedDict):
    type: Literal["unwatch"]


class UnwatchRequest(_UnwatchRequest, total=False):
    """Leaves a table. A seat stays reserved as if the connection were lost. Answered by unwatched or error."""

    table: str | None


class _SyncRequest(TypedDict):
    type: Literal["sync"]


class SyncRequest(_SyncRequest, total=False):
    """Requests the state of a table that the client is at. Answered as watch."""

    since: Since | None
    table: str | None


class _AddBotRequest(TypedDict):
    color: SeatWish
    type: Literal["add_bot"]


class AddBotRequest(_AddBotRequest, total=False):
    """Seats a bot of the server. Answered by players or error."""

    level: int | None
    spec: str | None
    table: str | None


class _DeclineChallengeRequest(TypedDict):
    type: Literal["decline_challenge"]


class DeclineChallengeRequest(_DeclineChallengeRequest, total=False):
    """Declines the challenge to play at a table. Answered by challenge_declined or error."""

    table: str | None


class _QuickRequest(TypedDict):
    type: Literal["quick"]


class QuickRequest(_QuickRequest, total=False):
    """Requests a game against the next client that wants the same. Answered by queued, then by paired; or by error."""

    clock: str | None
    invitation: str | None
    ladder: str | None
    rated: bool
    table: str | None
    tournament: str | None


class _CancelQuickRequest(TypedDict):
    type: Literal["cancel_quick"]


class CancelQuickRequest(_CancelQuickRequest, total=False):
    """Withdraws the request for a quick game. Answered by unqueued."""

    table: str | None


class _ListTablesRequest(TypedDict):
    type: Literal["list_tables"]


class ListTablesRequest(_ListTablesRequest, total=False):
    """Requests a list of public tables. Answered by tables or error."""

    cursor: str | None
    limit: int | None
    state: TableFilter
    table: str | None


class _SubscribeLobbyRequest(TypedDict):
    type: Literal["subscribe_lobby"]


class SubscribeLobbyRequest(_SubscribeLobbyRequest, total=False):
    """Subscribes to the lobby. Answered by lobby, now and after every change, at most once a second."""

    table: str | None


class _UnsubscribeLobbyRequest(TypedDict):
    type: Literal["unsubscribe_lobby"]


class UnsubscribeLobbyRequest(_UnsubscribeLobbyRequest, total=False):
    """Ends the subscription to the lobby."""

    table: str | None


class _TvRequest(TypedDict):
    type: Literal["tv"]


class TvRequest(_TvRequest, total=False):
    """Follows the public game that the server selects. Answered by tv, now and whenever the server selects another table,
    each time with the state of the table."""

    table: str | None


class _LeaveTvRequest(TypedDict):
    type: Literal["leave_tv"]


class LeaveTvRequest(_LeaveTvRequest, total=False):
    """Stops following the game that the server selects."""

    table: str | None


class _ClaimRequest(TypedDict):
    result: ClaimedResult
    type: Literal["claim"]


class ClaimRequest(_ClaimRequest, total=False):
    """Claims the game after the opponent has been disconnected for too long. Answered by game_over or error."""

    table: str | None


class _SayRequest(TypedDict):
    phrase: Phrase
    type: Literal["say"]


class SayRequest(_SayRequest, total=False):
    """Sends a phrase to everyone at the table; only for players. Answered by said or error."""

    table: str | None


class _KeepNameRequest(TypedDict):
    type: Literal["keep_name"]


class KeepNameRequest(_KeepNameRequest, total=False):
    """Creates an account under the client's name. Answered by name_kept or error."""

    invitation: str | None
    table: str | None


class _LeaveRequest(TypedDict):
    type: Literal["leave"]


class LeaveRequest(_LeaveRequest, total=False):
    """Ends the session: resigns the client's games, leaves all seats and frees the name and the token. At a table of kind
    correspondence the seat is kept. The server then closes the connection."""

    table: str | None


class _PingRequest(TypedDict):
    type: Literal["ping"]


class PingRequest(_PingRequest, total=False):
    """Requests a pong. With the id of a table that the client is at, the answer comes after the answers to everything
    that the client has sent about that table before."""

    t: int | None
    table: str | None

ClientMessage = Union[
    JoinRequest,
    TakeSeatRequest,
    LeaveSeatRequest,
    MoveRequest,
    ResignRequest,
    AbortRequest,
    OfferDrawRequest,
    AcceptDrawRequest,
    DeclineDrawRequest,
    OfferTakebackRequest,
    AcceptTakebackRequest,
    DeclineTakebackRequest,
    OfferRematchRequest,
    AcceptRematchRequest,
    DeclineRematchRequest,
    ArrangeGameRequest,
    EndGameRequest,
    CreateTableRequest,
    WatchRequest,
    UnwatchRequest,
    SyncRequest,
    AddBotRequest,
    DeclineChallengeRequest,
    QuickRequest,
    CancelQuickRequest,
    ListTablesRequest,
    SubscribeLobbyRequest,
    UnsubscribeLobbyRequest,
    TvRequest,
    LeaveTvRequest,
    ClaimRequest,
    SayRequest,
    KeepNameRequest,
    LeaveRequest,
    PingRequest,
]


class _JoinedEvent(TypedDict):
    draw_rules: str
    name: str
    protocol: int
    type: Literal["joined"]


class JoinedEvent(_JoinedEvent, total=False):
    """The client has joined. It is a spectator, unless it has returned to its seat."""

    account: bool
    grace_ms: int | None
    limits: ClientLimits | None
    quick_clock: str | None
    registration: Registration | None
    resumed: bool
    seats: list[HeldSeat]
    table: str | None
    token: str | None


class _PlayersEvent(TypedDict):
    players: list[Player]
    type: Literal["players"]


class PlayersEvent(_PlayersEvent, total=False):
    """The players and spectators of a table. Sent to everyone at the table whenever they change."""

    table: str
    watchers: int


class _GameStartedEvent(TypedDict):
    black: str
    fen: str
    game: int
    moves: list[PlayedMove]
    ply: int
    start_fen: str
    turn: WireColor
    type: Literal["game_started"]
    white: str


class GameStartedEvent(_GameStartedEvent, total=False):
    """A game has started. Sent to everyone at the table."""

    article: str | None
    clocks: WireClocks | None
    id: str
    left: WireColor | None
    offers: list[OpenOffer]
    opening_plies: int
    reason: EndReason | None
    result: GameResult | None
    seq: int
    table: str
    thinking_ms: int | None


class _GameStateEvent(TypedDict):
    black: str
    fen: str
    game: int
    moves: list[PlayedMove]
    ply: int
    start_fen: str
    turn: WireColor
    type: Literal["game_state"]
    white: str


class GameStateEvent(_GameStateEvent, total=False):
    """The running game, sent to a client that joins while it runs."""

    article: str | None
    clocks: WireClocks | None
    id: str
    left: WireColor | None
    offers: list[OpenOffer]
    opening_plies: int
    reason: EndReason | None
    result: GameResult | None
    seq: int
    table: str
    thinking_ms: int | None


class _YourTurnEvent(TypedDict):
    fen: str
    game: int
    ply: int
    type: Literal["your_turn"]


class YourTurnEvent(_YourTurnEvent, total=False):
    """The receiver is to move. Sent only to that player."""

    clocks: WireClocks | None
    legal_moves: list[LegalMove]
    table: str
    thinking_ms: int | None


class _MovedEvent(TypedDict):
    fen: str
    game: int
    played: PlayedMove
    turn: WireColor
    type: Literal["moved"]


class MovedEvent(_MovedEvent, total=False):
    """A move was played. Sent to everyone at the table, including the mover."""

    clocks: WireClocks | None
    id: str | None
    seq: int
    table: str


class _OfferedEvent(TypedDict):
    by: WireColor
    game: int
    offer: Offer
    type: Literal["offered"]


class OfferedEvent(_OfferedEvent, total=False):
    """A player has made an offer. Sent to everyone at the table."""

    seq: int | None
    table: str


class _DeclinedEvent(TypedDict):
    by: WireColor
    game: int
    offer: Offer
    type: Literal["declined"]


class DeclinedEvent(_DeclinedEvent, total=False):
    """A player has declined an offer. Sent to everyone at the table."""

    seq: int | None
    table: str


class _LapsedEvent(TypedDict):
    by: WireColor
    game: int
    offer: Offer
    type: Literal["lapsed"]


class LapsedEvent(_LapsedEvent, total=False):
    """An offer can no longer be accepted. Sent to everyone at the table."""

    table: str


class _TookBackEvent(TypedDict):
    fen: str
    game: int
    ply: int
    turn: WireColor
    type: Literal["took_back"]


class TookBackEvent(_TookBackEvent, total=False):
    """One or two moves were taken back. Sent to everyone at the table."""

    clocks: WireClocks | None
    seq: int
    table: str


class _GameOverEvent(TypedDict):
    fen: str
    game: int
    ply: int
    reason: EndReason
    result: GameResult
    type: Literal["game_over"]


class GameOverEvent(_GameOverEvent, total=False):
    """The game is over and both seats are free. Sent to everyone at the table."""

    article: str | None
    id: str
    left: WireColor | None
    seq: int
    table: str


class _MoveRefusedEvent(TypedDict):
    code: ErrorCode
    color: WireColor
    game: int
    message: str
    move: str
    ply: int
    type: Literal["move_refused"]


class MoveRefusedEvent(_MoveRefusedEvent, total=False):
    """The server refused a player's move. Sent to the director of an arranged game."""

    table: str


class _MisbehavedEvent(TypedDict):
    color: WireColor
    game: int
    message: str
    type: Literal["misbehaved"]


class MisbehavedEvent(_MisbehavedEvent, total=False):
    """A player violated the protocol. Sent to the director of an arranged game."""

    table: str


class _ErrorEvent(TypedDict):
    code: ErrorCode
    message: str
    type: Literal["error"]


class ErrorEvent(_ErrorEvent, total=False):
    """The server refused a message of the client, and nothing has changed."""

    candidates: list[str]
    table: str | None


class _AcknowledgedEvent(TypedDict):
    game: int
    ply: int
    seq: int
    table: str
    type: Literal["acknowledged"]


class AcknowledgedEvent(_AcknowledgedEvent, total=False):
    """The move was already played: the answer to a move that the client has sent again."""

    id: str | None


class _PresenceEvent(TypedDict):
    color: WireColor
    connected: bool
    table: str
    type: Literal["presence"]


class PresenceEvent(_PresenceEvent, total=False):
    """A player of the running game has lost the connection or has returned. Sent to everyone at the table."""

    claim_in_ms: int | None


class _ClocksEvent(TypedDict):
    clocks: WireClocks
    game: int
    ply: int
    table: str
    type: Literal["clocks"]


class ClocksEvent(_ClocksEvent, total=False):
    """The clocks during a move. Sent to a client after the events that it had missed."""

    thinking_ms: int | None


class SaidEvent(TypedDict):
    """A player has said a phrase. Sent to everyone at the table; the server does not store it."""

    by: WireColor
    phrase: Phrase
    table: str
    type: Literal["said"]


class WatchersEvent(TypedDict):
    """The number of spectators has changed. Sent to everyone at the table, at most once a second."""

    count: int
    table: str
    type: Literal["watchers"]


class _TableStateEvent(TypedDict):
    info: TableInfo
    server_ms: int
    table: str
    type: Literal["table_state"]


class TableStateEvent(_TableStateEvent, total=False):
    """The complete state of a table."""

    legal_moves: list[LegalMove]
    rematch: OpenOffer | None
    state: GameState | None
    you: WireColor | None


class StorageEvent(TypedDict):
    """Whether the server can store events. While it cannot, it refuses commands with not_stored, and the clocks are
    stopped. Sent to everyone at the table."""

    ok: bool
    table: str
    type: Literal["storage"]


class TableCreatedEvent(TypedDict):
    """The client's table was created, and the client has entered it."""

    table: str
    type: Literal["table_created"]


class _TablesEvent(TypedDict):
    live: int
    open: int
    players: int
    tables: list[TableInfo]
    type: Literal["tables"]


class TablesEvent(_TablesEvent, total=False):
    """The list of tables that the client requested."""

    next: str | None
    quick: list[str]
    quick_rated: list[str]


class _LobbyEvent(TypedDict):
    live: int
    open: int
    players: int
    tables: list[TableInfo]
    type: Literal["lobby"]


class LobbyEvent(_LobbyEvent, total=False):
    """The first 50 public tables with a running game, and the first 50 with a free seat and no game. Sent to subscribers
    of the lobby whenever it changes, at most once a second."""

    next: str | None
    quick: list[str]
    quick_rated: list[str]


class UnwatchedEvent(TypedDict):
    """The client is no longer at a table."""

    table: str
    type: Literal["unwatched"]


class TableClosedEvent(TypedDict):
    """A table was closed. Sent to everyone at the table."""

    reason: ClosedReason
    table: str
    type: Literal["table_closed"]


class _QueuedEvent(TypedDict):
    type: Literal["queued"]


class QueuedEvent(_QueuedEvent, total=False):
    """The client waits for an opponent for a quick game."""

    clock: str | None
    rated: bool
    tournament: str | None


class UnqueuedEvent(TypedDict):
    """The client no longer waits for an opponent."""

    type: Literal["unqueued"]


class PairedEvent(TypedDict):
    """An opponent was found, and the client has a seat at a table."""

    color: WireColor
    table: str
    type: Literal["paired"]


class _TvEvent(TypedDict):
    type: Literal["tv"]


class TvEvent(_TvEvent, total=False):
    """The table that the server has selected for those who follow tv."""

    table: str | None


class ChallengedEvent(TypedDict):
    """Another client challenges the receiver to a game."""

    by: str
    info: TableInfo
    table: str
    type: Literal["challenged"]


class ChallengeDeclinedEvent(TypedDict):
    """A challenge was declined. Sent to both clients."""

    by: str
    table: str
    type: Literal["challenge_declined"]


class ChallengeWithdrawnEvent(TypedDict):
    """The challenger has withdrawn the challenge."""

    table: str
    type: Literal["challenge_withdrawn"]


class ReplacedEvent(TypedDict):
    """Another connection has joined with the client's token and replaces this one, which the server then closes. Do not
    reconnect."""

    type: Literal["replaced"]


class _RestartingEvent(TypedDict):
    delay_ms: int
    type: Literal["restarting"]


class RestartingEvent(_RestartingEvent, total=False):
    """The server restarts."""

    in_ms: int | None


class _PongEvent(TypedDict):
    server_ms: int
    type: Literal["pong"]


class PongEvent(_PongEvent, total=False):
    """The answer to ping."""

    rtt_ms: int | None
    t: int | None


class NameKeptEvent(TypedDict):
    """The client's account was created."""

    name: str
    recovery: list[str]
    token: str
    type: Literal["name_kept"]

ServerMessage = Union[
    JoinedEvent,
    PlayersEvent,
    GameStartedEvent,
    GameStateEvent,
    YourTurnEvent,
    MovedEvent,
    OfferedEvent,
    DeclinedEvent,
    LapsedEvent,
    TookBackEvent,
    GameOverEvent,
    MoveRefusedEvent,
    MisbehavedEvent,
    ErrorEvent,
    AcknowledgedEvent,
    PresenceEvent,
    ClocksEvent,
    SaidEvent,
    WatchersEvent,
    TableStateEvent,
    StorageEvent,
    TableCreatedEvent,
    TablesEvent,
    LobbyEvent,
    UnwatchedEvent,
    TableClosedEvent,
    QueuedEvent,
    UnqueuedEvent,
    PairedEvent,
    TvEvent,
    ChallengedEvent,
    ChallengeDeclinedEvent,
    ChallengeWithdrawnEvent,
    ReplacedEvent,
    RestartingEvent,
    PongEvent,
    NameKeptEvent,
]

SERVER_MESSAGES = frozenset(
    [
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
    ]
)
