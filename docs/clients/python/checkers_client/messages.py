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
    """A bot for a seat of a table that is there."""

    level: int | None
    spec: str | None


class BotRequest(TypedDict, total=False):
    """A bot that the server is to play: {'level':3} or {'spec':'alpha-beta:depth=7'}."""

    level: int | None
    spec: str | None


class BotRequests(TypedDict, total=False):
    """Bots for the seats of a table."""

    black: BotRequest | None
    white: BotRequest | None


class ClientLimits(TypedDict):
    """How much a client may ask for. Messages that the server has asked for, such as moves, do not count."""

    message_burst: int
    message_rate: int
    tables: int


class CreateTable(TypedDict, total=False):
    """A table as a client wants it."""

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
    """A game from its beginning to now."""

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
    """A seat that a client has."""

    color: WireColor
    state: TablePhase
    table: str


class _Join(TypedDict):
    name: str


class Join(_Join, total=False):
    """How a client comes in: to the table that the message is about, or to main."""

    lobby: bool
    moves: bool
    since: Since | None
    token: str | None


class _Joined(TypedDict):
    draw_rules: str
    name: str
    protocol: int


class Joined(_Joined, total=False):
    """The client is in."""

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
    """Asks for an account under the client's name."""

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
    """Which tables to list."""

    cursor: str | None
    limit: int | None
    state: TableFilter


class Meant(TypedDict, total=False):
    """The game that a message is meant for."""

    game: int | None


class NameKept(TypedDict):
    """A new account. The server sends the codes only once."""

    name: str
    recovery: list[str]
    token: str


class OpenOffer(TypedDict):
    """An offer that waits for its answer."""

    by: WireColor
    offer: Offer


class Ping(TypedDict, total=False):
    """A sign of life that pages can send."""

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
    """A move that has been played, as it was played."""

    search: SearchInfo | None


class _Player(TypedDict):
    name: str
    role: Role


class Player(_Player, total=False):
    """Somebody at a table."""

    bot: str | None


class _Pong(TypedDict):
    server_ms: int


class Pong(_Pong, total=False):
    """The answer to a Ping."""

    rtt_ms: int | None
    t: int | None


class Quick(TypedDict, total=False):
    """A request for a game with the next suitable opponent."""

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
    """What a bot tells of the search for a move. The server passes it on as it is."""

    pv: WireLine


class _SeatInfo(TypedDict):
    connected: bool
    name: str


class SeatInfo(_SeatInfo, total=False):
    """Who sits in a seat."""

    absent_ms: int | None
    bot: str | None
    claim_in_ms: int | None


class Seats(TypedDict, total=False):
    """The seats of a table."""

    black: SeatInfo | None
    white: SeatInfo | None


class Since(TypedDict):
    """What a client knows of a table's games."""

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
    """A table in a few words."""

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
    """All there is to know of a table: what a client needs that has just come, or has lost track."""

    legal_moves: list[LegalMove]
    rematch: OpenOffer | None
    state: GameState | None
    you: WireColor | None


class Watch(TypedDict, total=False):
    """A look at a table."""

    since: Since | None


class _WireClock(TypedDict):
    increment_ms: int
    remaining_ms: int


class WireClock(_WireClock, total=False):
    """One side's clock before its move. It adds an increment unless it has a delay or a time for every move."""

    delay_ms: int | None
    per_move_ms: int | None


class WireClocks(TypedDict, total=False):
    """The clocks of a game in which at least one side has one."""

    black: WireClock | None
    white: WireClock | None


class WireRoute(TypedDict):
    """One way to carry out a move."""

    captures: list[WireSquare]
    squares: list[WireSquare]


class _JoinRequest(TypedDict):
    name: str
    type: Literal["join"]


class JoinRequest(_JoinRequest, total=False):
    """Comes in under a name; answered by joined or error."""

    lobby: bool
    moves: bool
    since: Since | None
    table: str | None
    token: str | None


class _TakeSeatRequest(TypedDict):
    color: SeatWish
    type: Literal["take_seat"]


class TakeSeatRequest(_TakeSeatRequest, total=False):
    """Asks for a seat; answered by players or error."""

    table: str | None


class _LeaveSeatRequest(TypedDict):
    type: Literal["leave_seat"]


class LeaveSeatRequest(_LeaveSeatRequest, total=False):
    """Gives the seat up; a running game ends as interrupted."""

    table: str | None


