"""Engines that speak the Hub protocol, version 2, as subprocesses. docs/hub.md describes the protocol."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import re
import signal
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType

from .errors import EngineError
from .messages import LegalMove, PlayedMove, WireClock

log = logging.getLogger("checkers_client.hub")

# Squares are numbered from b8 to g1, as White reads the board.
SQUARES = [f"{file}{row}" for row in range(8, 0, -1) for file in ("bdfh" if row % 2 == 0 else "aceg")]
NUMBERS = {square: number for number, square in enumerate(SQUARES, 1)}
MAX_LINE_BYTES = 64 * 1024
# Of stderr, the last lines are kept for messages about errors.
STDERR_LINES = 50
# By how much a search may exceed its time before it is stopped, and how long the engine may then take.
TOLERANCE = 0.02
STOP_LIMIT = 5.0
QUIT_LIMIT = 0.5
MAX_UNKNOWN_LINES = 10_000
ARGUMENT = re.compile(r'([^\s="]+)(?:=(?:"([^"]*)"|([^\s"]*)))?(?=\s|$)')


def parse_line(text: str) -> tuple[str, dict[str, str]]:
    """The command of a line and its arguments; those without a value have an empty one.

    Raises ValueError if it is not a line of the protocol.
    """
    command, *rest = text.strip().split(maxsplit=1)
    arguments: dict[str, str] = {}
    left = rest[0] if rest else ""
    while left:
        found = ARGUMENT.match(left)
        if found is None:
            raise ValueError(f"not a line of the Hub protocol: {text.strip()[:200]}")
        arguments.setdefault(found[1], found[2] or found[3] or "")
        left = left[found.end() :].lstrip()
    return command, arguments


def format_line(command: str, *flags: str, **arguments: object) -> str:
    """A line; an underscore in the name of an argument is written as a hyphen."""
    words = [command, *flags]
    for name, value in arguments.items():
        # There is no way to write these within a value.
        text = str(value).replace('"', "'").replace("\r", " ").replace("\n", " ")
        if not text or re.search(r"[\s='\"]", text):
            text = f'"{text}"'
        words.append(f"{name.replace('_', '-')}={text}")
    return " ".join(words)


@dataclass
class Board:
    """The pieces of a position, `w`, `b`, `W` and `B` by square, and the side to move, `W` or `B`."""

    turn: str
    pieces: dict[str, str]

    @classmethod
    def from_fen(cls, fen: str) -> Board:
        """Reads the server's form, `W:Wa1,Kc3:Bb8`."""
        turn, *sides = fen.split(":")
        pieces = {}
        for side in sides:
            letter = side[:1].lower()
            for piece in filter(None, side[1:].split(",")):
                square = piece.removeprefix("K")
                if square not in NUMBERS or letter not in ("w", "b") or turn not in ("W", "B"):
                    raise ValueError(f"not a position: {fen}")
                pieces[square] = letter.upper() if piece.startswith("K") else letter
        return cls(turn, pieces)

    def play(self, move: PlayedMove) -> None:
        """Plays a move of the server, which knows the rules."""
        piece = self.pieces.pop(move["squares"][0])
        for square in move["captures"]:
            del self.pieces[square]
        self.pieces[move["squares"][-1]] = piece.upper() if move["promotes"] else piece
        self.turn = "B" if self.turn == "W" else "W"

    def __str__(self) -> str:
        """The Hub form: the side to move and a letter for each square."""
        return self.turn + "".join(self.pieces.get(square, "e") for square in SQUARES)


def position_line(start_fen: str, moves: Sequence[PlayedMove]) -> str:
    """The line `pos`: the position after the last capture and the moves since then, which is what repetitions and
    draw articles count. A capture that leaves two pieces does not restart every count."""
    board = Board.from_fen(start_fen)
    base, since = str(board), []
    for move in moves:
        restarts = move["captures"] and len(board.pieces) > 3
        board.play(move)
        since.append(move_text(move["squares"][0], move["squares"][-1], move["captures"]))
        if restarts:
            base, since = str(board), []
    return format_line("pos", pos=base, **({"moves": " ".join(since)} if since else {}))


