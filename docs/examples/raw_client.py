"""A client in forty lines: joins, takes a seat, plays random moves, prints the result.

    pip install websockets
    python raw_client.py ws://127.0.0.1:43210 my-name white

Written from docs/protocol.md alone. Exit code 0 when a game was played to its end.
"""

import asyncio
import json
import random
import sys

import websockets


async def play(url: str, name: str, color: str) -> int:
    async with websockets.connect(url) as socket:

        async def say(**message):
            await socket.send(json.dumps(message))

        await say(type="join", name=name)
        await say(type="take_seat", color=color)
        async for text in socket:
            message = json.loads(text)
            match message["type"]:
                case "your_turn":
                    move = random.choice(message["legal_moves"])
                    await say(type="move", ply=message["ply"], move=move["move"])
                case "moved":
                    print(message["played"]["ply"], message["played"]["move"])
                case "game_over":
                    print(message["result"], message["reason"])
                    return 1 if message["result"] == "interrupted" else 0
                case "error":
                    print(message["code"], message["message"], file=sys.stderr)
                    return 1
    return 1


if __name__ == "__main__":
    sys.exit(asyncio.run(play(*sys.argv[1:4])))
