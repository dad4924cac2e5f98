"""A bot that plays random moves against the easiest level: python random_bot.py ws://127.0.0.1:43210 my-name

A bot with an account needs no name, but its token in the variable CHECKERS_TOKEN.
"""

import asyncio
import os
import random
import sys

from checkers_client import Client


async def main(url: str, name: str | None = None) -> None:
    async with await Client.connect(url, name, os.environ.get("CHECKERS_TOKEN")) as client:
        table = await client.create_table(color="white", bots={"black": {"level": 1}})
        game = await table.next_game()
        print(f"{game.color} against {game.opponent}")
        async for legal_moves in game.turns():
            await game.move(random.choice(legal_moves)["move"])
        print(game.result, game.reason)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
