"""Tables and their games, as far as the server has reported them."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Literal, cast

from .errors import ChallengeError, ConnectionFailed, MoveError, ServerError
from .messages import (
    ClaimedResult,
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
)

if TYPE_CHECKING:
    from .client import Client

# Without an answer for so long, a move is sent again. The server plays it once.
MOVE_ANSWER_LIMIT = 2.5


class Game:
    """A game at a table. The fields change as the server reports events."""

    def __init__(self, table: Table, state: GameState) -> None:
        self.table = table
        self.number = state["game"]
        self.id = state.get("id", "")
        self.white = state["white"]
        self.black = state["black"]
        self.start_fen = state["start_fen"]
        self.moves: list[PlayedMove] = []
        self.fen = state["fen"]
        self.turn: WireColor = state["turn"]
        self.clocks: WireClocks | None = None
        self.offers: list[OpenOffer] = []
        self.legal_moves: list[LegalMove] = []
        """The moves to choose from; empty unless it is the client's turn."""
        self.result: GameResult | None = None
        self.reason: EndReason | None = None
        self.article: str | None = None
        self.takebacks = 0
        self.requests = 0
        """How many times a move was wanted. A request that the server repeats counts once."""
        self._asked: tuple[int, int] | None = None
        self._seq = 0
        self._load(state)

    @property
    def color(self) -> WireColor | None:
        """The client's own side; `None` for a spectator."""
        name = self.table.client.name
        return "white" if self.white == name else "black" if self.black == name else None

    @property
    def opponent(self) -> str:
        return self.white if self.color == "black" else self.black

    @property
    def ply(self) -> int:
        return len(self.moves)

    @property
    def over(self) -> bool:
        return self.result is not None

    async def turns(self) -> AsyncIterator[list[LegalMove]]:
        """The legal moves, each time a move is wanted, until the game is over."""
        seen = 0
        while True:
            await self.table.client.until(lambda: self.over or (self.legal_moves and self.requests != seen))
            if self.over:
                return
            seen = self.requests
            yield list(self.legal_moves)

    async def finished(self) -> None:
        """Waits for the end of the game."""
        await self.table.client.until(lambda: self.over)

    async def move(self, text: str, search: SearchInfo | None = None) -> PlayedMove | None:
        """Plays a move and waits until the server has stored it, also across a loss of the connection.

        Returns `None` if it came too late: the game is over, or a move was taken back meanwhile.

        Raises MoveError if it is not the client's turn, or if the server refuses the move; `turns` then asks again.
        """
        # Not left to the server, because the opponent's move, which may be on its way, would look like the answer.
        if not self.over and self.color is None:
            raise MoveError("not_seated", "you do not play this game")
        if not self.over and self.color != self.turn:
            raise MoveError("not_your_turn", "it is the opponent's turn")
        ply, takebacks = self.ply, self.takebacks
        message: dict[str, Any] = {"type": "move", "ply": ply, "move": text, "id": uuid.uuid4().hex}
        if search is not None:
            message["search"] = search

        def settled() -> bool:
            return self.over or self.takebacks != takebacks or self.ply > ply

        while not settled():
            requests = self.requests
            try:
                await self._ask_server(message, lambda _: settled(), lambda: self.ply <= ply, MOVE_ANSWER_LIMIT)
            except ConnectionFailed as error:
                if error.code not in ("disconnected", "timeout"):
                    raise
            except ServerError as error:
                if settled():
                    break
                if error.code == "not_stored":
                    # The server asks again once it can store moves.
                    await self.table.client.until(lambda: settled() or self.requests != requests)
                    continue
                self.requests += 1
                raise MoveError(error.code, error.message, error.candidates) from None
        if self.takebacks != takebacks or self.ply <= ply:
            return None
        return self.moves[ply]

    async def resign(self) -> None:
        await self._end("resign", "resignation")

    async def abort(self) -> None:
        """Calls the game off, which is possible until both sides have moved."""
        await self._end("abort", "aborted")

    async def claim(self, result: ClaimedResult) -> None:
        """Claims the game of an opponent who has been away for long enough."""
        await self._end("claim", "abandoned", result=result)

    async def offer(self, offer: Offer) -> None:
        """Offers a draw, a takeback or a rematch; accepts it if the opponent has offered the same."""
        await self._ask_server({"type": f"offer_{offer}"}, self._answers(offer, "offered"))

    async def accept(self, offer: Offer) -> None:
        await self._ask_server({"type": f"accept_{offer}"}, self._answers(offer))

    async def decline(self, offer: Offer) -> None:
        await self._ask_server({"type": f"decline_{offer}"}, self._answers(offer, "declined"))

    async def offer_draw(self) -> None:
        await self.offer("draw")

    def offered(self, offer: Offer) -> bool:
        """Whether the opponent has made an offer that is still open."""
        return any(found["offer"] == offer and found["by"] != self.color for found in self.offers)

    async def _end(self, kind: str, reason: EndReason, **fields: Any) -> None:
        # Of a game that is over already, only an error tells.
        was_over = self.over
        await self._ask_server(
            {"type": kind, **fields}, lambda _: self.over and not was_over, lambda: self.reason != reason
        )

    def _answers(self, offer: Offer, reply: Literal["offered", "declined"] | None = None) -> Any:
        def answers(message: ServerMessage) -> bool:
            if message["type"] == "offered" or message["type"] == "declined":
                return message["type"] == reply and message["offer"] == offer and message["by"] == self.color
            ends = {"draw": "game_over", "takeback": "took_back", "rematch": "game_started"}
            return message["type"] == ends[offer]

        return lambda message: message.get("table") == self.table.id and answers(message)

    async def _ask_server(self, message: dict[str, Any], *how: Any) -> None:
        await self.table._request({"game": self.number, **message}, *how)

    # What the server reports.

    def _load(self, state: GameState) -> None:
        known = len(self.moves)
        if state["moves"][:known] != self.moves:
            self.takebacks += 1
        self.moves = list(state["moves"])
        self.legal_moves = []
        self.offers = list(state.get("offers", []))
        self._seq = state.get("seq", 0)
        self._place(state)
        if result := state.get("result"):
            self._finish(result, state.get("reason"), state.get("article"))

    def _place(self, message: Any) -> None:
        self.fen = message["fen"]
        self.turn = message["turn"]
        self.clocks = message.get("clocks")

    def _want(self, legal_moves: list[LegalMove]) -> None:
        self.legal_moves = legal_moves
        now = (self.takebacks, self.ply)
        if self._asked != now:
            self._asked = now
            self.requests += 1

    def _finish(self, result: GameResult, reason: EndReason | None, article: str | None = None) -> None:
        self.result, self.reason, self.article = result, reason, article
        self.legal_moves = []
        self.offers = []

    def _lose(self) -> None:
        """The server has no such game any more."""
        if not self.over:
            self._finish("interrupted", None)

    def _handle(self, message: ServerMessage) -> bool:
        """Applies an event of this game; `False` if one before it is missing."""
        seq = cast(int, message.get("seq", 0))
        # An acknowledgement has the number of the event that it is about, which may come later.
        if seq and message["type"] != "acknowledged":
            if seq <= self._seq:
                return True
            if seq > self._seq + 1:
                return False
            self._seq = seq
        if message["type"] == "moved":
            self.moves.append(message["played"])
            self.legal_moves = []
            self._place(message)
        elif message["type"] == "took_back":
            del self.moves[message["ply"] :]
            self.legal_moves = []
            self.takebacks += 1
            self._place(message)
            self._drop_offer("takeback")
        elif message["type"] == "your_turn":
            if message["ply"] != self.ply:
                return message["ply"] < self.ply
            self.clocks = message.get("clocks", self.clocks)
            self._want(message.get("legal_moves", []))
        elif message["type"] == "clocks":
            self.clocks = message["clocks"]
        elif message["type"] == "offered":
            self.offers.append({"offer": message["offer"], "by": message["by"]})
        elif message["type"] == "declined" or message["type"] == "lapsed":
            self._drop_offer(message["offer"])
        elif message["type"] == "game_over":
            self.fen = message["fen"]
            self._finish(message["result"], message["reason"], message.get("article"))
        return True

    def _drop_offer(self, offer: Offer) -> None:
        self.offers = [found for found in self.offers if found["offer"] != offer]


