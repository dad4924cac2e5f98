"""What schemathesis cannot know from docs/openapi.json: texts that are positions, moves or PDN."""

import json

import schemathesis
from hypothesis import strategies as st

GAMES = [
    [],
    ["c3-d4"],
    ["c3-d4", "d6-c5"],
    ["c3-d4", "d6-c5", "b2-c3"],
    ["c3-d4", "d6-c5", "b2-c3", "f6-g5"],
]
SQUARES = [f + r for r in "12345678" for f in "abcdefgh" if (ord(f) + ord(r)) % 2 == 0]
MIDDLE = [square for square in SQUARES if square[1] in "34567"]


@st.composite
def fens(draw):
    """Up to twelve pieces of either side, no man on its last row."""
    squares = draw(st.lists(st.sampled_from(MIDDLE), min_size=2, max_size=24, unique=True))
    pieces = [draw(st.sampled_from(["", "K"])) + square for square in squares]
    white, black = pieces[: len(pieces) // 2], pieces[len(pieces) // 2 :]
    turn = draw(st.sampled_from("WB"))
    return f"{turn}:W{','.join(white)}:B{','.join(black)}"


moves = st.sampled_from(GAMES).map(" ".join)
pdn = st.sampled_from(GAMES).map(lambda game: f'[White "Anna"]\n\n{" ".join(game)} *\n')

schemathesis.openapi.format("draughts-fen", fens())
schemathesis.openapi.format("draughts-moves", moves)
schemathesis.openapi.format("pdn", pdn)
schemathesis.openapi.media_type("text/plain", pdn.map(str.encode))


@schemathesis.deserializer("application/x-ndjson")
def first_line(context, response):
    """Every line is of the type that is described."""
    return json.loads(response.content.split(b"\n")[0])


@schemathesis.hook
def map_query(context, query):
    """Moves are legal from one position only: these from the start."""
    if query and "moves" in query:
        query.pop("fen", None)
    return query
