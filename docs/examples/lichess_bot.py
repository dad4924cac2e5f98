"""A bot with berserk, the Python client of Lichess, which needs only another `base_url`.

    pip install berserk
    CHECKERS_TOKEN=0123… python lichess_bot.py http://127.0.0.1:43210 [LEVEL | NAME]

It plays random moves: against a level of the server, or whoever NAME is, or whoever challenges it. It ends after one game.
"""

import os
import random
import sys

import berserk
import requests

url, opponent = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
client = berserk.Client(berserk.TokenSession(os.environ["CHECKERS_TOKEN"]), base_url=url)
me = client.account.get()["id"]
if opponent.isdigit():
    client.challenges.create_ai(int(opponent), clock_limit=60, clock_increment=1)
elif opponent:
    client.challenges.create(opponent, rated=False, clock_limit=60, clock_increment=1)
for event in client.bots.stream_incoming_events():
    if event["type"] == "challenge":
        client.bots.accept_challenge(event["challenge"]["id"])
    elif event["type"] == "gameStart":
        game = event["game"]["gameId"]
        for line in client.bots.stream_game_state(game):
            state = line.get("state", line)
            if state.get("status") == "started" and state["fen"][0].lower() == event["game"]["color"][0]:
                legal = requests.get(f"{url}/api/legal", {"fen": state["fen"]}).json()["legal_moves"]
                client.bots.make_move(game, random.choice(legal)["move"])
    elif event["type"] == "gameFinish":
        print(event["game"]["gameId"], event["game"]["status"]["name"], event["game"].get("winner", "nobody"))
        break
