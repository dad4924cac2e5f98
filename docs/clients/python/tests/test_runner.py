import asyncio
import contextlib
import io
import json
import os
import signal
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from checkers_client import Client, ConfigError, ConnectionFailed
from checkers_client.config import load, parse
from checkers_client.hub import Found
from checkers_client.runner import ExitCode, Runner, main, search_info

from .support import BIN, ServerTest, play_random, within_patience

README = Path(__file__).resolve().parents[1] / "README.md"


def settings(**tables):
    data = {"server": {"url": "ws://127.0.0.1:1", "name": "engine"}, "engine": {"command": "./engine hub"}}
    for table, values in tables.items():
        data[table] = {**data.get(table, {}), **values}
    return data


class Configurations(unittest.TestCase):
    def test_the_example_of_the_readme(self):
        text = README.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "config.toml"
            path.write_text(text, encoding="utf-8")
            config = load(path, {"CHECKERS_TOKEN": "0123"})
        self.assertEqual((config.server.token, config.play.mode), ("0123", "quick"))
        self.assertEqual(config.engine.parameters["threads"], "2")

    def test_defaults(self):
        config = parse(settings())
        self.assertEqual(config.command, ["./engine", "hub"])
        self.assertEqual((config.play.mode, config.play.games), ("quick", 1))
        self.assertIsNone(config.search_limits.line())
        config = parse(settings(engine={"parameters": {"book": True, "threads": 2, "dir": "x y"}}))
        self.assertEqual(config.engine.parameters, {"book": "true", "threads": "2", "dir": "x y"})

    def test_every_bad_setting_is_named(self):
        token = {"token": "0123"}
        for setting, data in (
            ("server", {"engine": {"command": "x"}}),
            ("server.url", {"server": {}, "engine": {"command": "x"}}),
            ("engine.command", {"server": {"url": "ws://x", "name": "x"}, "engine": {}}),
            ("sever", settings(sever={})),
            ("play.game", settings(play={"game": 1})),
            ("server.url", settings(server={"url": "http://x"})),
            ("server.name", settings(server={"name": ""})),
            ("server.token", settings(server={"token": "0", "token_env": "X"})),
            ("server.token_env", settings(server={"token_env": "UNSET"})),
            ("server.give_up_after", settings(server={"give_up_after": -1})),
            ("engine.command", settings(engine={"command": []})),
            ("engine.command", settings(engine={"command": "a 'b"})),
            ("engine.command", settings(engine={"command": [1]})),
            ("engine.parameters.x", settings(engine={"parameters": {"x": []}})),
            ("engine.start_limit", settings(engine={"start_limit": 0})),
            ("limits.depth", settings(limits={"depth": 0})),
            ("limits.depth", settings(limits={"depth": True})),
            ("limits.depth", settings(limits={"depth": 1.5})),
            ("limits.move_time", settings(limits={"move_time": "1s"})),
            ("play", {**settings(), "play": 1}),
            ("play.mode", settings(play={"mode": "fast"})),
            ("play.games", settings(play={"games": -1})),
            ("play.rated", settings(play={"rated": True})),
            ("play.rated", settings(server=token, play={"rated": 1})),
            ("play.clock", settings(play={"mode": "challenges", "clock": "1m"})),
            ("play.ladder", settings(play={"ladder": "x"})),
            ("play.ladder", settings(server=token, play={"ladder": "x", "tournament": "y"})),
            ("play.invitation", settings(server=token, play={"ladder": "x", "invitation": "y"})),
            ("play.clock", settings(server=token, play={"tournament": "x", "clock": "1m"})),
            ("draw.offer_within", settings(draw={"offer_within": -0.1})),
        ):
            with self.subTest(setting=setting, data=data), self.assertRaises(ConfigError) as caught:
                parse(data, {})
            self.assertEqual(caught.exception.code, setting)
            self.assertIn(setting, caught.exception.message)

    def test_files_that_cannot_be_read(self):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "config.toml"
            for text in (None, "no toml", b"\xff"):
                if text is not None:
                    path.write_bytes(text if isinstance(text, bytes) else text.encode())
                with self.assertRaises(ConfigError) as caught:
                    load(path)
                self.assertEqual(caught.exception.code, "file")
                with contextlib.redirect_stderr(io.StringIO()), self.assertLogs("checkers_client", "ERROR"):
                    self.assertEqual(main(["run", str(path)]), ExitCode.CONFIG)

    def test_searches_are_reported_in_the_units_of_the_server(self):
        info = search_info(Found(move={}, score=0.5, depth=3, nodes=7, seconds=0.25, pv=["c3-d4"]))
        self.assertEqual(info, {"score": 640, "depth": 3, "nodes": 7, "time_us": 250000, "pv": ["c3-d4"]})
        self.assertIsNone(search_info(Found(move={})))


