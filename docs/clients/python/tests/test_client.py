import asyncio
import os
import subprocess
import sys
import unittest
from pathlib import Path

from checkers_client import ChallengeError, Client, ConnectionFailed, JoinError, MoveError, ServerError
from checkers_client.client import MESSAGE_QUEUE, Backoff

from .support import BIN, ENVIRONMENT, ServerTest, play_random, within_patience

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "random_bot.py"


class Games(ServerTest):
    async def test_two_clients_play_a_game(self):
        white, black = await self.pair()
        self.assertEqual((white.color, black.color, white.opponent), ("white", "black", "boris"))
        await white.table.client.until(lambda: white.legal_moves)
        self.assertEqual(len(white.legal_moves), 7)
        self.assertEqual(black.legal_moves, [])
        await within_patience(play_random(white), play_random(black, seed=2))
        self.assertTrue(white.over)
        for field in ("number", "id", "moves", "fen", "result", "reason"):
            self.assertEqual(getattr(white, field), getattr(black, field))
        self.assertEqual([move["ply"] for move in white.moves], list(range(white.ply)))
        self.assertNotEqual(white.result, "interrupted")

    async def test_moves_are_refused_with_a_reason(self):
        white, black = await self.pair()
        with self.assertRaises(MoveError) as caught:
            await white.move("c3-e5")
        self.assertEqual(caught.exception.code, "illegal_move")
        self.assertIn("c3-e5", caught.exception.message)
        with self.assertRaises(MoveError) as caught:
            await black.move("b6-a5")
        self.assertEqual(caught.exception.code, "not_your_turn")
        spectator = await (await (await self.connect("carl")).watch(white.table.id)).next_game()
        with self.assertRaises(MoveError) as caught:
            await spectator.move("c3-d4")
        self.assertEqual(caught.exception.code, "not_seated")
        turns = white.turns()
        await turns.__anext__()
        with self.assertRaises(MoveError):
            await white.move("hello")
        # The same move is wanted again.
        self.assertEqual(len(await turns.__anext__()), 7)
        played = await white.move("c3-d4")
        self.assertEqual(played["move"], "c3-d4")

    async def test_the_opponents_move_is_not_taken_for_ones_own(self):
        white, black = await self.pair()
        # White's move arrives before any answer to that of Black.
        await within_patience(white.move("c3-d4"), self.refused(black, "b6-a5"))
        await black.table.client.until(lambda: black.legal_moves)
        self.assertEqual((await black.move("b6-a5"))["color"], "black")

    async def refused(self, game, move):
        with self.assertRaises(MoveError) as caught:
            await game.move(move)
        self.assertEqual(caught.exception.code, "not_your_turn")

    async def test_resignation(self):
        white, black = await self.pair(clock="5m+3s")
        self.assertEqual(white.clocks["white"]["increment_ms"], 3000)
        await white.move("c3-d4")
        await white.resign()
        await black.finished()
        self.assertEqual((black.result, black.reason), ("black_won", "resignation"))
        # A move that comes too late is no error, and does not disturb the next request.
        self.assertIsNone(await black.move("b6-a5"))
        await black.table.take_seat("white")
        with self.assertRaises(ServerError) as caught:
            await white.resign()
        self.assertIn(caught.exception.code, ("no_game", "not_seated"))

    async def test_a_move_into_a_game_that_ends_at_the_same_time(self):
        for _ in range(5):
            white, black = await self.pair()
            _, played = await within_patience(black.resign(), white.move("c3-d4"))
            self.assertTrue(white.over)
            if played is None:
                self.assertEqual(white.ply, 0)
            for game in (white, black):
                await game.table.leave()
                self.assertTrue(game.table.closed)
                await game.table.client.close()

    async def test_draws_takebacks_and_rematches(self):
        white, black = await self.pair()
        await white.move("c3-d4")
        await white.offer("takeback")
        await black.table.client.until(lambda: black.offered("takeback"))
        await black.accept("takeback")
        await white.table.client.until(lambda: white.ply == 0)
        self.assertEqual((white.ply, black.ply, white.takebacks), (0, 0, 1))
        await white.move("a3-b4")
        await white.offer_draw()
        await black.table.client.until(lambda: black.offered("draw"))
        await black.decline("draw")
        await white.table.client.until(lambda: not white.offers)
        with self.assertRaises(ServerError) as caught:
            await white.offer_draw()
        self.assertEqual(caught.exception.code, "too_soon")
        await black.offer_draw()
        await white.table.client.until(lambda: white.offered("draw"))
        await white.accept("draw")
        self.assertEqual((white.result, white.reason), ("draw", "agreement"))
        await black.finished()
        await black.offer("rematch")
        await white.table.client.until(lambda: white.offered("rematch"))
        await white.accept("rematch")
        again = await white.table.next_game()
        self.assertEqual((again.number, again.color), (2, "black"))

    async def test_challenges(self):
        anna, boris = await self.connect("anna"), await self.connect("boris")
        table = await anna.challenge("boris", color="black", clock="1m")
        challenge = await boris.next_challenge()
        self.assertEqual((challenge.by, challenge.info["white_clock"]), ("anna", "1m+0s"))
        accepted = await challenge.accept()
        self.assertEqual((await accepted.next_game()).color, "white")
        self.assertEqual((await table.next_game()).color, "black")
        refused = await anna.challenge("boris")
        await (await boris.next_challenge()).decline()
        with self.assertRaises(ChallengeError) as caught:
            await refused.next_game()
        self.assertEqual(caught.exception.code, "declined")
        with self.assertRaises(TypeError) as misspelt:
            await anna.create_table(color="white", bot={"black": {"level": 1}})
        self.assertIn("bots", str(misspelt.exception))
        with self.assertRaises(ServerError) as caught:
            await anna.challenge("carl")
        self.assertEqual(caught.exception.code, "no_such_player")

    async def test_quick_games(self):
        anna, boris = await self.connect("anna"), await self.connect("boris")
        for _ in range(2):
            white, black = await within_patience(anna.quick(clock="1m"), boris.quick(clock="1m"))
            self.assertEqual({white.color, black.color}, {"white", "black"})
            await white.resign()
            await black.finished()
        waiting = asyncio.create_task(anna.quick())
        await asyncio.sleep(0.1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        with self.assertRaises(ServerError) as caught:
            await anna.quick(rated=True)
        self.assertEqual(caught.exception.code, "not_rated")

    async def test_spectators_and_bots_of_the_server(self):
        anna, boris = await self.connect("anna"), await self.connect("boris")
        table = await anna.watch("main")
        await table.take_seat("white")
        await table.add_bot("black", level=1)
        game = await table.next_game()
        self.assertEqual(game.opponent, "Level 1")
        seen = await (await boris.watch("main")).next_game()
        self.assertIsNone(seen.color)
        async for legal_moves in game.turns():
            if game.ply >= 4:
                break
            await game.move(legal_moves[0]["move"])
        await boris.until(lambda: seen.ply >= 4)
        self.assertEqual(seen.moves[:4], game.moves[:4])
        self.assertEqual(seen.legal_moves, [])
        await table.say("good_game")
        await table.leave_seat()
        self.assertIsNone(table.color)

    async def test_the_example(self):
        bot = await asyncio.create_subprocess_exec(
            sys.executable,
            *(str(EXAMPLE), self.server.url, "left"),
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(EXAMPLE.parents[1])},
        )
        out, _ = (await within_patience(bot.communicate()))[0]
        self.assertEqual(bot.returncode, 0)
        color, result = out.decode().splitlines()
        self.assertEqual(color, "white against Level 1")
        self.assertRegex(result, "^(white_won|black_won|draw) [a-z_]+$")


