"""Has pydraughts read our games and compares every position with the one we had.

    check_pdn.py PLAIN.pdn BOARDS.pdn NOTES.pdn NUMBERS.pdn

The first three files hold the same games, as the example random_games of checkers-lib writes them. PLAIN.pdn
goes to pydraughts' own PDN reader as it is. BOARDS.pdn has a comment after each move with our FEN
and the number of our legal moves; those are taken from the text without pydraughts. In NOTES.pdn the moves have
comments, clocks, judgements and variations, beside which pydraughts has to find the same moves. NUMBERS.pdn is
written: the same games with pydraughts' numbers for squares, for our own reader.

Checked, for each game: pydraughts splits the file into the same games; begins at the same position;
finds each move among its own legal moves; and at every position, the first and the last included,
has the same pieces on the same squares, the same side to move, and as many legal moves as we have
(routes that take the same pieces between the same squares count once).

Three things stand between pydraughts' reader and its board. None touches its rules:
- its board wants `x` where our PDN has `:`;
- its reader gives the first move twice when Black begins, so the copy is dropped;
- its board takes two squares for any capture between them. PDN means the capture that visits just
  these two, if there is one beside longer ones, so such a move is handed over square by square.
"""

import re
import sys
from pathlib import Path

from draughts import Board, Move
from draughts.convert import move_from_variant, move_to_variant
from draughts.PDN import PDNReader

VARIANT = "russian"


def main():
    plain, boards, notes = (Path(name).read_text(encoding="utf-8") for name in sys.argv[1:4])
    games = PDNReader(plain).games
    noted = [game.moves for game in PDNReader(notes).games]
    if noted != [game.moves for game in games]:
        sys.exit("pydraughts finds other moves beside notes")
    Path(sys.argv[4]).write_text(in_numbers(plain), encoding="utf-8")
    expected = read_boards(boards)
    if len(games) != len(expected):
        sys.exit(f"pydraughts found {len(games)} games, we wrote {len(expected)}")
    moves = 0
    for number, (game, positions) in enumerate(zip(games, expected), start=1):
        try:
            moves += check_game(game, positions)
        except Disagreement as error:
            sys.exit(f"game {number}: {error}")
    if moves == 0:
        sys.exit("no move was compared")
    print(f"pydraughts agrees: {len(games)} games, {moves} moves, {moves + len(games)} positions")


def in_numbers(text):
    """The games with pydraughts' numbers for squares, and a game type that says so."""

    def number(square):
        return str(square_number(square.group()))

    corner = next(i for i, square in enumerate(("a1", "g1", "b8", "h8")) if square_number(square) == 1)
    lines = []
    for line in text.splitlines():
        if line.startswith("[GameType"):
            line = f'[GameType "25,W,8,8,N{corner},0"]'
        elif line.startswith("[FEN") or not line.startswith("["):
            line = re.sub("(?<![a-z])[a-h][1-8]", number, line)
        lines.append(line)
    return "\n".join(lines) + "\n"


class Disagreement(Exception):
    """What pydraughts sees differently."""


def read_boards(text):
    """For each game its positions: pairs of a FEN and a number of legal moves."""
    games = re.split(r"^\[Event ", text, flags=re.MULTILINE)[1:]
    comments = (re.findall(r"\{(\S+)\s+(\d+)\}", game) for game in games)
    return [[(fen, int(count)) for fen, count in game] for game in comments]


def check_game(game, positions):
    """Plays the game on pydraughts' board. Returns the number of moves."""
    fen = game.tags.get("FEN", "startpos")
    board = Board(VARIANT, fen)
    moves = game.moves[1:] if fen.startswith("B") else game.moves
    if len(moves) != len(positions) - 1:
        raise Disagreement(f"{len(moves)} moves instead of {len(positions) - 1}: {moves}")
    check_position(board, *positions[0])
    for ply, (text, position) in enumerate(zip(moves, positions[1:]), start=1):
        before = positions[ply - 1][0]
        try:
            board.push(read_move(board, text))
            check_position(board, *position)
        except KeyError:
            raise Disagreement(f"ply {ply}: {text} is illegal in {before}") from None
        except Disagreement as error:
            raise Disagreement(f"ply {ply}: after {text} in {before}: {error}") from None
    return len(moves)


def read_move(board, text):
    """The legal move of pydraughts' board that our text names; KeyError if there is none."""
    squares = [square_number(square) for square in re.split("[-:]", text)]
    for move in board.legal_moves():
        if move.steps_move == squares:
            return move
    return Move(board, pdn_move=text.replace(":", "x"))


def square_number(square):
    """pydraughts' number of a square: its own conversion there, and half of the way back."""
    internal = move_from_variant(f"{square}-{square}", variant=VARIANT)
    numbers = move_to_variant(internal, variant=VARIANT, to_algebraic=False)
    return int(numbers.split("-")[0])


def check_position(board, fen, legal_moves):
    if pieces(board.fen) != pieces(fen):
        raise Disagreement(f"pydraughts has {board.fen}, we have {fen}")
    moves = ((move.steps_move, move.captures) for move in board.legal_moves())
    effects = {(steps[0], steps[-1], frozenset(taken)) for steps, taken in moves}
    if len(effects) != legal_moves:
        raise Disagreement(f"{len(effects)} legal moves in {fen}, we have {legal_moves}")


def pieces(fen):
    """The side to move, White's pieces and Black's pieces, in no order."""
    turn, white, black = fen.split(":")
    return turn, set(white[1:].split(",")), set(black[1:].split(","))


if __name__ == "__main__":
    main()
