"""The pages of results that programs write whole.

Each function yields a line and what is wrong there.
"""

import re
import tempfile
from itertools import count, zip_longest

from docs_programs import cells

STUDY_PRINTED = "<!-- What follows is printed"
STUDY_GAMES = "| depth | result: study | here | White mean: study |"
# Tables whose single games take seconds.
STUDY_TABLES = (2, 7)
SLICES = "| slice | positions | wins |"
# Sentences about times, and where a page comes from.
MEASURED = re.compile(r"\b(times?|ms|Measured|Played|Written by|second)\b")


def study(programs, lines):
    """Everything but the times; without --all, the single games of some tables."""
    if programs.is_all:
        with tempfile.TemporaryDirectory() as figures:
            printed = programs.run(f"checkers-bot-test reproduce --timings 1 --out {figures}")
        begin = next(at for at, line in enumerate(lines, 1) if line.startswith(STUDY_PRINTED))
        yield from ((begin + line, problem) for line, problem in compared(lines[begin:], printed))
        return
    numbers = count(1)
    for line, table in tables(lines, STUDY_GAMES):
        if (table_number := next(numbers)) in STUDY_TABLES:
            played = "--pairs 0 --other-seeds 0 --timings 1"
            printed = programs.run(f"checkers-bot-test reproduce --table {table_number} {played}")
            (_, right), *_ = tables(printed, STUDY_GAMES)
            yield from ((line + at, problem) for at, problem in compared(table, right))


def endings(programs, lines):
    """Everything but what it took; without --all, the slices of up to three pieces."""
    pieces = 6 if programs.is_all else 3
    with tempfile.TemporaryDirectory(dir=programs.directory) as directory:
        programs.run(f"checkers-lab tablebase generate --pieces {pieces} --dir {directory}")
        printed = programs.run(f"checkers-lab tablebase report --dir {directory}")
    if programs.is_all:
        yield from compared(without_section(lines, "## Generation and verification"), without_section(printed, "## Generation and verification"))
        return
    made = [row for _, table in tables(printed, SLICES) for row in table[2:]]
    shown = [(line + at, row) for line, table in tables(lines, SLICES) for at, row in enumerate(table) if at >= 2]
    for (line, row), right in zip(shown, made):
        if row != right:
            yield line, f"{row} is shown, {right} is right"


def conformance(programs, lines):
    """Everything but the commit."""
    cases = ",".join(f"{section}.*" for section in (1, 2, 3, 4, 5, 6, 7, 9, 10))
    yield from compared(lines, programs.run(f"scripts/conformance.sh '{cases}'"))


def compared(shown, printed):
    """Each line that differs in more than times, by its number."""
    shown, printed = exact(shown), exact(printed)
    for (line, is_), (_, now) in zip_longest(shown, printed, fillvalue=(len(shown), None)):
        if is_ != now:
            yield line, f"{is_} is shown, {now} is right"


def exact(lines):
    """The lines without what is measured, each with its number."""
    kept, measured = [], ()
    for line_number, line in enumerate(lines, 1):
        if line.startswith("|"):
            row = cells(line)
            is_first = line_number == 1 or not lines[line_number - 2].startswith("|")
            if is_first:
                measured = measured_columns(row)
            kept.append((line_number, [cell for at, cell in enumerate(row) if at not in measured]))
        elif line.strip() and not MEASURED.search(line):
            kept.append((line_number, line))
    return kept


def measured_columns(names):
    """Where a table of the study has times: "mean: study" is published, "here" beside it is measured."""
    found = set()
    for at, name in enumerate(names):
        is_beside_published = name == "here" and re.search(r"\b(mean|max)\b", names[at - 1])
        is_by_time = name == "alpha-beta depth" and "ms" in names[:at]
        if is_beside_published or is_by_time or name in ("ms", "time"):
            found.add(at)
    return found


def tables(lines, header):
    """Each table that begins with the header: number of its first line, its rows."""
    for at, line in enumerate(lines):
        if line.startswith(header):
            end = next((end for end in range(at, len(lines)) if not lines[end].startswith("|")), len(lines))
            yield at + 1, lines[at:end]


def without_section(lines, heading):
    """The lines, but a section's are empty."""
    begin = lines.index(heading) if heading in lines else len(lines)
    end = next((at for at in range(begin + 1, len(lines)) if lines[at].startswith("## ")), len(lines))
    return [*lines[:begin], *[""] * (end - begin), *lines[end:]]


PAGES = {
    "results/study.md": study,
    "results/tablebases.md": endings,
    "results/conformance.md": conformance,
}
# Pages of which nothing is compared without --all.
LONG = (conformance,)
