import os
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

from checkers_client import EngineError, HubEngine, Limits
from checkers_client.hub import (
    NUMBERS,
    Board,
    find_move,
    format_line,
    line_text,
    move_text,
    parse_line,
    position_line,
)

from .support import BIN

START = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6"


def legal(start, end, captures=()):
    text = f"{start}:{end}" if captures else f"{start}-{end}"
    return {"move": text, "from": start, "to": end, "captures": list(captures), "promotes": False, "routes": []}


def played(start, end, captures=(), promotes=False):
    return {"squares": [start, end], "captures": list(captures), "promotes": promotes}


LEGAL = [legal("c3", "d4"), legal("c3", "b4"), legal("a3", "b4")]


class Lines(unittest.TestCase):
    def test_lines_are_read_however_they_are_spaced(self):
        command, arguments = parse_line(' info\tdepth=21  score=-0.01 pv="32-28 17-22" book empty="" \r')
        self.assertEqual(command, "info")
        wanted = {"depth": "21", "score": "-0.01", "pv": "32-28 17-22", "book": "", "empty": ""}
        self.assertEqual(arguments, wanted)

    def test_invalid_lines(self):
        for text in ("  ", "pos =x", "pos = x", 'pos moves="1-5', 'pos moves="1-5"x'):
            with self.assertRaises(ValueError, msg=text):
                parse_line(text)

    def test_what_is_written_is_read_back(self):
        for value in ("x", "two words", "", "a=b", "2.5"):
            line = format_line("set-param", name="a", value=value)
            self.assertEqual(parse_line(line), ("set-param", {"name": "a", "value": value}))
        self.assertEqual(format_line("go", "think"), "go think")
        self.assertEqual(format_line("level", move_time=0.5), "level move-time=0.5")
        self.assertEqual(format_line("x", message='no "x"\nquit'), "x message=\"no 'x' quit\"")


class Positions(unittest.TestCase):
    def test_squares_are_numbered_from_b8(self):
        for square, number in (("b8", 1), ("h8", 4), ("a7", 5), ("a1", 29), ("g1", 32), ("c3", 22)):
            self.assertEqual(NUMBERS[square], number)

    def test_positions(self):
        self.assertEqual(str(Board.from_fen(START)), "W" + 12 * "b" + 8 * "e" + 12 * "w")
        self.assertEqual(str(Board.from_fen("B:WKg1:Bb8")), "Bb" + 30 * "e" + "W")
        self.assertEqual(str(Board.from_fen("B:W:B")), "B" + 32 * "e")
        for fen in ("W:Wa2:B", "X:Wa1:B", "W:Qa1"):
            with self.assertRaises(ValueError):
                Board.from_fen(fen)

    def test_a_position_comes_with_the_moves_since_the_last_capture(self):
        self.assertNotIn("moves", parse_line(position_line(START, []))[1])
        moves = [played("c3", "d4"), played("b6", "a5")]
        self.assertEqual(parse_line(position_line(START, moves))[1]["moves"], "22-18 9-13")
        moves = [
            played("c3", "d4"),
            played("b6", "c5"),
            played("d4", "b6", ["c5"]),
            played("a7", "c5", ["b6"]),
            played("e3", "d4"),
        ]
        arguments = parse_line(position_line(START, moves))[1]
        self.assertEqual(arguments["moves"], "23-18")
        after = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,e3,g3:Bb8,d8,f8,h8,c7,e7,g7,c5,d6,f6,h6"
        self.assertEqual(arguments["pos"], str(Board.from_fen(after)))

    def test_promotions_and_captures_of_the_last_pieces(self):
        moves = [played("c7", "b8", promotes=True), played("h8", "g7")]
        board = Board.from_fen("W:Wc7:BKh8")
        for move in moves:
            board.play(move)
        self.assertEqual(str(board), str(Board.from_fen("W:WKb8:BKg7")))
        # Of three pieces one is taken: a count goes on.
        line = position_line("W:WKa1,Kc1:BKf6", [played("a1", "h8", ["f6"])])
        self.assertEqual(parse_line(line)[1]["moves"], "29x4x11")


class Moves(unittest.TestCase):
    def test_moves_are_written_with_all_captured_squares(self):
        self.assertEqual(move_text("c3", "d4", []), "22-18")
        self.assertEqual(move_text("c3", "c7", ["d6", "d4"]), "22x6x10x18")
        self.assertEqual(move_text("c3", "c3", ["b4", "b6", "d4", "d6"]), "22x22x9x10x17x18")

    def test_moves_are_found(self):
        long, short = legal("c1", "e7", ["b2", "b4", "d6"]), legal("c1", "e7", ["d2", "d4", "d6"])
        around = legal("c3", "c3", ["b4", "b6", "d4", "d6"])
        self.assertIs(find_move("22-18", LEGAL), LEGAL[0])
        self.assertIs(find_move("30x7x17x10x25", [long, short]), long)
        self.assertIs(find_move("22x22", [around]), around)
        self.assertIs(find_move("22x22x18x17x10x9", [around]), around)
        for text in ("22-15", "22x18", "30x7", "22", "22-", "0-5", "22-33", "c3-d4", "", "30x7x17x10"):
            with self.assertRaises(EngineError, msg=text) as caught:
                find_move(text, [*LEGAL, long, short])
            self.assertEqual(caught.exception.code, "illegal_move")

    def test_lines_for_the_server(self):
        self.assertEqual(line_text("22-18 10x17x14"), ["c3-d4", "d6:b4"])
        self.assertEqual(line_text("22-18 x 9-13"), ["c3-d4"])