class Table:
    """A table that the client has entered."""

    def __init__(self, client: Client, table: str) -> None:
        self.client = client
        self.id = table
        self.info: TableInfo | None = None
        self.color: WireColor | None = None
        """The client's own seat."""
        self.game: Game | None = None
        """The running game, or the last one."""
        self.closed = False
        self.refusal: str | None = None
        self._returned = 0

    async def next_game(self) -> Game:
        """Waits for the next game, or returns the running one if it was not returned before.

        Raises ChallengeError or ConnectionFailed if there will be none.
        """

        def found() -> Game | None:
            if self.game is not None and self.game.number > self._returned:
                return self.game
            if self.refusal is not None:
                raise ChallengeError(self.refusal, f"the challenge was {self.refusal}")
            if self.closed:
                raise ConnectionFailed("closed", f"table {self.id} is closed")
            return None

        game = await self.client.until(found)
        self._returned = game.number
        return game

    async def take_seat(self, color: SeatWish = "random") -> None:
        await self._request({"type": "take_seat", "color": color}, lambda _: self.color is not None)

    async def leave_seat(self) -> None:
        """Gives the seat up, which resigns a running game."""
        await self._request({"type": "leave_seat"}, lambda _: self.color is None)

    async def add_bot(self, color: SeatWish, *, level: int | None = None, spec: str | None = None) -> None:
        """Has the server play a seat."""
        bot = {"level": level} if spec is None else {"spec": spec}
        answers = ("players", "game_started")
        await self._request(
            {"type": "add_bot", "color": color, **bot},
            lambda message: message["type"] in answers and message.get("table") == self.id,
        )

    async def say(self, phrase: Phrase) -> None:
        await self._request(
            {"type": "say", "phrase": phrase},
            lambda message: message["type"] == "said" and message["table"] == self.id,
        )

    async def leave(self) -> None:
        """Leaves the table; a seat is kept for a while, as if the connection were lost."""
        await self._request({"type": "unwatch"}, lambda _: self.closed)

    async def _request(self, message: dict[str, Any], *how: Any) -> None:
        await self.client._request({"table": self.id, **message}, *how)

    def _handle(self, message: ServerMessage) -> bool:
        """Applies a message about this table; `False` if the state has to be requested."""
        if message["type"] == "table_state":
            self._load(message)
        elif message["type"] == "players":
            self.color = None
            for player in message["players"]:
                if player["name"] == self.client.name and player["role"] != "spectator":
                    self.color = player["role"]
        elif message["type"] == "game_started" or message["type"] == "game_state":
            self._begin(message)
        elif message["type"] == "unwatched" or message["type"] == "table_closed":
            self._close()
        elif message["type"] == "challenge_declined":
            self.refusal = "declined"
        elif message["type"] == "challenge_withdrawn":
            self.refusal = "withdrawn"
        elif (number := message.get("game")) is not None:
            if self.game is None or self.game.number != number:
                return False
            if message["type"] == "game_over":
                self.color = None
            return self.game._handle(message)
        return True

    def _load(self, message: TableState) -> None:
        self.info = message["info"]
        self.color = message.get("you")
        if state := message.get("state"):
            is_first = self.game is None
            game = self._begin(state)
            if is_first and game.over and game.color is None:
                self._returned = game.number
            if game.over:
                rematch = message.get("rematch")
                game.offers = [rematch] if rematch else []
            elif legal_moves := message.get("legal_moves"):
                game._want(legal_moves)
        elif self.game is not None:
            self.game._lose()

    def _begin(self, state: GameState) -> Game:
        if self.game is not None and self.game.number == state["game"]:
            if not self.game.over:
                self.game._load(state)
            return self.game
        if self.game is not None:
            self.game._lose()
        self.game = Game(self, state)
        if not self.game.over:
            self.color = self.game.color
        return self.game

    def _close(self) -> None:
        self.closed = True
        self.color = None
        if self.game is not None:
            self.game._lose()
