"""Plays games with a Hub engine as a configuration file says: `python -m checkers_client run config.toml`."""

from __future__ import annotations

import argparse
import asyncio
import enum
import logging
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .client import Client
from .config import Config, load
from .errors import CheckersError, ConfigError, ConnectionFailed, EngineError, JoinError, MoveError, ServerError
from .game import Game
from .hub import Found, HubEngine, Limits
from .messages import SearchInfo

log = logging.getLogger("checkers_client.runner")

# The units of `search.score` in which checkers-bot reports the scores of Hub engines.
SCORE_OF_MAN = 1280
# A won game has 90 men or more; more would not fit into the protocol's numbers for some engines.
HIGHEST_SCORE = 100.0
LARGEST_NUMBER = 2**32 - 1
# Without `rated`, the server never plays itself.
WHO_COMES = " that asks for a quick game too: a bot's account meets bots, a guest guests and people"
# Seconds, in a game without a clock and without limits: without any an engine would think for ever.
UNLIMITED_MOVE_TIME = 1.0


class ExitCode(enum.IntEnum):
    DONE = 0
    """Every game is played, or the runner was stopped after one."""
    FAILED = 1
    CONFIG = 2
    CONNECTION = 3
    JOIN = 4
    REFUSED = 5
    ENGINE = 6
    STOPPED = 130


EXIT_CODES: list[tuple[type[CheckersError], ExitCode]] = [
    (ConfigError, ExitCode.CONFIG),
    (ConnectionFailed, ExitCode.CONNECTION),
    (JoinError, ExitCode.JOIN),
    (ServerError, ExitCode.REFUSED),
    (EngineError, ExitCode.ENGINE),
]