def move_text(start: str, end: str, captures: Sequence[str]) -> str:
    """A move in Hub notation: `22-18`, or `22x15x18` with every captured square."""
    squares = [NUMBERS[start], NUMBERS[end], *sorted(NUMBERS[square] for square in captures)]
    return ("x" if captures else "-").join(map(str, squares))


def find_move(text: str, legal_moves: Sequence[LegalMove]) -> LegalMove:
    """The legal move that a text in Hub notation names; captured squares may be left out if there is only one.

    Raises EngineError for a text that names none, or several.
    """
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if re.fullmatch(r"\d+-\d+|\d+(x\d+)+", text) and all(1 <= number <= 32 for number in numbers):
        start, end, *captures = [SQUARES[number - 1] for number in numbers]
        found = [
            move
            for move in legal_moves
            if (move["from"], move["to"], bool(move["captures"])) == (start, end, "x" in text)
            and (not captures or set(captures) == set(move["captures"]))
        ]
        if len(found) == 1:
            return found[0]
    raise EngineError("illegal_move", f"the engine has played {text[:80]!r}, which is not one legal move")


def line_text(moves: str) -> list[str]:
    """A line of moves in Hub notation, as the server takes it: first and last squares."""
    line = []
    for text in moves.split()[:64]:
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        if len(numbers) < 2 or not all(1 <= number <= 32 for number in numbers):
            break
        line.append((":" if "x" in text else "-").join(SQUARES[number - 1] for number in numbers[:2]))
    return line


@dataclass(frozen=True)
class Limits:
    """What bounds a search. Times are in seconds; the first bound that is reached ends it."""

    depth: int | None = None
    nodes: int | None = None
    move_time: float | None = None
    time: float | None = None
    inc: float | None = None
    moves: int | None = None

    def with_clock(self, clock: WireClock) -> Limits:
        """These limits and a clock of the server. A delay or a time for each move bounds the move."""
        remaining = clock["remaining_ms"] / 1000
        if clock.get("per_move_ms") is not None:
            # Some time is needed for sending the move.
            share = max(remaining - 0.05, 0.01)
            return replace(self, move_time=min(share, self.move_time or share))
        delay = (clock.get("delay_ms") or 0) / 1000
        return replace(self, time=remaining, inc=clock["increment_ms"] / 1000 + delay)

    def line(self) -> str | None:
        """The line `level`; `None` if there are no limits."""
        names = ("depth", "nodes", "move_time", "moves", "time", "inc")
        given = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return format_line("level", **given) if given else None

    def longest(self) -> float:
        """After how many seconds the engine is asked to stop."""
        times = [math.inf]
        if self.move_time is not None:
            times.append(self.move_time + TOLERANCE)
        if self.time is not None:
            times.append(self.time)
        return min(times)


@dataclass
class Found:
    """What a search has come to."""

    move: LegalMove
    score: float | None = None
    """In men, from the engine's view; 90 and more is a won game."""
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    pv: list[str] = field(default_factory=list)


