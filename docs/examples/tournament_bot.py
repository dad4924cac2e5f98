"""A tournament bot in thirty lines: joins under the name it is given and plays random moves.

    pip install websockets
    checkers-bot-test match 'exec:python3 docs/examples/tournament_bot.py' alpha-beta:depth=3 --pairs 5

Written from docs/protocol.md, "Arranged games", and docs/tournaments.md, "Your own bot".
"""

import asyncio
import json
import os
import random
import sys

import websockets

ILLEGAL_MOVE = 7  # the exit codes a tournament understands
NOT_UNDERSTOOD = 8


async def play(url: str, name: str) -> int:
    async with websockets.connect(url) as socket:
        await socket.send(json.dumps({"type": "join", "name": name}))
        async for text in socket:
            match json.loads(text):
                case {"type": "your_turn", "game": game, "ply": ply, "legal_moves": moves}:
                    move = random.choice(moves)["move"]
                    answer = {"type": "move", "game": game, "ply": ply, "move": move}
                    await socket.send(json.dumps(answer))
                case {"type": "error", "code": "illegal_move", "message": message}:
                    print(message, file=sys.stderr)
                    return ILLEGAL_MOVE
                case {"type": "error", "code": "bad_json" | "bad_message" | "name_taken" as code}:
                    print(code, file=sys.stderr)
                    return NOT_UNDERSTOOD
    return 0


if __name__ == "__main__":
    if "CHECKERS_SERVER" not in os.environ:
        sys.exit("checkers-bot-test starts this bot in its matches; docs/clients.md has bots for a running server")
    sys.exit(asyncio.run(play(os.environ["CHECKERS_SERVER"], os.environ["CHECKERS_NAME"])))