class Levels(unittest.TestCase):
    def test_levels(self):
        self.assertIsNone(Limits().line())
        self.assertEqual(Limits(depth=5, nodes=7).line(), "level depth=5 nodes=7")
        clock = {"remaining_ms": 60500, "increment_ms": 500}
        self.assertEqual(Limits().with_clock(clock).line(), "level time=60.5 inc=0.5")
        clock = {"remaining_ms": 1000, "increment_ms": 0, "delay_ms": 2000}
        self.assertEqual(Limits(move_time=1.5).with_clock(clock).line(), "level move-time=1.5 time=1.0 inc=2.0")
        clock = {"remaining_ms": 30000, "increment_ms": 0, "per_move_ms": 30000}
        self.assertEqual(Limits().with_clock(clock).line(), "level move-time=29.95")
        self.assertEqual(Limits(move_time=1).with_clock(clock).line(), "level move-time=1")


# An engine that plays the first move it was given, and what its first argument says besides.
ENGINE = """
    import os, sys, time
    how, state = sys.argv[1], sys.argv[2]
    is_first = not os.path.exists(state)
    open(state, "a").close()
    for line in sys.stdin:
        command = line.split()[0]
        if command == "hub":
            print("id name=fake")
            print('param name=variant value=normal type=enum values="normal russian"')
            print("param name=threads value=1 type=int")
            print("wait")
        elif command == "init":
            if how == "mute":
                continue
            print("ready")
        elif command == "ping":
            print("pong")
        elif command == "stop":
            print("done move=22-18")
        elif command == "go":
            if how == "crash" or how == "crash-once" and is_first:
                print("out of order", file=sys.stderr)
                sys.exit(3)
            if how == "slow":
                continue
            if how == "hang":
                time.sleep(1000)
            print("nonsense =")
            print("info depth=3 score=0.25 nodes=42 pv=\\"22-18 9-13\\"")
            print("done move=" + ("22-15" if how == "illegal" else "22-18"))
        elif command == "quit":
            break
        sys.stdout.flush()
"""


class Engines(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        (self.directory / "engine.py").write_text(textwrap.dedent(ENGINE))

    def engine(self, how="", **options):
        command = [sys.executable, str(self.directory / "engine.py"), how, str(self.directory / "state")]
        engine = HubEngine(command, **options)
        self.addAsyncCleanup(engine.close)
        return engine

    async def think(self, engine, **limits):
        return await engine.think(START, [], LEGAL, Limits(**limits))

    async def test_a_search(self):
        async with self.engine(parameters={"threads": "2"}) as engine:
            self.assertEqual(engine.name, "fake")
            await engine.new_game()
            found = await self.think(engine, depth=3)
            self.assertEqual((found.move, found.score, found.depth, found.nodes), (LEGAL[0], 0.25, 3, 42))
            self.assertEqual(found.pv, ["c3-d4", "b6-a5"])
            await engine.ping()

    async def test_an_engine_that_exceeds_its_time_is_stopped(self):
        async with self.engine("slow") as engine:
            self.assertEqual((await self.think(engine, move_time=0.1)).move, LEGAL[0])
            self.assertEqual(engine.starts, 1)

    async def test_an_engine_is_started_again_once(self):
        async with self.engine("crash-once") as engine:
            self.assertEqual((await self.think(engine)).move, LEGAL[0])
            self.assertEqual(engine.starts, 2)
        async with self.engine("crash") as engine:
            with self.assertRaises(EngineError) as caught:
                await self.think(engine)
            self.assertEqual(caught.exception.code, "crashed")
            self.assertIn("exit code 3: out of order", caught.exception.message)

    async def test_an_illegal_move(self):
        async with self.engine("illegal") as engine:
            with self.assertRaises(EngineError) as caught:
                await self.think(engine)
            self.assertEqual(caught.exception.code, "illegal_move")

    async def test_engines_that_cannot_be_used(self):
        for engine, code in (
            (HubEngine(["/does/not/exist"]), "start"),
            (self.engine("mute", start_limit=0.5), "timeout"),
            (self.engine(parameters={"book": "true"}), "parameter"),
            (self.engine(variant="frisian"), "variant"),
            (HubEngine([sys.executable, "-c", ""]), "crashed"),
        ):
            with self.assertRaises(EngineError) as caught:
                await engine.start()
            self.assertEqual(caught.exception.code, code)

    async def test_our_engine(self):
        os.environ["CHECKERS_NOT_A_SETTING"] = "1"
        self.addCleanup(os.environ.pop, "CHECKERS_NOT_A_SETTING")
        command = [str(BIN / "checkers-bot"), "hub", "--bot", "negascout-tt:depth=5,tt=1"]
        async with HubEngine(command, parameters={"depth": "4"}) as engine:
            await engine.new_game()
            moves = [played("c3", "d4"), played("b6", "a5")]
            replies = [legal("d4", "c5"), legal("d4", "e5"), legal("e3", "f4"), legal("g3", "f4"), legal("g3", "h4")]
            replies += [legal("b2", "c3"), legal("d2", "c3"), legal("a3", "b4")]
            found = await engine.think(START, moves, replies, Limits())
            self.assertEqual(found.depth, 4)
            self.assertGreater(found.nodes, 0)


if __name__ == "__main__":
    unittest.main()