class HubEngine:
    """An engine. It is started again once if it crashes or does not answer during a search."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        directory: str | None = None,
        parameters: Mapping[str, str] | None = None,
        variant: str = "russian",
        start_limit: float = 60.0,
    ) -> None:
        self.command = list(command)
        self.directory = directory
        self.parameters = dict(parameters or {})
        self.variant = variant
        self.start_limit = start_limit
        self.name = self.command[0]
        self.stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self.starts = 0
        self._stopped = False
        self._process: asyncio.subprocess.Process | None = None
        self._copying: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()

    async def __aenter__(self) -> HubEngine:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def start(self) -> None:
        """Starts the engine, sets its parameters, and waits until it is ready."""
        self.starts += 1
        # Settings of this program, among them secrets, are not for the engine.
        names = [name for name in os.environ if not name.startswith("CHECKERS_") or name == "CHECKERS_TABLEBASE"]
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self.command,
                cwd=self.directory,
                env={name: os.environ[name] for name in names},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=MAX_LINE_BYTES,
                # Ctrl-C in a terminal is for this program, which then ends the engine.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise EngineError("start", f"cannot start {self.command[0]}: {error}") from None
        self._copying = asyncio.create_task(self._copy_stderr(self._process))
        try:
            await asyncio.wait_for(self._set_up(), self.start_limit)
        except asyncio.TimeoutError:
            await self._kill()
            raise EngineError("timeout", f"the engine is not ready within {self.start_limit:g} s") from None
        except BaseException:
            await self._kill()
            raise

    async def _set_up(self) -> None:
        self._say("hub")
        known = {}
        while True:
            command, arguments = await self._hear()
            if command == "wait":
                break
            if command == "id":
                self.name = arguments.get("name", self.name)
            elif command == "param" and "name" in arguments:
                known[arguments["name"]] = arguments.get("values", "")
        if "variant" in known:
            if known["variant"] and self.variant not in known["variant"].split():
                raise EngineError("variant", f"the engine plays {known['variant']}, not {self.variant}")
            self._say(format_line("set-param", name="variant", value=self.variant))
        for name, value in self.parameters.items():
            if name not in known:
                raise EngineError("parameter", f"the engine has no parameter {name}, but {', '.join(known) or 'none'}")
            self._say(format_line("set-param", name=name, value=value))
        self._say("init")
        while (await self._hear())[0] != "ready":
            pass

    async def new_game(self) -> None:
        """Has the engine forget the last game."""
        async with self._lock:
            await self._ensure()
            self._say("new-game")

    async def ping(self, limit: float = 5.0) -> None:
        """Checks that the engine answers; waits for a running search."""
        async with self._lock:
            self._say("ping")
            try:
                await asyncio.wait_for(self._expect("pong"), limit)
            except asyncio.TimeoutError:
                raise EngineError("timeout", f"the engine does not answer within {limit:g} s") from None

    async def think(
        self, start_fen: str, moves: Sequence[PlayedMove], legal_moves: Sequence[LegalMove], limits: Limits
    ) -> Found:
        """Searches the position after `moves`; its legal moves are those of the server.

        Raises EngineError if the engine fails a second time, or breaks the protocol.
        """
        began = time.monotonic()
        self._stopped = False
        async with self._lock:
            try:
                await self._ensure()
                return await self._search(position_line(start_fen, moves), legal_moves, limits)
            except EngineError as error:
                if error.code not in ("crashed", "timeout"):
                    raise
                log.warning("%s; starting the engine again", error.message)
            if limits.time is not None:
                limits = replace(limits, time=max(limits.time - (time.monotonic() - began), 0.01))
            await self._kill()
            await self._ensure()
            return await self._search(position_line(start_fen, moves), legal_moves, limits)

    def stop(self) -> None:
        """Ends a running search, which then returns its move at once."""
        self._stopped = True
        if self._lock.locked():
            self._say("stop")

    async def _search(self, position: str, legal_moves: Sequence[LegalMove], limits: Limits) -> Found:
        self._say(position)
        if (level := limits.line()) is not None:
            self._say(level)
        self._say("go think")
        if self._stopped:
            # It came while the engine was started again.
            self._say("stop")
        began = time.monotonic()
        info: dict[str, str] = {}
        hearing = asyncio.create_task(self._expect("done", info))
        try:
            longest = limits.longest()
            await asyncio.wait([hearing], timeout=None if math.isinf(longest) else longest)
            if not hearing.done():
                self._say("stop")
                await asyncio.wait([hearing], timeout=STOP_LIMIT)
            if not hearing.done():
                raise EngineError("timeout", f"the engine has sent no move {STOP_LIMIT:g} s after its time")
            arguments = hearing.result()
        finally:
            if not hearing.done():
                # Its answer to this search must not be taken for one to the next.
                hearing.cancel()
                await self._kill()
        if "move" not in arguments:
            raise EngineError("protocol", "the engine has sent done without a move")
        move = find_move(arguments["move"], legal_moves)
        pv = line_text(info.get("pv", ""))
        first = line_text(arguments["move"])
        return Found(
            move=move,
            score=number(info.get("score")),
            depth=int(number(info.get("depth")) or 0),
            nodes=int(number(info.get("nodes")) or 0),
            seconds=time.monotonic() - began,
            pv=[move["move"], *(pv[1:] if pv[:1] == first else [])],
        )

    async def _expect(self, expected: str, info: dict[str, str] | None = None) -> dict[str, str]:
        """The arguments of the next line with this command; those of `info` lines before it go to `info`."""
        for _ in range(MAX_UNKNOWN_LINES):
            command, arguments = await self._hear()
            while command == "info":
                if info is not None:
                    info.update(arguments)
                command, arguments = await self._hear()
            if command == expected:
                return arguments
        raise EngineError("protocol", f"{MAX_UNKNOWN_LINES} lines of the engine, and no {expected}")

    async def _hear(self) -> tuple[str, dict[str, str]]:
        """The next line that can be read."""
        assert self._process is not None and self._process.stdout is not None
        while True:
            try:
                line = await self._process.stdout.readline()
            except ValueError:
                raise EngineError("protocol", f"a line of the engine exceeds {MAX_LINE_BYTES} bytes") from None
            if not line:
                raise EngineError("crashed", await self._epitaph())
            try:
                command, arguments = parse_line(line.decode(errors="replace"))
            except ValueError:
                continue
            if command == "error":
                raise EngineError("protocol", f"the engine reports: {arguments.get('message', 'an error')}")
            return command, arguments

    def _say(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None and not self._process.stdin.is_closing():
            log.debug("> %s", line)
            # What an engine that has ended does not receive is noticed when its answer is read.
            self._process.stdin.write(f"{line}\n".encode())

    async def _ensure(self) -> None:
        """Starts the engine if it does not run."""
        if self._process is None or self._process.returncode is not None:
            await self.start()

    async def _epitaph(self) -> str:
        """How the process has ended, with the last line of its stderr."""
        assert self._process is not None
        try:
            code: object = await asyncio.wait_for(self._process.wait(), QUIT_LIMIT)
        except asyncio.TimeoutError:
            return "the engine has closed its output"
        if self._copying is not None:
            await asyncio.wait([self._copying], timeout=QUIT_LIMIT)
        last = f": {self.stderr[-1]}" if self.stderr else ""
        return f"the engine has ended with exit code {code}{last}"

    async def _copy_stderr(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        rest = b""
        while chunk := await process.stderr.read(4096):
            *lines, rest = (rest[-4096:] + chunk).split(b"\n")
            for line in lines:
                self.stderr.append(line.decode(errors="replace").rstrip())
                log.info("engine: %s", self.stderr[-1])
        if rest:
            self.stderr.append(rest.decode(errors="replace"))

    async def close(self) -> None:
        """Ends the engine: `quit`, and soon after by force."""
        self._say("quit")
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            try:
                await asyncio.wait_for(self._process.wait(), QUIT_LIMIT)
            except asyncio.TimeoutError:
                pass
        await self._kill()

    async def _kill(self) -> None:
        """Ends the process and what it has started. One that has ended may have given its number to another."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        await process.wait()
        if self._copying is not None:
            self._copying.cancel()


def number(text: str | None) -> float | None:
    """The number that a value of an engine is."""
    try:
        found = float(text or "")
    except ValueError:
        return None
    return found if math.isfinite(found) else None