class Runner:
    """Plays the games of a configuration, one after the other."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.played = 0
        self.stopping = False
        """Whether to end after the present game."""
        self._client: Client | None = None
        self._accepting = False
        self._offered_in: Game | None = None

    @property
    def joined(self) -> bool:
        """Whether it has been on the server."""
        return self._client is not None

    def stop(self) -> None:
        """Ends the run after the present game."""
        self.stopping = True
        if self._client is not None:
            self._client.wake()

    async def run(self) -> None:
        server, engine = self.config.server, self.config.engine
        hub = HubEngine(
            self.config.command,
            directory=engine.directory,
            parameters=engine.parameters,
            variant=engine.variant,
            start_limit=engine.start_limit,
        )
        async with hub:
            log.info("engine %s is ready", hub.name)
            # However late the server starts: only the configuration limits the time.
            client = await Client.connect(
                server.url, server.name, server.token, connect_within=None, give_up_after=server.give_up_after
            )
            async with client:
                self._client = client
                if server.token is not None and not client.account:
                    raise JoinError("bad_token", "the token is not that of an account")
                log.info("joined %s as %s", server.url, client.name)
                await self._play_games(client, hub)

    async def _play_games(self, client: Client, hub: HubEngine) -> None:
        games = self.config.play.games
        while not self.stopping and (games == 0 or self.played < games):
            try:
                game = await self._game_unless_stopped(client)
            except ServerError as error:
                if error.code != "event_over":
                    raise
                log.info("%s", error.message)
                break
            if game is None:
                break
            await self._play(client, hub, game)
            self.played += 1
        log.info("played %d games", self.played)

    async def _next_game(self, client: Client) -> Game:
        play = self.config.play
        if play.mode == "quick":
            log.info("waiting for an opponent%s", "" if play.rated or play.ladder or play.tournament else WHO_COMES)
            return await client.quick(
                clock=play.clock,
                rated=play.rated,
                ladder=play.ladder,
                tournament=play.tournament,
                invitation=play.invitation,
            )
        log.info("waiting for a challenge")
        while True:
            challenge = await client.next_challenge()
            self._accepting = True
            try:
                table = await challenge.accept()
                return await table.next_game()
            except (ServerError, ConnectionFailed) as error:
                # The challenger has left meanwhile.
                if isinstance(error, ConnectionFailed) and error.code not in ("closed", "disconnected", "timeout"):
                    raise
                log.info("no game with %s: %s", challenge.by, error)
                await client.until(lambda: client.online)
            finally:
                self._accepting = False

    async def _game_unless_stopped(self, client: Client) -> Game | None:
        """The next game; `None` if the run ends before it."""
        task = asyncio.create_task(self._next_game(client))
        try:
            await self._until(client, task, lambda: self.stopping and not self._accepting)
            if self.stopping and not task.done() and self.config.play.mode == "quick" and client.online:
                # The server may have found an opponent just now: that game is played.
                await client.cancel_quick()
                await self._until(client, task, lambda: not client.paired)
            if self.stopping and (not task.done() or task.exception() is not None):
                return None
            return task.result()
        finally:
            await cancel(task)

    async def _until(self, client: Client, task: asyncio.Task[Any], check: Callable[[], bool]) -> None:
        """Waits for the end of a task, or for what `check` says."""
        task.add_done_callback(lambda _: client.wake())
        await client.until(lambda: task.done() or check())

    async def _play(self, client: Client, hub: HubEngine, game: Game) -> None:
        log.info("game %s: %s against %s", game.id, game.color, game.opponent)
        await hub.new_game()
        last: list[Found] = []
        answering = asyncio.create_task(self._answer_offers(client, game, last))
        try:
            async for legal_moves in game.turns():
                requests = game.requests
                limits = self.config.search_limits
                if game.clocks and game.color and (clock := game.clocks.get(game.color)):
                    limits = limits.with_clock(clock)
                elif limits.line() is None:
                    limits = Limits(move_time=UNLIMITED_MOVE_TIME)
                thinking = asyncio.create_task(hub.think(game.start_fen, list(game.moves), legal_moves, limits))
                try:
                    await self._until(client, thinking, lambda: game.over or game.requests != requests)
                    hub.stop()
                    found = await thinking
                finally:
                    await cancel(thinking)
                if game.over or game.requests != requests:
                    continue
                last[:] = [found]
                log.debug("game %s: %s, score %s", game.id, found.move["move"], found.score)
                if await game.move(found.move["move"], search_info(found)) is not None:
                    await self._offer_draw(game, found)
        except EngineError:
            if not game.over:
                await game.resign()
            raise
        finally:
            await cancel(answering)
        log.info("game %s is over: %s, %s, %d plies", game.id, game.result, game.reason or "lost", game.ply)

    async def _answer_offers(self, client: Client, game: Game, last: list[Found]) -> None:
        """Declines takebacks, and answers draw offers as configured."""
        while not game.over:
            await client.until(lambda: game.over or any(offer["by"] != game.color for offer in game.offers))
            for offer in [found["offer"] for found in game.offers if found["by"] != game.color]:
                accepts = offer == "draw" and self._accepts_draw(game, last)
                try:
                    await (game.accept(offer) if accepts else game.decline(offer))
                except ServerError as error:
                    # It has lapsed, or the game is over.
                    log.debug("offer of a %s: %s", offer, error)
                    game._drop_offer(offer)
                except ConnectionFailed as error:
                    if error.code not in ("disconnected", "timeout"):
                        return

    def _accepts_draw(self, game: Game, last: list[Found]) -> bool:
        score = last[0].score if last else None
        limit = self.config.draw.accept_at_most
        return limit is not None and score is not None and score <= limit and game.ply >= self.config.draw.from_ply

    async def _offer_draw(self, game: Game, found: Found) -> None:
        draw = self.config.draw
        is_even = draw.offer_within is not None and found.score is not None and abs(found.score) <= draw.offer_within
        if not is_even or game.ply < draw.from_ply or game.over or self._offered_in is game:
            return
        self._offered_in = game
        try:
            await game.offer_draw()
        except (ServerError, ConnectionFailed) as error:
            log.debug("no draw offer: %s", error)


async def cancel(task: asyncio.Task[Any]) -> None:
    """Ends a task whose result or error is not needed any more."""
    # More than once, because wait_for of Python 3.10 may lose a cancellation.
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=1)
    await asyncio.gather(task, return_exceptions=True)


def search_info(found: Found) -> SearchInfo | None:
    """What the server is to show of a search."""
    if found.score is None:
        return None
    score = max(-HIGHEST_SCORE, min(found.score, HIGHEST_SCORE))
    return {
        "score": round(score * SCORE_OF_MAN),
        "depth": max(0, min(found.depth, LARGEST_NUMBER)),
        "nodes": max(0, found.nodes),
        "time_us": round(found.seconds * 1e6),
        "pv": found.pv,
    }


async def run(config: Config) -> ExitCode:
    """Plays the games; the first Ctrl-C ends the run after the present game, the second at once."""
    runner = Runner(config)
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(runner.run())

    def on_signal() -> None:
        if runner.stopping or not runner.joined:
            task.cancel()
            return
        log.warning("stopping after the present game; once more stops at once")
        runner.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, on_signal)
        except NotImplementedError:
            break  # Windows: Ctrl-C is a KeyboardInterrupt
    try:
        await task
    except asyncio.CancelledError:
        return ExitCode.STOPPED
    return ExitCode.DONE


def exit_code(error: CheckersError) -> ExitCode:
    return next((code for kind, code in EXIT_CODES if isinstance(error, kind)), ExitCode.FAILED)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="checkers-client", description="Plays Russian draughts with a Hub engine.")
    parser.add_argument("--verbose", action="store_true", help="log every move and what is sent to the engine")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("run", help="play the games of a configuration file")
    command.add_argument("config", type=Path, metavar="FILE", help="a TOML file; the README has an example")
    options = parser.parse_args(arguments)
    logging.basicConfig(
        level=logging.DEBUG if options.verbose else logging.INFO,
        format="%(asctime)s %(levelname)s %(message)s",
        stream=sys.stderr,
    )
    logging.getLogger("websockets").setLevel(logging.WARNING)
    try:
        return asyncio.run(run(load(options.config)))
    except CheckersError as error:
        log.error("%s", error)
        return exit_code(error)
    except KeyboardInterrupt:
        return ExitCode.STOPPED
