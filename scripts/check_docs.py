"""Checks that README and docs show what the programs print today.

    check_docs.py FILE.md…

A fenced block with lines such as `$ checkers-lab perft 8` is a transcript: each command is run, and what it
prints on standard output must be what stands below it. Other output has a comment on the line above:

    <!-- checked: checkers-bot-test match … -->   the block is part of what this command prints
    <!-- checked: perft -->                       the table is checked by the function of that name in this file
    <!-- measured -->                             depends on the machine or takes too long: it is not compared
    <!-- fixed -->                                a table of numbers that no program prints

In a block, a line `…` stands for any lines. A table of numbers needs one of these comments, but for the pages
that programs write whole: of these the slices of endings and the games of the study are checked.
"""

import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "target" / "debug"
MARKER = re.compile(r"^<!-- (checked: (?P<by>.+)|measured|fixed) -->$")
# Pages in docs/results that programs write whole.
GENERATED = ("conformance.md", "reliability.md", "study.md", "tablebases.md")
PROMPT = "$ checkers-"
GAP = "…"


@cache
def run(command):
    """What a command prints on standard output, as lines."""
    program, *arguments = shlex.split(command)
    if not (PROGRAMS / program).is_file():
        sys.exit(f"error: {PROGRAMS / program} is missing: run cargo build --workspace")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CHECKERS_")}
    done = subprocess.run(
        [PROGRAMS / program, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1800
    )
    return [line.rstrip() for line in done.stdout.splitlines()]


def blocks(lines):
    """Each fenced block, indented block and table: number of its first line, kind, marker, lines."""
    at, marker = 0, None
    while at < len(lines):
        line = lines[at]
        begin = at
        if found := MARKER.match(line):
            marker = found
            at += 1
            continue
        if line.startswith("```"):
            at += 1
            while at < len(lines) and not lines[at].startswith("```"):
                at += 1
            yield begin + 1, "fence", marker, lines[begin + 1 : at]
            at += 1
        elif line.startswith("    ") and (begin == 0 or not lines[begin - 1].strip() or MARKER.match(lines[begin - 1])):
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at].strip()):
                at += 1
            shown = [line[4:].rstrip() for line in lines[begin:at]]
            while not shown[-1]:
                shown.pop()
            yield begin + 1, "indented", marker, shown
        elif line.startswith("|"):
            while at < len(lines) and lines[at].startswith("|"):
                at += 1
            yield begin + 1, "table", marker, lines[begin:at]
        else:
            at += 1
            if not line.strip():
                continue
        marker = None


def cells(row):
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def is_numeric(table):
    """Whether most cells beside the first column begin with a number."""
    values = [cell for row in table[2:] for cell in cells(row)[1:] if cell]
    numbers = [value for value in values if re.match(r"[-−+±<>≤≥]?\s*\d", value)]
    return 2 * len(numbers) > len(values)


def find(shown, printed):
    """The first shown line that is not printed in its place, or None. A gap allows any lines between."""
    parts, part = [], []
    for line in shown:
        if line == GAP:
            parts.append(part)
            part = []
        else:
            part.append(line)
    parts.append(part)
    at = 0
    for part in parts:
        places = range(at, len(printed) - len(part) + 1)
        place = next((place for place in places if printed[place : place + len(part)] == part), None)
        if place is None:
            return next((line for line in part if line not in printed[at:]), part[0])
        at = place + len(part)
    return None


def check_transcript(shown):
    """Yields what is wrong with commands and their whole output."""
    command, output = None, []
    for line in [*shown, PROMPT]:
        if not line.startswith("$ "):
            output.append(line.rstrip())
            continue
        if command:
            printed = run(command)
            is_whole = GAP in output or len(output) == len(printed)
            wrong = find(output, printed)
            if wrong is not None or not is_whole:
                yield f"`{command}` prints something else: {wrong if wrong is not None else 'more lines'}"
        command, output = line[2:], []


def number(text):
    return int(re.sub(r"[\s,\u00a0\u202f]", "", text))


def perft(table):
    """Counts of the game tree, as deep as it takes a moment."""
    deepest = {"effect": 10, "order": 8, "route": 8}
    _, *counts = cells(table[0])
    for row in table[2:]:
        depth, *values = cells(row)
        for count, value in zip(counts, values, strict=True):
            if int(depth) <= deepest[count]:
                yield number(value), int(run(f"checkers-lab perft {depth} --count {count}")[0]), f"{count} {depth}"


def quiet_positions(table):
    """How many quiet positions there are after each number of plies."""
    for plies, value in list(zip(cells(table[0]), cells(table[2])))[1:]:
        if 1 <= int(plies) <= 5:
            found = [line for line in run(f"checkers-lab openings --plies {plies} --depth 1 --margin 100000") if not line.startswith("#")]
            yield number(value), len(found), f"{plies} plies"


def algorithm_nodes(table):
    """Nodes of each algorithm, as deep as it takes a moment."""
    deepest = 6
    names = [name.replace(" ", ":", 1).replace(" ", ",") for name in cells(table[0])[1:]]
    printed = run(f"checkers-lab compare {' '.join(names)} --depth {deepest} --rounds 1")
    begin = printed.index(table[0].rstrip())
    for shown, row in zip(table[2 : 2 + deepest], printed[begin + 2 :]):
        yield cells(shown), cells(row), f"depth {cells(shown)[0]}"


STUDY_GAMES = "| depth | result: study | here | plies |"
# Tables 3 and 5 are left out for their time, and table 4 because it has the games of table 6.
STUDY_TABLES = (1, 2, 6, 7)