class _MoveRequest(TypedDict):
    move: str
    ply: int
    type: Literal["move"]


class MoveRequest(_MoveRequest, total=False):
    """Plays a move; answered by moved or error."""

    game: int | None
    id: str | None
    search: SearchInfo | None
    table: str | None


class _ResignRequest(TypedDict):
    type: Literal["resign"]


class ResignRequest(_ResignRequest, total=False):
    """Gives the game up; answered by game_over or error."""

    game: int | None
    table: str | None


class _AbortRequest(TypedDict):
    type: Literal["abort"]


class AbortRequest(_AbortRequest, total=False):
    """Calls the game off before both sides have moved; answered by game_over or error."""

    game: int | None
    table: str | None


class _OfferDrawRequest(TypedDict):
    type: Literal["offer_draw"]


class OfferDrawRequest(_OfferDrawRequest, total=False):
    """Offers a draw; answered by offered, or by game_over if the opponent has offered one, or by error."""

    game: int | None
    table: str | None


class _AcceptDrawRequest(TypedDict):
    type: Literal["accept_draw"]


class AcceptDrawRequest(_AcceptDrawRequest, total=False):
    """Takes the draw that is offered; answered by game_over or error."""

    game: int | None
    table: str | None


class _DeclineDrawRequest(TypedDict):
    type: Literal["decline_draw"]


class DeclineDrawRequest(_DeclineDrawRequest, total=False):
    """Turns it down; answered by declined or error."""

    game: int | None
    table: str | None


class _OfferTakebackRequest(TypedDict):
    type: Literal["offer_takeback"]


class OfferTakebackRequest(_OfferTakebackRequest, total=False):
    """Asks to take the own last move back; answered by offered, or by took_back if the opponent has asked too, or by
    error."""

    game: int | None
    table: str | None


class _AcceptTakebackRequest(TypedDict):
    type: Literal["accept_takeback"]


class AcceptTakebackRequest(_AcceptTakebackRequest, total=False):
    """Lets the opponent take a move back; answered by took_back or error."""

    game: int | None
    table: str | None


class _DeclineTakebackRequest(TypedDict):
    type: Literal["decline_takeback"]


class DeclineTakebackRequest(_DeclineTakebackRequest, total=False):
    """Does not; answered by declined or error."""

    game: int | None
    table: str | None


class _OfferRematchRequest(TypedDict):
    type: Literal["offer_rematch"]


class OfferRematchRequest(_OfferRematchRequest, total=False):
    """Offers to play again; answered by offered, or by game_started if the opponent has offered it, or by error."""

    game: int | None
    table: str | None


class _AcceptRematchRequest(TypedDict):
    type: Literal["accept_rematch"]


class AcceptRematchRequest(_AcceptRematchRequest, total=False):
    """Agrees to play again; answered by game_started or error."""

    game: int | None
    table: str | None


class _DeclineRematchRequest(TypedDict):
    type: Literal["decline_rematch"]


class DeclineRematchRequest(_DeclineRematchRequest, total=False):
    """Does not; answered by declined or error."""

    game: int | None
    table: str | None


class _ArrangeGameRequest(TypedDict):
    black: str
    game: int
    token: str
    type: Literal["arrange_game"]
    white: str


class ArrangeGameRequest(_ArrangeGameRequest, total=False):
    """The director seats two clients and starts their game; answered by game_started or error."""

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
    """The director ends the running game; answered by game_over or error."""

    table: str | None


class _CreateTableRequest(TypedDict):
    type: Literal["create_table"]


class CreateTableRequest(_CreateTableRequest, total=False):
    """Makes a table and comes to it; answered by table_created or error."""

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
    """Comes to a table; answered by table_state, or by what has happened since, or by error."""

    since: Since | None
    table: str | None


class _UnwatchRequest(TypedDict):
    type: Literal["unwatch"]


class UnwatchRequest(_UnwatchRequest, total=False):
    """Goes away from a table; answered by unwatched."""

    table: str | None


class _SyncRequest(TypedDict):
    type: Literal["sync"]


class SyncRequest(_SyncRequest, total=False):
    """Asks for the state of a table that the client is at; answered like watch."""

    since: Since | None
    table: str | None


class _AddBotRequest(TypedDict):
    color: SeatWish
    type: Literal["add_bot"]


class AddBotRequest(_AddBotRequest, total=False):
    """Seats a bot that the server plays; answered by players or error."""

    level: int | None
    spec: str | None
    table: str | None