class Joining(ServerTest):
    data = True

    async def test_names_and_tokens_that_are_refused(self):
        anna = await self.connect("anna")
        for name, token, code in (
            ("Anna", None, "name_taken"),
            (" anna", None, "bad_name"),
            ("carl", "no token", "bad_token"),
            ("carl", 64 * "0", "bad_token"),
        ):
            with self.assertRaises(JoinError) as caught:
                await Client.connect(self.server.url, name, token)
            self.assertEqual(caught.exception.code, code)
            self.assertTrue(caught.exception.message)
        await anna.close()
        await self.connect("anna")

    async def test_an_account_of_a_bot(self):
        created = subprocess.run(
            [BIN / "checkers-server", "--data", self.directory / "data", "account", "create-bot", "kestrel"],
            capture_output=True,
            text=True,
            check=True,
            env=ENVIRONMENT,
        )
        token = created.stdout.split()[0]
        bot = await Client.connect(self.server.url, token=token)
        self.addAsyncCleanup(bot.close)
        self.assertEqual((bot.name, bot.account), ("kestrel[bot]", True))

    async def test_another_connection_with_the_token_replaces_the_first(self):
        anna = await self.connect("anna")
        again = await Client.connect(self.server.url, "anna", anna.token)
        with self.assertRaises(ConnectionFailed) as caught:
            await anna.until(lambda: False)
        self.assertEqual(caught.exception.code, "replaced")
        self.assertTrue(again.joined["resumed"])
        await again.close()

    async def test_a_server_that_is_not_there(self):
        await self.server.kill()
        with self.assertRaises(ConnectionFailed) as caught:
            await Client.connect(self.server.url, "anna", give_up_after=0)
        self.assertEqual(caught.exception.code, "unreachable")
        with self.assertRaises(ConnectionFailed):
            await Client.connect(self.server.url, "anna", connect_within=0)
        for url in ("http://127.0.0.1", "nonsense"):
            with self.assertRaises(ConnectionFailed):
                await Client.connect(url, "anna")

    async def test_messages_are_dropped_when_nobody_reads_them(self):
        anna = await self.connect("anna")
        await anna.until(lambda: anna._messages)
        for _ in range(MESSAGE_QUEUE):
            anna._handle({"type": "pong", "server_ms": 1})
        self.assertGreaterEqual(anna.dropped, 1)
        self.assertEqual(len(anna._messages), MESSAGE_QUEUE)
        await anna.send({"type": "ping", "t": 7})
        async for message in anna:
            if message["type"] == "pong" and message.get("t") == 7:
                break
        await anna.close()
        self.assertEqual([message async for message in anna if message["type"] == "pong"], [])