def study_games(table, number):
    """Depth, result, length and nodes of the study's single games. The times are measured."""
    exact = [0, 2, *(at for at, name in enumerate(cells(table[0])) if name in ("plies", "nodes"))]
    printed = run(f"checkers-bot-test reproduce --table {number} --honest-pairs 0 --other-seeds 0 --timings 1")
    begin = printed.index(table[0].rstrip())
    for shown, row in zip(table[2:], printed[begin + 2 :]):
        is_, now = ([cells(line)[at] for at in exact] for line in (shown, row))
        yield is_, now, f"table {number}"


def slices(table):
    """Positions, wins, losses and draws of each slice of endings: four pieces are made anew, others must add up."""
    pieces = len(cells(table[2])[0].replace("-", ""))
    if pieces > 4:
        for row in table[2:]:
            name, positions, *values = cells(row)[:5]
            yield number(positions), sum(map(number, values)), name
        return
    with tempfile.TemporaryDirectory() as directory:
        run(f"checkers-lab tablebase generate --pieces {pieces} --dir {directory}")
        printed = run(f"checkers-lab tablebase report --dir {directory}")
    made = {cells(row)[0]: cells(row) for row in printed if row.startswith("|")}
    for row in table[2:]:
        yield cells(row), made.get(cells(row)[0]), cells(row)[0]


HONEST_GAMES = "| depth | study | one game here | other seeds |"
# Tables of the same games, by the page's own words: exact searches choose the same move.
SAME_GAMES = {5: 3, 6: 4}


def honest_games(table, number, earlier):
    """Points of the games from openings. Table 1 is played again, as deep as it takes a moment."""
    same = earlier.get(SAME_GAMES.get(number))
    for at, row in enumerate(table[2:]):
        depth, *_, pairs, games, score, _ = cells(row)
        won, drawn, lost = map(int, re.findall(r"\d+", games))
        yield won + drawn + lost, 2 * int(pairs), f"table {number}, depth {depth}, games"
        points = 100 * (won + drawn / 2) / (won + drawn + lost)
        is_near = abs(points - float(score.split()[0])) < 0.051
        yield is_near, True, f"table {number}, depth {depth}, score of {points:.2f} %"
        if same:
            yield cells(row), cells(same[2 + at]), f"table {number}, depth {depth}"
        if number == 1 and int(depth) <= 4:
            printed = run(
                f"checkers-bot-test match minimax:depth={depth},seed=1 minimax-weak:depth=4,seed=2 --pairs {pairs}"
                " --openings suite --seed 1 --in-process --draw-rules study"
            )
            now = f"bot 1: {won} won, {lost} lost, {drawn} drawn, 0 void"
            yield now, next(line for line in printed if line.startswith("bot 1: ")), f"table 1, depth {depth}"


def page_size(table):
    """What a browser loads of the page, in kB: the test of its budget prints the bytes."""
    test = "cargo test --workspace --locked --test page budget -- --nocapture"
    printed = subprocess.run(test.split(), cwd=ROOT, capture_output=True, text=True, timeout=1800).stdout
    found = re.search(r"(\d+) bytes compressed to play, (\d+) with", printed)
    sizes = [round(int(size) / 1000) for size in found.groups()] if found else [None, None]
    for row, size in zip(table[2:], sizes, strict=True):
        yield number(cells(row)[1]), size, cells(row)[0]


TABLES = {function.__name__: function for function in (perft, quiet_positions, algorithm_nodes, page_size)}
SLICES = "| slice | positions | wins |"


def check(path):
    """Yields each line and what is wrong there, and None for each block that is right."""
    text = path.read_text(encoding="utf-8")
    study_tables, honest_tables = itertools.count(1), {}
    for line, kind, marker, shown in blocks(text.splitlines()):
        by = marker and marker["by"]
        if kind == "fence" and any(row.startswith(PROMPT) for row in shown):
            wrong = list(check_transcript(shown))
        elif kind == "table" and shown[0].startswith(STUDY_GAMES):
            if (table := next(study_tables)) not in STUDY_TABLES:
                continue
            wrong = [f"{what}: {is_} is shown, {now} is right" for is_, now, what in study_games(shown, table) if is_ != now]
        elif kind == "table" and shown[0].startswith(HONEST_GAMES):
            table = len(honest_tables) + 1
            found = honest_games(shown, table, honest_tables)
            wrong = [f"{what}: {is_} is shown, {now} is right" for is_, now, what in found if is_ != now]
            honest_tables[table] = shown
        elif kind == "table" and shown[0].startswith(SLICES):
            wrong = [f"{what}: {is_} is shown, {now} is right" for is_, now, what in slices(shown) if is_ != now]
        elif by in TABLES:
            wrong = [f"{what}: {is_} is shown, {now} is right" for is_, now, what in TABLES[by](shown) if is_ != now]
        elif by:
            missing = find(shown, run(by))
            wrong = [] if missing is None else [f"`{by}` does not print: {missing}"]
        elif kind == "table" and marker is None and path.name not in GENERATED and is_numeric(shown):
            wrong = ["a table of numbers needs a comment: checked, measured or fixed"]
        else:
            continue
        yield from ((line, problem) for problem in wrong)
        if not wrong:
            yield None


def main():
    right, wrong = 0, 0
    for name in sys.argv[1:]:
        for found in check(Path(name)):
            if found is None:
                right += 1
            else:
                wrong += 1
                print(f"{name}:{found[0]}: {found[1]}", file=sys.stderr)
    print(f"{right} blocks of README and docs are what the programs print, {wrong} are not")
    sys.exit(wrong > 0 or right == 0)


if __name__ == "__main__":
    main()