class _DeclineChallengeRequest(TypedDict):
    type: Literal["decline_challenge"]


class DeclineChallengeRequest(_DeclineChallengeRequest, total=False):
    """Does not want to play at the table that somebody has made for it; answered by challenge_declined."""

    table: str | None


class _QuickRequest(TypedDict):
    type: Literal["quick"]


class QuickRequest(_QuickRequest, total=False):
    """Wants to play whoever wants to play too; answered by queued and then paired."""

    clock: str | None
    invitation: str | None
    ladder: str | None
    rated: bool
    table: str | None
    tournament: str | None


class _CancelQuickRequest(TypedDict):
    type: Literal["cancel_quick"]


class CancelQuickRequest(_CancelQuickRequest, total=False):
    """Does not any more; answered by unqueued."""

    table: str | None


class _ListTablesRequest(TypedDict):
    type: Literal["list_tables"]


class ListTablesRequest(_ListTablesRequest, total=False):
    """Asks which public tables there are; answered by tables or error."""

    cursor: str | None
    limit: int | None
    state: TableFilter
    table: str | None


class _SubscribeLobbyRequest(TypedDict):
    type: Literal["subscribe_lobby"]


class SubscribeLobbyRequest(_SubscribeLobbyRequest, total=False):
    """Wants to be told what happens in the lobby; answered by lobby, again and again."""

    table: str | None


class _UnsubscribeLobbyRequest(TypedDict):
    type: Literal["unsubscribe_lobby"]


class UnsubscribeLobbyRequest(_UnsubscribeLobbyRequest, total=False):
    """Does not any more."""

    table: str | None


class _TvRequest(TypedDict):
    type: Literal["tv"]


class TvRequest(_TvRequest, total=False):
    """Wants to see the most watched game, whichever that is; answered by tv, again whenever it is another."""

    table: str | None


class _LeaveTvRequest(TypedDict):
    type: Literal["leave_tv"]


class LeaveTvRequest(_LeaveTvRequest, total=False):
    """Does not any more."""

    table: str | None


class _ClaimRequest(TypedDict):
    result: ClaimedResult
    type: Literal["claim"]


class ClaimRequest(_ClaimRequest, total=False):
    """Ends a game whose other player has been away for long; answered by game_over or error."""

    table: str | None


class _SayRequest(TypedDict):
    phrase: Phrase
    type: Literal["say"]


class SayRequest(_SayRequest, total=False):
    """Says something to the opponent; answered by said or error."""

    table: str | None


class _KeepNameRequest(TypedDict):
    type: Literal["keep_name"]


class KeepNameRequest(_KeepNameRequest, total=False):
    """Creates an account under the client's name; answered by name_kept or error."""

    invitation: str | None
    table: str | None


class _LeaveRequest(TypedDict):
    type: Literal["leave"]


class LeaveRequest(_LeaveRequest, total=False):
    """Goes for good: gives its seats up and its name free. The server closes the connection then."""

    table: str | None


class _PingRequest(TypedDict):
    type: Literal["ping"]


class PingRequest(_PingRequest, total=False):
    """Asks for a sign of life; answered by pong. About a table where the client is, it is answered after everything that
    the client has sent there before."""

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
    """The client is in, as a spectator unless it has come back to its seat."""

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
    """Who is here; told to everybody whenever it changes."""

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
    """A game begins."""

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
    """The running game, told to a client that comes in while it runs."""

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
    """The receiver is to move."""

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
    """A move has been played."""

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
    """A player has made an offer."""

    seq: int | None
    table: str


class _DeclinedEvent(TypedDict):
    by: WireColor
    game: int
    offer: Offer
    type: Literal["declined"]


class DeclinedEvent(_DeclinedEvent, total=False):
    """A player has turned an offer down."""

    seq: int | None
    table: str


class _LapsedEvent(TypedDict):
    by: WireColor
    game: int
    offer: Offer
    type: Literal["lapsed"]


class LapsedEvent(_LapsedEvent, total=False):
    """An offer can be accepted no longer."""

    table: str


class _TookBackEvent(TypedDict):
    fen: str
    game: int
    ply: int
    turn: WireColor
    type: Literal["took_back"]


class TookBackEvent(_TookBackEvent, total=False):
    """Moves have been taken back."""

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
    """The game is over and both seats are free."""

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
    """A player's move was refused: told to the director of an arranged game."""

    table: str


