"""A client in a page of code: joins, takes a seat, waits for an opponent who takes the other one, plays random moves,
prints the result. It comes back if the connection breaks, and nothing is lost.

    pip install websockets
    python raw_client.py ws://127.0.0.1:43210 my-name white [SECONDS]

SECONDS is how long it waits before each move. Written from docs/protocol.md alone. Exit code 0 when a game was played to its end.
"""

import asyncio
import json
import random
import sys
import time

import websockets

PATIENCE = 60  # seconds for which it tries to come back
PAUSE = 0.5
HARMLESS = {"seat_taken", "already_seated", "not_stored"}


class Client:
    def __init__(self, url: str, name: str, color: str, pause: str = "0"):
        self.url, self.name, self.color, self.pause = url, name, color, float(pause)
        self.token = None  # shows, after a break, that we are who we were
        self.since = None  # the last event we have had: what came after it is told then
        self.told = 0  # how many moves have been printed
        self.sent = {}  # the last move, to be sent again if nobody has said that it is there

    async def play(self) -> int:
        left = time.monotonic()
        while time.monotonic() - left < PATIENCE:
            try:
                async with websockets.connect(self.url) as socket:
                    left = time.monotonic()
                    result = await self.talk(socket)
                    if result is not None:
                        return result
            except (OSError, websockets.WebSocketException):
                pass
            await asyncio.sleep(PAUSE)
        print("the server does not come back", file=sys.stderr)
        return 1

    async def talk(self, socket) -> int | None:
        async def say(**message):
            known = {key: value for key, value in message.items() if value is not None}
            await socket.send(json.dumps(known))

        await say(type="join", name=self.name, token=self.token, since=self.since)
        async for text in socket:
            message = json.loads(text)
            if "seq" in message:
                self.since = {"game": message["game"], "seq": message["seq"]}
            match message:
                case {"type": "joined"}:
                    self.token = message["token"]
                    if not message.get("resumed"):
                        print("waiting for an opponent at the table main", file=sys.stderr)
                        await say(type="take_seat", color=self.color)
                case {"type": "your_turn"}:
                    await asyncio.sleep(self.pause)
                    await say(**self.answer(message))
                case {"type": "moved", "played": played}:
                    self.tell(played)
                case {"type": "table_state", "state": state}:
                    # Instead of the events, if the server has them no more.
                    for played in state["moves"]:
                        self.tell(played)
                    if "result" in state:
                        return self.end(state)
                case {"type": "game_over"}:
                    return self.end(message)
                case {"type": "error", "code": code} if code not in HARMLESS:
                    print(code, message["message"], file=sys.stderr)
                    return 1
        return None

    def tell(self, played: dict):
        if played["ply"] == self.told:
            print(self.told, played["move"])
            self.told += 1

    def end(self, game: dict) -> int:
        print(game["result"], game["reason"])
        return 1 if game["result"] == "interrupted" else 0

    def answer(self, asked: dict) -> dict:
        """The move for this request: the same one if it is asked for again."""
        game, ply = asked["game"], asked["ply"]
        if (self.sent.get("game"), self.sent.get("ply")) != (game, ply):
            move = random.choice(asked["legal_moves"])["move"]
            self.sent = dict(type="move", game=game, ply=ply, move=move, id=f"{game}.{ply}")
        return self.sent


if __name__ == "__main__":
    sys.exit(asyncio.run(Client(*sys.argv[1:5]).play()))
