"""A client of the server: it joins, keeps track of tables and games, and comes back after a loss of the connection."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, NoReturn, TypeVar, cast

import websockets
from websockets.asyncio.client import ClientConnection, connect

from .errors import CheckersError, ConnectionFailed, JoinError, ServerError
from .game import Game, Table
from .messages import (
    SERVER_MESSAGES,
    ChallengedEvent,
    ClientMessage,
    CreateTable,
    ErrorEvent,
    JoinedEvent,
    SeatWish,
    ServerMessage,
)

T = TypeVar("T")
log = logging.getLogger("checkers_client")

PROTOCOL = 1
CONNECT_LIMIT = 10.0
ANSWER_LIMIT = 30.0
LEAVE_LIMIT = 4.0
MAX_MESSAGE_BYTES = 1024 * 1024
# Messages that wait for `async for message in client`, and challenges that wait for `next_challenge`. When a queue is
# full its oldest entry is dropped: the state of tables and games does not depend on them.
MESSAGE_QUEUE = 256
CHALLENGE_QUEUE = 32
# At the start, a server that starts at the same time is waited for.
CONNECT_WITHIN = 10.0
SHORTEST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
# The server closes with these when it is worth coming back; 1006 is a connection that broke.
PASSING_CLOSES = {1006, 1012, 1013, 4000, 4001}
# What the server answers to a message about a game that is over by then.
LATE_CODES = {"no_game", "not_seated", "not_your_turn", "wrong_ply", "no_offer"}


class Backoff:
    """Pauses that double, each cut by up to a half at random, so that clients do not all come back at once."""

    def __init__(self) -> None:
        self.next = SHORTEST_PAUSE
        self.hint = 0.0
        """How long the server asked the client to stay away, for the next pause."""

    def pause(self) -> float:
        pause, self.next = self.next, min(2 * self.next, LONGEST_PAUSE)
        hint, self.hint = min(self.hint, LONGEST_PAUSE), 0.0
        if hint:
            return hint + pause * random.uniform(0, 0.5)
        return pause * random.uniform(0.5, 1)


class Lost(Exception):
    """The connection is lost, and the client comes back."""


class Challenge:
    """Another client wants to play at a table that it has created."""

    def __init__(self, client: Client, event: ChallengedEvent) -> None:
        self.client = client
        self.table = event["table"]
        self.by = event["by"]
        self.info = event["info"]

    async def accept(self) -> Table:
        """Enters the table and takes the seat; `next_game` of the table is the game."""
        table = await self.client.watch(self.table)
        await table.take_seat("random")
        return table

    async def decline(self) -> None:
        await self.client._request(
            {"type": "decline_challenge", "table": self.table},
            lambda message: message["type"] == "challenge_declined" and message["table"] == self.table,
        )


class Client:
    """A client that has joined a server. Make it with `connect`, and close it or use it with `async with`."""

    def __init__(
        self,
        url: str,
        name: str | None,
        token: str | None,
        connect_within: float | None,
        give_up_after: float | None,
        lobby: bool,
    ) -> None:
        self.url = url
        self.name = name or ""
        """The name that the server knows the client by."""
        self.token = token
        """The secret of the name: who shows it joins as this client."""
        self.account = False
        """Whether the name belongs to an account."""
        self.joined: JoinedEvent | None = None
        self.tables: dict[str, Table] = {}
        self.dropped = 0
        """How many messages were dropped because nothing iterated over the client."""
        self._connect_within = connect_within
        self._give_up_after = give_up_after
        self._lobby = lobby
        self._socket: ClientConnection | None = None
        self._online = False
        self._has_arrived = False
        self._error: CheckersError | None = None
        self._closing = False
        self._messages: deque[ServerMessage] = deque(maxlen=MESSAGE_QUEUE)
        self._challenges: deque[Challenge] = deque(maxlen=CHALLENGE_QUEUE)
        self._outbox: list[dict[str, Any]] = []
        self._waiting: set[asyncio.Future[None]] = set()
        self._request_lock = asyncio.Lock()
        self._request_open: tuple[Callable[[ServerMessage], bool], asyncio.Future[ServerMessage]] | None = None
        self._late_errors = 0
        self._backoff = Backoff()
        self._pings = itertools.count(1)
        self._quick: dict[str, Any] | None = None
        self._paired: Table | None = None
        self._queue_error: CheckersError | None = None
        self._requeued = False
        """Whether `quick` was sent again, without an answer so far."""
        self._refusal: ErrorEvent | None = None
        self._task: asyncio.Task[None] | None = None

    @classmethod
    async def connect(
        cls,
        url: str,
        name: str | None = None,
        token: str | None = None,
        *,
        connect_within: float | None = CONNECT_WITHIN,
        give_up_after: float | None = None,
        lobby: bool = False,
    ) -> Client:
        """Joins a server, as a guest with a `name` or with the `token` of an account or of an earlier client.

        `connect_within` is for how many seconds it tries to connect at first, and `give_up_after` for how many to come
        back after a loss of the connection: `None` is for ever, 0 is not at all. With `lobby` it receives the messages
        of the lobby.

        Raises ConnectionFailed if the server cannot be reached, and JoinError if it does not let the client in.
        """
        client = cls(url, name, token, connect_within, give_up_after, lobby)
        client._task = asyncio.create_task(client._run())
        try:
            await client.until(lambda: client._online)
        except BaseException:
            await client.close()
            raise
        return client

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self, *, leave: bool = True) -> None:
        """Ends the connection. With `leave`, running games are resigned and the name is free at once; otherwise the
        server keeps name and seats for a while, and the token brings the client back."""
        self._closing = True
        if self._socket is not None and leave and self._online:
            try:
                await self._post({"type": "leave"})
                await asyncio.wait_for(self._socket.wait_closed(), LEAVE_LIMIT)
            except (Lost, asyncio.TimeoutError):
                pass
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._fail(ConnectionFailed("closed", "the client is closed"))

    async def __aiter__(self) -> AsyncIterator[ServerMessage]:
        """The server's messages, from the oldest of the last MESSAGE_QUEUE, until the client is closed."""
        while True:
            try:
                await self.until(lambda: bool(self._messages))
            except ConnectionFailed:
                if self._closing:
                    return
                raise
            yield self._messages.popleft()

    async def send(self, message: ClientMessage) -> None:
        """Sends a message and waits for no answer; answers, errors too, come with the other messages.

        An error may be taken for the answer to a request that another task has made meanwhile.
        """
        await self.until(lambda: self._online)
        try:
            await self._post(cast("dict[str, Any]", message))
        except Lost:
            raise ConnectionFailed("disconnected", "the connection is lost") from None

    async def until(self, check: Callable[[], T | None]) -> T:
        """Waits for a true result of `check`, which is called after every message, and returns it.

        Raises ConnectionFailed once the client has no connection and does not come back.
        """
        while True:
            if value := check():
                return value
            if self._error is not None:
                raise self._error
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.add(future)
            try:
                await future
            finally:
                self._waiting.discard(future)

    def wake(self) -> None:
        """Has `until` check again."""
        for future in self._waiting:
            if not future.done():
                future.set_result(None)

    async def create_table(self, **wishes: Any) -> Table:
        """Creates a table and enters it; `wishes` are the fields of `messages.CreateTable`. With a `color` and the seat
        of the server in `bots`, such as `{"black": {"level": 1}}`, `next_game` of the table is a game against it."""
        # The server ignores what it does not know, and the client would wait in vain.
        if unknown := set(wishes) - set(CreateTable.__annotations__):
            known = ", ".join(CreateTable.__annotations__)
            raise TypeError(f"a table has no {', '.join(sorted(unknown))}; it has {known}")
        answer = await self._request({"type": "create_table", **wishes}, lambda m: m["type"] == "table_created")
        return self._table(cast(str, answer.get("table")))

    async def challenge(self, opponent: str, *, color: SeatWish = "random", **wishes: Any) -> Table:
        """Challenges a client; `next_game` of the table waits for the answer."""
        return await self.create_table(opponent=opponent, color=color, **wishes)

    async def next_challenge(self) -> Challenge:
        """Waits for a challenge by another client. At most CHALLENGE_QUEUE wait; then the oldest is dropped."""
        await self.until(lambda: bool(self._challenges))
        return self._challenges.popleft()

    async def watch(self, table: str) -> Table:
        """Enters a table; `main` is always there."""

        def answers(message: ServerMessage) -> bool:
            return message["type"] == "table_state" and message["table"] == table

        await self._request({"type": "watch", "table": table}, answers)
        return self._table(table)

    async def quick(
        self,
        *,
        clock: str | None = None,
        rated: bool = False,
        ladder: str | None = None,
        tournament: str | None = None,
        invitation: str | None = None,
    ) -> Game:
        """Waits for an opponent who wants the same, and returns the game. Guests meet guests and people, bots with
        accounts other such bots; with `rated` and on a `ladder` these play the server when no other comes. Cancelling
        it leaves the queue."""
        wishes = {"clock": clock, "ladder": ladder, "tournament": tournament, "invitation": invitation}
        message: dict[str, Any] = {"type": "quick", **{key: wish for key, wish in wishes.items() if wish is not None}}
        if rated:
            message["rated"] = True
        for table in list(self.tables.values()):
            if table.info and table.info["kind"] == "quick" and table.game and table.game.over:
                await table.leave()
        self._quick, self._paired, self._queue_error, self._requeued = message, None, None, False
        try:
            try:
                await self._request(message, lambda answer: answer["type"] in ("queued", "paired"))
            except ConnectionFailed as error:
                # Otherwise the client asks again when it has come back.
                if error.code != "disconnected":
                    raise
            return await self.until(self._quick_game)
        except asyncio.CancelledError:
            # While the client comes back, `_resume` does it.
            if self.online:
                with contextlib.suppress(Lost):
                    await self._post({"type": "cancel_quick"})
            raise
        finally:
            self._quick = None

    async def cancel_quick(self) -> None:
        """Ends the wait of `quick`, which raises ServerError, unless an opponent has been found just now."""
        await self._request({"type": "cancel_quick"}, lambda message: message["type"] == "unqueued")

    @property
    def online(self) -> bool:
        return self._online

    @property
    def paired(self) -> bool:
        """Whether an opponent has been found for `quick`, and the game is about to begin."""
        return self._quick is not None and self._paired is not None

    def _quick_game(self) -> Game | None:
        if self._paired is not None and self._paired.game is not None and self._paired.game.color is not None:
            return self._paired.game
        if self._queue_error is not None:
            raise self._queue_error
        return None

    def _table(self, table: str) -> Table:
        if table not in self.tables:
            self.tables[table] = Table(self, table)
        return self.tables[table]

    # Requests. The protocol answers in order and names no request in an error: there is one at a time.

    async def _request(
        self,
        message: dict[str, Any],
        answers: Callable[[ServerMessage], bool],
        leaves_error: Callable[[], bool] = lambda: False,
        limit: float = ANSWER_LIMIT,
    ) -> ServerMessage:
        """Sends a message and waits for its answer. `leaves_error` says whether the message came too late for what
        has answered it, so that an error is still to come."""
        async with self._request_lock:
            await self.until(lambda: self._online)
            answer = await self._exchange(message, answers, limit)
            self._late_errors += leaves_error()
            return answer

    async def _exchange(
        self, message: dict[str, Any], answers: Callable[[ServerMessage], bool], limit: float = ANSWER_LIMIT
    ) -> ServerMessage:
        future: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()
        self._request_open = (answers, future)
        try:
            await self._post(message)
            # Unlike wait_for of Python 3.10, this never loses a cancellation.
            if not (await asyncio.wait([future], timeout=limit))[0]:
                raise ConnectionFailed("timeout", f"no answer to {message['type']} within {limit:g} s")
            return future.result()
        except Lost:
            raise ConnectionFailed("disconnected", "the connection is lost") from None
        finally:
            if self._request_open is not None and self._request_open[1] is future:
                self._request_open = None

    async def _post(self, message: dict[str, Any]) -> None:
        if self._socket is None:
            raise Lost("not connected")
        try:
            await self._socket.send(json.dumps(message))
        except websockets.ConnectionClosed:
            # The task that reads has not noticed yet: requests must wait for the next connection from now on.
            self._online = False
            raise Lost("the connection is closed") from None

    # The connection.

    async def _run(self) -> None:
        """Connects, and connects again, until the client is closed or nothing more can be done."""
        limits = [limit for limit in (self._connect_within, self._give_up_after) if limit is not None]
        deadline = time.monotonic() + min(limits) if limits else None
        try:
            while True:
                try:
                    await self._session()
                except Lost as error:
                    reason = str(error)
                if self._offline():
                    deadline = None if self._give_up_after is None else time.monotonic() + self._give_up_after
                pause = self._backoff.pause()
                if deadline is not None and time.monotonic() + pause > deadline:
                    raise ConnectionFailed("unreachable", f"cannot reach {self.url}: {reason}")
                log.warning("no connection to %s (%s); next attempt in %.1f s", self.url, reason, pause)
                await asyncio.sleep(pause)
        except CheckersError as error:
            self._offline()
            self._fail(error)
        except Exception as error:
            # Most likely a field is missing; whoever waits must not wait for ever.
            log.error("invalid message of the server", exc_info=True)
            self._offline()
            self._fail(ConnectionFailed("protocol", f"the server has sent an invalid message: {error!r}"))

    async def _session(self) -> None:
        """One connection. It ends with Lost, or with an error that is final."""
        try:
            async with connect(
                self.url,
                compression=None,
                open_timeout=CONNECT_LIMIT,
                ping_interval=10,
                ping_timeout=15,
                max_size=MAX_MESSAGE_BYTES,
            ) as socket:
                self._socket = socket
                joined = await asyncio.wait_for(self._join(), CONNECT_LIMIT)
                work = [asyncio.create_task(self._read(socket)), asyncio.create_task(self._resume(joined))]
                try:
                    await asyncio.gather(*work)
                finally:
                    for task in work:
                        task.cancel()
                    await asyncio.gather(*work, return_exceptions=True)
        except websockets.ConnectionClosed as error:
            self._closed(error)
        except websockets.InvalidURI as error:
            raise ConnectionFailed("unreachable", f"bad address {self.url}: {error}") from None
        except websockets.InvalidStatus as error:
            # The server is full or not ready, or a proxy does not reach it.
            if error.response.status_code == 429 or error.response.status_code >= 500:
                raise Lost(str(error)) from None
            raise ConnectionFailed("unreachable", f"{self.url} answers {error}") from None
        except (OSError, asyncio.TimeoutError, websockets.InvalidHandshake) as error:
            raise Lost(str(error) or "no answer") from None

    def _closed(self, error: websockets.ConnectionClosed) -> NoReturn:
        code = error.rcvd.code if error.rcvd is not None else 1006
        reason = error.rcvd.reason if error.rcvd is not None else "the connection is broken"
        if code in PASSING_CLOSES:
            raise Lost(reason or f"closed with {code}") from None
        if code == 4002:
            raise ConnectionFailed("replaced", "another connection has joined with this token") from None
        raise ConnectionFailed("closed", f"the server has closed the connection with {code}: {reason}") from None

    async def _join(self) -> JoinedEvent:
        join = {"type": "join", "name": self.name, "lobby": True}
        if self.token is not None:
            join["token"] = self.token
        await self._post(join)
        while (message := await self._receive()) is None or message["type"] not in ("joined", "error"):
            pass
        if message["type"] == "error":
            if message["code"] == "not_stored":
                raise Lost(message["message"])
            raise JoinError(message["code"], message["message"])
        if message["type"] != "joined" or message["protocol"] != PROTOCOL:
            raise ConnectionFailed("protocol", f"the server does not speak version {PROTOCOL} of the protocol")
        self.joined = message
        self.name = message["name"]
        self.token = message.get("token") or self.token
        self.account = message.get("account", False)
        self._messages.append(message)
        return message

    async def _resume(self, joined: JoinedEvent) -> None:
        """Enters the tables again where the client was or has a seat, and then lets requests through."""
        if not self._lobby:
            await self._post({"type": "unsubscribe_lobby"})
        seats = {seat["table"]: seat for seat in joined.get("seats", [])}
        for table in [*self.tables, *(seat for seat in seats if seat not in self.tables)]:
            is_new = table not in self.tables
            try:
                await self._exchange(
                    {"type": "watch", "table": table},
                    lambda message: message["type"] == "table_state" and message["table"] == table,
                )
            except ServerError as error:
                log.info("table %s: %s", table, error)
                self._close_table(table)
                continue
            except ConnectionFailed as error:
                raise Lost(error.message) from None
            # The opponent may have come while the connection was lost.
            info = self._table(table).info
            if is_new and self._quick and info and info["kind"] == "quick" and seats[table]["state"] != "over":
                self._paired = self._table(table)
        if (quick := self._quick) is not None and self._paired is None:
            try:
                await self._exchange(quick, lambda message: message["type"] in ("queued", "paired"))
                if self._quick is not quick:
                    # It was cancelled meanwhile.
                    await self._exchange({"type": "cancel_quick"}, lambda message: message["type"] == "unqueued")
            except ServerError as error:
                self._queue_error = error
            except ConnectionFailed as error:
                raise Lost(error.message) from None
        self._backoff.next = SHORTEST_PAUSE
        self._online = self._has_arrived = True
        self.wake()

    async def _receive(self) -> ServerMessage | None:
        """The next message; `None` for one of a type that is not known here."""
        assert self._socket is not None
        message = json.loads(await self._socket.recv())
        return message if message["type"] in SERVER_MESSAGES else None

    async def _read(self, socket: ClientConnection) -> None:
        while True:
            if (message := await self._receive()) is None:
                continue
            self._handle(message)
            outbox, self._outbox = self._outbox, []
            for reply in outbox:
                await self._post(reply)

    def _offline(self) -> bool:
        """Handles the loss of the connection, and returns whether the client had joined."""
        has_arrived, self._has_arrived = self._has_arrived, False
        self._online = False
        self._socket = None
        self._late_errors = 0
        if self._request_open is not None and not self._request_open[1].done():
            self._request_open[1].set_exception(ConnectionFailed("disconnected", "the connection is lost"))
        return has_arrived

    def _fail(self, error: CheckersError) -> None:
        if self._error is None:
            self._error = error
        if self._request_open is not None and not self._request_open[1].done():
            self._request_open[1].set_exception(error)
        self.wake()

    # Messages of the server.

    def _handle(self, message: ServerMessage) -> None:
        request = self._request_open
        if message["type"] == "error":
            if self._late_errors and message["code"] in LATE_CODES:
                self._late_errors -= 1
                return
            if request is not None and not request[1].done():
                error = ServerError(message["code"], message["message"], message.get("candidates"))
                if message["code"] == "not_stored":
                    # The server asks for the move again, perhaps before the task that has sent it goes on.
                    for table in self.tables.values():
                        if table.game is not None:
                            table.game._asked = None
                request[1].set_exception(error)
                return
            self._refusal = message
            if self._requeued:
                self._queue_error = ServerError(message["code"], message["message"])
        else:
            self._apply(message)
            self._refusal = None
            if message["type"] in ("queued", "paired"):
                self._requeued = False
            if request is not None and not request[1].done() and request[0](message):
                request[1].set_result(message)
        if len(self._messages) == MESSAGE_QUEUE:
            self.dropped += 1
        self._messages.append(message)
        self.wake()

    def _apply(self, message: ServerMessage) -> None:
        """Updates what is known of tables and games."""
        if message["type"] == "restarting":
            self._backoff.hint = message["delay_ms"] / 1000
        elif message["type"] == "table_created":
            self._table(message["table"])
        elif message["type"] == "paired":
            self._paired = self._table(message["table"])
            self._paired.color = message["color"]
        elif message["type"] == "unqueued" and self._quick is not None and self._paired is None:
            code, text = ("unqueued", "the server has ended the wait for an opponent")
            if self._refusal is not None:
                code, text = self._refusal["code"], self._refusal["message"]
            self._queue_error = ServerError(code, text)
        elif message["type"] == "challenged":
            self._challenges.append(Challenge(self, message))
        elif message["type"] == "table_state":
            self._table(message["table"])
        elif message["type"] in ("challenge_withdrawn", "challenge_declined"):
            for challenge in [found for found in self._challenges if found.table == message.get("table")]:
                self._challenges.remove(challenge)
        table = self.tables.get(cast(str, message.get("table", "")))
        if table is not None and not table._handle(message):
            # An event is missing.
            self._outbox.append({"type": "sync", "table": table.id})
        if message["type"] in ("unwatched", "table_closed") and table is not None:
            self._close_table(table.id)

    def _close_table(self, table: str) -> None:
        if (closed := self.tables.pop(table, None)) is not None:
            closed._close()
            if closed is self._paired and closed.game is None and self._quick is not None:
                # The opponent did not come.
                self._paired = None
                if self._online:
                    self._requeued = True
                    self._outbox.append(self._quick)