class Reconnecting(ServerTest):
    data = True

    async def test_a_game_survives_the_death_of_the_server(self):
        white, black = await self.pair()
        playing = asyncio.gather(play_random(white, 0.02), play_random(black, 0.02, seed=2))
        await white.table.client.until(lambda: white.ply >= 8)
        await self.server.kill()
        plies = max(white.ply, black.ply)
        await asyncio.sleep(0.2)
        await self.server.start()
        await within_patience(playing)
        self.assertGreater(white.ply, plies)
        self.assertEqual(white.moves, black.moves)
        self.assertEqual((white.result, white.reason), (black.result, black.reason))
        self.assertNotEqual(white.result, "interrupted")
        for game in (white, black):
            self.assertTrue(game.table.client.joined["resumed"])

    async def test_a_lost_connection_is_restored_with_the_seat(self):
        white, black = await self.pair()
        await white.move("c3-d4")
        await black.table.client.until(lambda: black.legal_moves)
        black.table.client._socket.transport.abort()
        await black.move("b6-a5")
        await white.table.client.until(lambda: white.ply == 2)
        self.assertIs(black.table.game, black)

    async def test_a_client_gives_up(self):
        anna = await self.connect("anna", give_up_after=1)
        await self.server.kill()
        with self.assertRaises(ConnectionFailed) as caught:
            await asyncio.wait_for(anna.until(lambda: False), 60)
        self.assertEqual(caught.exception.code, "unreachable")

    async def test_waiting_for_an_opponent_goes_on_after_a_restart(self):
        anna = await self.connect("anna")
        waiting = asyncio.create_task(anna.quick(clock="2m"))
        await asyncio.sleep(0.2)
        await self.server.kill()
        await self.server.start()
        boris = await self.connect("boris")
        white, black = await within_patience(waiting, boris.quick(clock="2m"))
        self.assertEqual((white.opponent, black.opponent), ("boris", "anna"))


class Forgetting(ServerTest):
    async def test_a_server_that_kept_nothing_has_no_game(self):
        white, black = await self.pair()
        await white.move("c3-d4")
        await self.server.kill()
        await self.server.start()
        await within_patience(white.finished(), black.finished())
        self.assertEqual((white.result, white.reason), ("interrupted", None))
        self.assertIsNone(await black.move("b6-a5"))


class Pauses(unittest.TestCase):
    def test_pauses_double_with_jitter_and_follow_the_server_once(self):
        backoff = Backoff()
        for longest in (0.5, 1, 2, 4, 8, 16, 30, 30):
            self.assertTrue(longest / 2 <= backoff.pause() <= longest)
        backoff.hint = 5
        self.assertTrue(5 <= backoff.pause() <= 20)
        self.assertLessEqual(Backoff().pause(), 0.5)


if __name__ == "__main__":
    unittest.main()
