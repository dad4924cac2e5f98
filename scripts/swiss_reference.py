"""Prints random Swiss tournaments with the pairings of another implementation of the FIDE (Dutch) System.

    swiss_reference.py [--seed N] [--tournaments N] [--players MIN MAX] > crates/pairings/tests/it/swiss_reference.txt

crates/pairings/tests/it/swiss.rs replays them. Needs `pip install caissify-pairings==0.5.0`; takes some minutes.
"""

import argparse
import dataclasses
import random
import sys
from dataclasses import dataclass, field

from caissify_pairings.engines.dutch import DutchEngine

HEADER = """\
# Random tournaments, printed by scripts/swiss_reference.py {arguments}
#
# T PLAYERS ROUNDS COLOR: a tournament, and the color of the first player in the first round
# R …: a round, its boards in their order, then who has no game; players are numbered from 1
#   1-2+  1-2-  1-2=  a win of White, a win of Black, a draw
#   1-2>  1-2<  1-2x  no game: a point for White, for Black, for neither
#   1b  the bye, a point
#   1f  1h  1z  not present: a point, half a point, none
"""
# The points of both sides, in half points.
RESULTS = {"+": (2, 0), "-": (0, 2), "=": (1, 1), ">": (2, 0), "<": (0, 2), "x": (0, 0)}
ABSENCES = {"f": 2, "h": 1, "z": 0}


@dataclass
class Player:
    number: int
    rating: float
    # How many rounds late the player comes.
    late: int
    points: int = 0
    colors: list = field(default_factory=list)
    floats: list = field(default_factory=list)
    opponents: set = field(default_factory=set)
    byes: int = 0
    wins_without_game: int = 0
    was_paired: bool = False

    def rank(self):
        return (-self.points, self.number)


class Engine(DutchEngine):
    def _assign_colors(self, p1, p2):
        """The higher one of two players is the one with more points, whatever their numbers."""
        high, low = sorted((p1, p2), key=lambda player: (-player.score, player.pairing_number))
        return super()._assign_colors(high, dataclasses.replace(low, pairing_number=low.pairing_number + 10_000))


def draw(present, players, round_number, rounds, color):
    """The boards and who has the bye; None if the rules allow no round."""
    numbered = [player for player in players if player.was_paired or player in present]
    numbers = {player.number: number for number, player in enumerate(numbered, 1)}
    engine = Engine(
        players=[
            {
                "id": player.number,
                "name": str(player.number),
                "score": player.points / 2,
                "rating": 5000 - player.number,
                "starting_number": numbers[player.number],
                "pairing_number": numbers[player.number],
                "color_hist": player.colors,
                "float_history": player.floats,
                "bye_count": player.byes,
                "forfeit_win_count": player.wins_without_game,
            }
            for player in present
        ],
        previous_pairings={
            (player.number, opponent) for player in players for opponent in player.opponents if player.number < opponent
        },
        round_number=round_number,
        total_rounds=rounds,
        initial_color="white" if color == "w" else "black",
    )
    pairings = engine.generate_pairings()
    by_number = {player.number: player for player in players}
    boards = [(by_number[p["white_id"]], by_number[p["black_id"]]) for p in pairings if not p.get("bye")]
    byes = [by_number[p["white_id"]] for p in pairings if p.get("bye")]
    entries = {player.id: player for player in engine._players}
    is_legal = all(engine._can_pair(entries[white.number], entries[black.number]) for white, black in boards)
    if not is_legal or len(byes) != len(present) % 2 or any(bye.byes or bye.wins_without_game for bye in byes):
        return None

    # C.04.2: the order of the boards.
    def order(board):
        high, low = sorted(player.rank() for player in board)
        return high[0], low[0], high

    return sorted(boards, key=order), byes


def play_board(board, style):
    white, black = board
    if random.random() < style["forfeits"]:
        result = random.choice("><x")
    elif random.random() < style["draws"]:
        result = "="
    else:
        result = "+" if random.random() < 1 / (1 + 10 ** ((black.rating - white.rating) / 400)) else "-"
    before = [white.points, black.points]
    for player, opponent, color, points, own, other in (
        (white, black, "white", RESULTS[result][0], before[0], before[1]),
        (black, white, "black", RESULTS[result][1], before[1], before[0]),
    ):
        player.was_paired = True
        player.points += points
        if result in "+-=":
            player.colors.append(color)
            player.opponents.add(opponent.number)
            player.floats.append("down" if own > other else "up" if own < other else "none")
        else:
            player.wins_without_game += points == 2
            player.floats.append("down" if points else "none")
    return f"{white.number}-{black.number}{result}"


def rest(player, kind, points):
    player.points += points
    player.floats.append("down" if points else "none")
    if kind == "b":
        player.was_paired = True
        player.byes += 1
    elif points == 2:
        player.wins_without_game += 1
    return f"{player.number}{kind}"


def absence(player, round_number, style):
    """Why a player is not paired; None if it is."""
    if round_number <= player.late:
        return "z"
    return random.choice("fhhz") if random.random() < style["absences"] else None


def tournament(size):
    rounds = min(random.randint(5, 11), size)
    color = random.choice("wb")
    style = {
        "absences": random.choice([0, 0, 0.01, 0.05]),
        "forfeits": random.choice([0, 0, 0.02, 0.05]),
        "draws": random.choice([0.1, 0.3, 0.6]),
        "late": random.choice([0, 0, 0.1]),
    }
    # Where the spread is 0, results are random.
    spread = random.choice([0, 0, 10, 30, 60])
    players = []
    for number in range(1, size + 1):
        late = random.randint(1, 3) if random.random() < style["late"] else 0
        players.append(Player(number, -spread * number, late))
    print("T", size, rounds, color)
    for round_number in range(1, rounds + 1):
        absent = {p.number: absence(p, round_number, style) for p in players}
        present = [player for player in players if absent[player.number] is None]
        drawn = draw(present, players, round_number, rounds, color) if len(present) > 1 else None
        if drawn is None:
            break
        boards, byes = drawn
        tokens = [play_board(board, style) for board in boards]
        tokens += [rest(player, "b", 2) for player in byes]
        others = [(player, absent[player.number]) for player in players if player not in present]
        tokens += [rest(player, kind, ABSENCES[kind]) for player, kind in others]
        print("R", *tokens)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tournaments", type=int, default=200)
    parser.add_argument("--players", type=int, nargs=2, default=[5, 60], metavar=("MIN", "MAX"))
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    print(HEADER.format(arguments=" ".join(sys.argv[1:])).replace(" \n", "\n"), end="")
    for _ in range(arguments.tournaments):
        # Small ones are more often hard.
        smallest, largest = arguments.players
        tournament(round(smallest + (largest - smallest) * random.random() ** 2))


if __name__ == "__main__":
    main()