class Running(ServerTest):
    def config(self, **tables):
        engine = {"command": [str(BIN / "checkers-bot"), "hub", "--bot", "negascout-tt:depth=3,tt=1"]}
        engine.update(tables.get("engine", {}))
        return settings(**{**tables, "server": {"url": self.server.url}, "engine": engine})

    async def start(self, data):
        """The runner as a process of its own."""
        lines = []
        for table, values in data.items():
            lines += [f"[{table}]", *(f"{key} = {json.dumps(value)}" for key, value in values.items())]
        path = self.directory / "config.toml"
        path.write_text("\n".join(lines), encoding="utf-8")
        root = Path(__file__).resolve().parents[1]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "checkers_client", "run", str(path)),
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(root)},
        )
        self.addCleanup(lambda: process.returncode is None and process.kill())
        return process

    async def test_an_engine_beats_a_random_bot(self):
        runner = Runner(parse(self.config(play={"games": 2, "clock": "5m+1s"})))
        boris = await self.connect("boris")

        async def oppose():
            results = []
            for seed in range(2):
                game = await boris.quick(clock="5m+1s")
                await play_random(game, seed=seed)
                results.append((game.color, game.result))
                self.assertTrue(all("search" in move for move in game.moves if move["color"] != game.color))
            return results

        results, _ = await within_patience(oppose(), runner.run())
        self.assertEqual(runner.played, 2)
        for color, result in results:
            self.assertEqual(result, "black_won" if color == "white" else "white_won")

    async def test_challenges_and_draws_as_configured(self):
        play = {"mode": "challenges", "games": 2}
        runner = Runner(parse(self.config(play=play, draw={"accept_at_most": 100.0, "from_ply": 2})))
        running = asyncio.create_task(runner.run())
        boris = await self.connect("boris", lobby=True)
        await boris.until(lambda: any(m["type"] == "lobby" and m["players"] == 2 for m in boris._messages))
        for _ in range(2):
            table = await boris.challenge("engine", color="white")
            game = await table.next_game()
            await game.move("c3-d4")
            await game.offer("takeback")
            await boris.until(lambda: game.legal_moves and not game.offers)
            self.assertEqual((game.takebacks, game.ply), (0, 2))
            await game.offer_draw()
            await game.finished()
            self.assertEqual((game.result, game.reason), ("draw", "agreement"))
        await within_patience(running)

    async def test_ctrl_c_ends_the_run_after_the_game_or_at_once(self):
        boris = await self.connect("boris")
        process = await self.start(self.config(play={"games": 0}))
        game = await boris.quick()
        process.send_signal(signal.SIGINT)
        await within_patience(play_random(game))
        self.assertNotEqual(game.reason, "player_left")
        _, log = (await within_patience(process.communicate()))[0]
        self.assertEqual(process.returncode, ExitCode.DONE, log.decode())
        self.assertIn("is over", log.decode())

        process = await self.start(self.config(play={"games": 0}))
        game = await boris.quick()
        process.send_signal(signal.SIGINT)
        while b"once more" not in await process.stderr.readline():
            pass
        process.send_signal(signal.SIGINT)
        await within_patience(game.finished(), process.communicate())
        self.assertEqual(process.returncode, ExitCode.STOPPED)

    async def test_ctrl_c_while_nobody_plays(self):
        process = await self.start(self.config())
        while b"waiting" not in await process.stderr.readline():
            pass
        process.send_signal(signal.SIGINT)
        await within_patience(process.communicate())
        self.assertEqual(process.returncode, ExitCode.DONE)

    async def test_the_runner_waits_for_a_server_that_starts_later(self):
        await self.server.kill()
        processes = [await self.start(self.config()) for _ in range(2)]
        for process in processes:
            while b"no connection" not in await process.stderr.readline():
                pass
        processes[0].send_signal(signal.SIGINT)
        await within_patience(processes[0].communicate())
        self.assertEqual(processes[0].returncode, ExitCode.STOPPED)
        await self.server.start()
        while b"waiting" not in await processes[1].stderr.readline():
            pass
        with mock.patch.object(Client, "connect", side_effect=ConnectionFailed("closed", "")) as connect:
            with self.assertRaises(ConnectionFailed):
                await Runner(parse(self.config())).run()
        # However long that takes.
        self.assertIsNone(connect.call_args.kwargs["connect_within"])

    async def test_exit_codes(self):
        await self.connect("anna")
        for tables, code in (
            ({"server": {"name": "anna"}}, ExitCode.JOIN),
            ({"server": {"token": "0" * 32}}, ExitCode.JOIN),
            ({"play": {"clock": "yesterday"}}, ExitCode.REFUSED),
            ({"engine": {"command": "/does/not/exist"}}, ExitCode.ENGINE),
            ({"server": {"url": "ws://127.0.0.1:1", "give_up_after": 0}}, ExitCode.CONNECTION),
            ({"server": {"unknown": 1}}, ExitCode.CONFIG),
        ):
            data = self.config(**{key: value for key, value in tables.items() if key != "server"})
            data["server"].update(tables.get("server", {}))
            process = await self.start(data)
            _, log = (await within_patience(process.communicate()))[0]
            self.assertEqual(process.returncode, code, log.decode())
            self.assertIn("ERROR", log.decode())

    async def test_an_engine_that_fails_resigns(self):
        boris = await self.connect("boris")
        engine = self.directory / "engine.py"
        engine.write_text(
            "import sys\n"
            "for line in sys.stdin:\n"
            "    print({'hub': 'wait', 'init': 'ready', 'go': 'done move=1-32'}.get(line.split()[0], ''), flush=True)\n"
        )
        process = await self.start(self.config(engine={"command": [sys.executable, str(engine)]}))
        game = await boris.quick()
        await within_patience(play_random(game))
        self.assertEqual(game.reason, "resignation")
        await within_patience(process.communicate())
        self.assertEqual(process.returncode, ExitCode.ENGINE)


if __name__ == "__main__":
    unittest.main()
