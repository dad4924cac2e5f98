"""The tables that are put together from what several commands print.

Each function yields a value that is shown, the right value, and what it is.
"""

import json
import re
import subprocess
import tempfile
from pathlib import Path

from docs_programs import ROOT, cells, number


def perft(programs, table):
    """Counts of the game tree."""
    deepest = {"effect": 10, "order": 8, "route": 8}
    _, *counts = cells(table[0])
    for row in table[2:]:
        depth, *values = cells(row)
        for count, value in zip(counts, values, strict=True):
            if value and (programs.is_all or int(depth) <= deepest[count]):
                right = programs.run(f"checkers-lab perft {depth} --count {count} --threads 2")
                yield number(value), int(right[0]), f"{count} {depth}"


def quiet_positions(programs, table):
    """How many quiet positions there are after each number of plies."""
    deepest = 10 if programs.is_all else 5
    for plies, value in list(zip(cells(table[0]), cells(table[2])))[1:]:
        if 1 <= int(plies) <= deepest:
            printed = programs.run(f"checkers-lab openings --plies {plies} --depth 1 --margin 100000")
            yield number(value), len([line for line in printed if not line.startswith("#")]), f"{plies} plies"


def algorithm_nodes(programs, table):
    """Nodes of each algorithm. Minimax goes less deep."""
    depths = (10, 12) if programs.is_all else (6, 6)
    names = cells(table[0])[1:]
    for depth, is_minimax in zip(depths, (True, False)):
        some = [name for name in names if name.startswith("minimax") == is_minimax]
        bots = " ".join(name.replace(" ", ":", 1).replace(" ", ",") for name in some)
        printed = programs.run(f"checkers-lab compare {bots} --depth {depth} --rounds 1 --patience 1h")
        begin = next(at for at, line in enumerate(printed) if line.startswith("| depth |"))
        places = [cells(table[0]).index(name) for name in cells(printed[begin])]
        for at in range(2, 2 + depth):
            shown = [cells(table[at])[place] for place in places]
            yield shown, cells(printed[begin + at]), f"depth {at - 1}"


def reference_match(programs, table):
    """Moves and nodes of the study's reference match."""
    with tempfile.TemporaryDirectory() as directory:
        record = Path(directory) / "match.json"
        programs.run(
            "checkers-bot-test match alpha-beta:depth=10 alpha-beta:depth=7 --games 1 --draw-rules study"
            f" --in-process --json {record}"
        )
        times = json.loads(record.read_text(encoding="utf-8"))["times"][0]
    right = [str(times["moves"]), f"{times['mean_nodes']:,.0f}"]
    yield cells(table[2])[1:3], right, "moves and nodes"


def page_size(_, table):
    """What a browser loads of the page, in kB: the test of its budget prints the bytes."""
    test = "cargo test --workspace --locked --test it budget -- --nocapture"
    printed = subprocess.run(test.split(), cwd=ROOT, capture_output=True, text=True, timeout=1800).stdout
    found = re.search(r"(\d+) bytes compressed to play, (\d+) with", printed)
    sizes = [round(int(size) / 1000) for size in found.groups()] if found else [None, None]
    for row, size in zip(table[2:], sizes, strict=True):
        yield number(cells(row)[1]), size, cells(row)[0]


def matches(programs, table, command):
    """A match for each row. In the command `{NAME}` stands for the row's cell in the column of that name."""
    names = cells(table[0])
    for row in table[2:]:
        shown = dict(zip(names, cells(row), strict=True))
        filled = re.sub(r"\{([^}]+)\}", lambda found: shown[found[1]].replace("`", ""), command)
        with tempfile.TemporaryDirectory() as directory:
            record = Path(directory) / "match.json"
            programs.run(f"{filled} --json {record}")
            right = {**shown, **match_results(json.loads(record.read_text(encoding="utf-8")))}
        now = "| " + " | ".join(right[name] for name in names) + " |"
        yield re.sub(" +", " ", row), re.sub(" +", " ", now), filled


def match_results(record):
    """The columns that a table of matches may have."""
    tally, strength = record["tally"], record["strength"]
    has_elo = strength["elo"] is not None
    interval = f"{strength['elo_low']:+.0f} … {strength['elo_high']:+.0f}" if has_elo else ""
    return {
        "won / drawn / lost": f"{tally['wins']} / {tally['draws']} / {tally['losses']}",
        "points": f"{tally['percent']:.1f} %",
        "Elo": f"{strength['elo']:+.0f}" if has_elo else "",
        "95 % interval": interval,
    }


TABLES = {
    function.__name__: function
    for function in (perft, quiet_positions, algorithm_nodes, reference_match, page_size, matches)
}