class _MisbehavedEvent(TypedDict):
    color: WireColor
    game: int
    message: str
    type: Literal["misbehaved"]


class MisbehavedEvent(_MisbehavedEvent, total=False):
    """A player said what is no message of the protocol: told to the director of an arranged game."""

    table: str


class _ErrorEvent(TypedDict):
    code: ErrorCode
    message: str
    type: Literal["error"]


class ErrorEvent(_ErrorEvent, total=False):
    """A message was refused; the client stays where it was."""

    candidates: list[str]
    table: str | None


class _AcknowledgedEvent(TypedDict):
    game: int
    ply: int
    seq: int
    table: str
    type: Literal["acknowledged"]


class AcknowledgedEvent(_AcknowledgedEvent, total=False):
    """A move has been played already: the answer to a move that was sent again."""

    id: str | None


class _PresenceEvent(TypedDict):
    color: WireColor
    connected: bool
    table: str
    type: Literal["presence"]


class PresenceEvent(_PresenceEvent, total=False):
    """A player of the running game has gone or has come back."""

    claim_in_ms: int | None


class _ClocksEvent(TypedDict):
    clocks: WireClocks
    game: int
    ply: int
    table: str
    type: Literal["clocks"]


class ClocksEvent(_ClocksEvent, total=False):
    """The clocks while the side to move thinks: told after what a client had missed."""

    thinking_ms: int | None


class SaidEvent(TypedDict):
    """A player has said something. It is told once and kept nowhere."""

    by: WireColor
    phrase: Phrase
    table: str
    type: Literal["said"]


class WatchersEvent(TypedDict):
    """How many look on, when it has changed much."""

    count: int
    table: str
    type: Literal["watchers"]


class _TableStateEvent(TypedDict):
    info: TableInfo
    server_ms: int
    table: str
    type: Literal["table_state"]


class TableStateEvent(_TableStateEvent, total=False):
    """All there is to know of a table."""

    legal_moves: list[LegalMove]
    rematch: OpenOffer | None
    state: GameState | None
    you: WireColor | None


class StorageEvent(TypedDict):
    """Whether the server can keep what happens. While it cannot, nothing happens and no clock runs."""

    ok: bool
    table: str
    type: Literal["storage"]


class TableCreatedEvent(TypedDict):
    """The client's table is there, and the client at it."""

    table: str
    type: Literal["table_created"]


class _TablesEvent(TypedDict):
    live: int
    open: int
    players: int
    tables: list[TableInfo]
    type: Literal["tables"]


class TablesEvent(_TablesEvent, total=False):
    """The tables that were asked for."""

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
    """The first public tables, open ones and live ones, told whenever that has changed."""

    next: str | None
    quick: list[str]
    quick_rated: list[str]


class UnwatchedEvent(TypedDict):
    """The client is at a table no more."""

    table: str
    type: Literal["unwatched"]


class TableClosedEvent(TypedDict):
    """A table is no more."""

    reason: ClosedReason
    table: str
    type: Literal["table_closed"]


class _QueuedEvent(TypedDict):
    type: Literal["queued"]


class QueuedEvent(_QueuedEvent, total=False):
    """The client waits for somebody to play."""

    clock: str | None
    rated: bool
    tournament: str | None


class UnqueuedEvent(TypedDict):
    """The client does not wait any more."""

    type: Literal["unqueued"]


class PairedEvent(TypedDict):
    """Somebody has been found: the client has its seat at a table."""

    color: WireColor
    table: str
    type: Literal["paired"]


class _TvEvent(TypedDict):
    type: Literal["tv"]


class TvEvent(_TvEvent, total=False):
    """What there is to be seen."""

    table: str | None


class ChallengedEvent(TypedDict):
    """Somebody wants to play the client."""

    by: str
    info: TableInfo
    table: str
    type: Literal["challenged"]


class ChallengeDeclinedEvent(TypedDict):
    """Whom the client wants to play does not."""

    by: str
    table: str
    type: Literal["challenge_declined"]


class ChallengeWithdrawnEvent(TypedDict):
    """Who wanted to play the client does not any more."""

    table: str
    type: Literal["challenge_withdrawn"]


class ReplacedEvent(TypedDict):
    """Another connection has shown the client's token and is the client now. This one is closed."""

    type: Literal["replaced"]


class _RestartingEvent(TypedDict):
    delay_ms: int
    type: Literal["restarting"]


class RestartingEvent(_RestartingEvent, total=False):
    """The server goes down and comes back."""

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
