"""A server for tests, and players for it."""

import asyncio
import os
import random
import re
import tempfile
import unittest
from pathlib import Path

from checkers_client import Client, Game

ROOT = Path(__file__).resolve().parents[4]
BIN = Path(os.environ.get("CHECKERS_BIN") or ROOT / "target" / "debug")
# The server refuses settings that it does not know.
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith("CHECKERS_")}
# Only a test that would hang reaches it.
PATIENCE = 180


class Server:
    """A server on a port that was free. Without a directory it keeps nothing."""

    def __init__(self, data: str | None = None, port: int = 0, *options: str) -> None:
        store = ["--in-memory"] if data is None else ["--data", data]
        self.command = [str(BIN / "checkers-server"), "--bind", "127.0.0.1", *store, *options]
        self.port = port
        self.process: asyncio.subprocess.Process | None = None
        self.log = tempfile.TemporaryFile()

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *self.command,
            "--port",
            str(self.port),
            stdout=asyncio.subprocess.PIPE,
            stderr=self.log,
            env=ENVIRONMENT,
        )
        assert self.process.stdout is not None
        line = (await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)).decode()
        found = re.search(r"127\.0\.0\.1:(\d+)", line)
        if found is None:
            raise AssertionError(f"the server does not listen: {line!r}")
        self.port = int(found[1])

    async def kill(self) -> None:
        if self.process is not None:
            if self.process.returncode is not None:
                self.log.seek(0)
                log = self.log.read()[-2000:].decode()
                raise AssertionError(f"the server has ended with {self.process.returncode}:\n{log}")
            self.process.kill()
            await self.process.wait()
            self.process = None


class ServerTest(unittest.IsolatedAsyncioTestCase):
    """A test with a server; `data` says whether the server keeps anything."""

    data = False

    async def asyncSetUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        self.server = Server(str(self.directory / "data") if self.data else None)
        self.addCleanup(self.server.log.close)
        await self.server.start()
        self.addAsyncCleanup(self.server.kill)

    async def connect(self, name: str, **how: object) -> Client:
        client = await Client.connect(self.server.url, name, **how)  # type: ignore[arg-type]
        self.addAsyncCleanup(client.close)
        return client

    async def pair(self, **wishes: object) -> tuple[Game, Game]:
        """Two clients, anna with White and boris with Black, in a game."""
        anna = await self.connect("anna")
        boris = await self.connect("boris")
        table = await anna.create_table(color="white", **wishes)
        seat = await boris.watch(table.id)
        await seat.take_seat("black")
        return await table.next_game(), await seat.next_game()


async def play_random(game: Game, pause: float = 0, seed: int = 1) -> None:
    """Plays a game to its end with random moves."""
    choices = random.Random(seed)
    async for legal_moves in game.turns():
        await asyncio.sleep(pause)
        await game.move(choices.choice(legal_moves)["move"])


async def within_patience(*work: object) -> list[object]:
    return await asyncio.wait_for(asyncio.gather(*work), PATIENCE)  # type: ignore[call-overload]
