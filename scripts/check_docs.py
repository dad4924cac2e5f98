"""Checks that the documents show what the programs print today.

    check_docs.py [--all] FILE.md…

CONTRIBUTING.md has the rules. `--all` also compares what takes longer than seconds, with release builds.
"""

import argparse
import re
import shlex
import sys
from pathlib import Path

import docs_links
import docs_pages
import docs_tables
from docs_programs import PROGRAMS, Programs, ROOT, is_numeric

MARKER = re.compile(
    r"^<!-- (?:checked(?P<rounded> but for times)?(?P<long> with --all)?: (?P<by>.+)|(?P<measured>measured)|tested: (?P<test>.+)|fixed: .+) -->$"
)
PROMPT = "$ checkers-"
GAP = "…"
# What one of these begins is a command.
SETTING = r'([A-Z_]+=("[^"]*"|\S*) +)*'
TOOLS = "cargo|curl|echo|git|openssl|sqlite3|sudo|sysctl|systemd-analyze"
COMMAND = re.compile(rf"{SETTING}({TOOLS}|scripts/\S+\.sh|(target/(release|dist)/)?checkers-[a-z-]+)(\s|$)")
TIME = re.compile(r"\b[\d.]+ (ns|µs|ms|s|[kMG](?= |$))")
# What a section has to say of numbers that depend on the machine.
ORIGIN = {
    "the machine": re.compile(r"EPYC|Xeon"),
    "the date or the commit": re.compile(r"\b20\d\d-\d\d-\d\d\b|\b[Cc]ommits?\b.* [0-9a-f]{7,40}\b"),
    "the command": re.compile(r"\b(checkers-[a-z]|scripts/|cargo )"),
}


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
            kind = "doctest" if line.startswith("```rust") else "block"
            yield begin + 1, kind, marker, lines[begin + 1 : at]
            at += 1
        elif line.startswith("    ") and (begin == 0 or not lines[begin - 1].strip() or MARKER.match(lines[begin - 1])):
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at].strip()):
                at += 1
            shown = [line[4:].rstrip() for line in lines[begin:at]]
            while not shown[-1]:
                shown.pop()
            yield begin + 1, "block", marker, shown
        elif line.startswith("|"):
            while at < len(lines) and lines[at].startswith("|"):
                at += 1
            yield begin + 1, "table", marker, lines[begin:at]
        else:
            at += 1
            if not line.strip():
                continue
        marker = None


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


def without_times(lines):
    """The lines with every time and speed replaced, and columns no longer aligned."""
    return [" ".join(TIME.sub("·", line).split()) for line in lines]


class Check:
    """Of one document: what is wrong there, and how many blocks are right."""

    def __init__(self, path, programs):
        self.path = path
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.programs = programs

    def run(self):
        """Yields each line and what is wrong there, and None for each block that is right."""
        page = docs_pages.PAGES.get("/".join(self.path.parts[-2:]))
        if page and (self.programs.is_all or page not in docs_pages.LONG):
            wrong = list(page(self.programs, self.lines))
            yield from ((line, problem) for line, problem in wrong)
            if not wrong:
                yield None
        for line, text in enumerate(self.lines, 1):
            if re.match(r"<!-- (checked|tested|measured|fixed)\b", text) and not MARKER.match(text):
                yield line, f"no such comment: {text}"
        yield from docs_links.broken(self.path, self.lines)
        yield from docs_links.missing_pages(self.path, self.lines)
        for line, kind, marker, shown in blocks(self.lines):
            wrong = self.judge(line, kind, marker, shown, is_written=page is not None)
            if wrong is None:
                continue
            yield from ((line, problem) for problem in wrong)
            if not wrong:
                yield None

    def judge(self, line, kind, marker, shown, is_written):
        """What is wrong with a block, or None if there is nothing to compare."""
        if kind == "doctest" and self.path.name == "README.md" and self.path.resolve().parent.parent == ROOT / "crates":
            return None  # `cargo test` runs it
        by = marker and marker["by"]
        if by and marker["long"] and not self.programs.is_all:
            return None
        if by:
            wrong = self.compare(by, marker, shown)
            return wrong + self.missing_origin(line) if marker["rounded"] else wrong
        if marker and marker["measured"]:
            return self.missing_origin(line) or None
        if marker and marker["test"]:
            test = ROOT / marker["test"]
            is_tested = test.is_file() and self.path.name in test.read_text(encoding="utf-8")
            return [] if is_tested else [f"no test {marker['test']} has the name of this document"]
        if marker or is_written:
            return None
        if kind != "table":
            return self.judge_block(shown)
        if is_numeric(shown):
            return ["a table of numbers needs a comment: checked, tested, measured or fixed"]
        return None

    def judge_block(self, shown):
        if any(row.startswith(PROMPT) for row in shown):
            return list(self.wrong_in_transcript(shown))
        commands = joined(shown)
        if all(COMMAND.match(command) for command in commands):
            return [problem for command in commands for problem in self.wrong_in_command(command)]
        return ["a block that is neither commands nor `$ checkers-…` needs a comment: checked, tested, measured or fixed"]

    def compare(self, by, marker, shown):
        name, _, command = by.partition(" ")
        if name in docs_tables.TABLES:
            found = docs_tables.TABLES[name](self.programs, shown, *([command] if command else []))
            return [f"{what}: {is_} is shown, {now} is right" for is_, now, what in found if is_ != now]
        printed = self.programs.run(by)
        if marker["rounded"]:
            shown, printed = without_times(shown), without_times(printed)
        missing = find(shown, printed)
        return [] if missing is None else [f"`{by}` does not print: {missing}"]

    def wrong_in_transcript(self, shown):
        """Yields what is wrong with commands and their whole output."""
        command, output = None, []
        for line in [*shown, PROMPT]:
            if not line.startswith("$ "):
                output.append(line.rstrip())
                continue
            if command:
                printed = self.programs.run(command)
                is_whole = GAP in output or len(output) == len(printed)
                wrong = find(output, printed)
                if wrong is not None or not is_whole:
                    yield f"`{command}` prints something else: {wrong if wrong is not None else 'more lines'}"
            command, output = line[2:], []

    def wrong_in_command(self, command):
        """Yields each script that is not there and each option that a program does not know."""
        for part in re.split(r" [|;] | && ", command):
            words = shlex.split(re.sub(f"^{SETTING}", "", part), comments=True)
            if words[0].startswith("scripts/") and not (ROOT / words[0]).is_file():
                yield f"there is no {words[0]}"
            if words[:2] == ["cargo", "run"]:
                end = words.index("--") if "--" in words else len(words)
                named = [words[at + 1] for at, word in enumerate(words[:end]) if word == "-p"]
                words = [*(named or ["checkers-server"]), *words[end + 1 :]]
            program = Path(words[0]).name
            if program in PROGRAMS:
                yield from self.unknown_options(program, words[1:])

    def unknown_options(self, program, words):
        known = self.programs.help(program)
        while words and re.search(rf"^  {re.escape(words[0])}\s", known, re.MULTILINE) and "Commands:" in known:
            program, words = f"{program} {words[0]}", words[1:]
            known = self.programs.help(program)
        for word in words:
            option = word.partition("=")[0]
            if option.startswith("--") and not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", known):
                yield f"`{program}` has no {option}"

    def missing_origin(self, line):
        """What neither the section of a line nor the beginning of the page says of measured numbers."""
        headings = [at for at, text in enumerate(self.lines) if text.startswith("#") and self.is_heading(at)]
        section = max((at for at in headings if at < line), default=0)
        while section and self.lines[section].startswith("###"):
            section = max(at for at in headings if at < section)
        ends = [at for at in headings if at > section and not self.lines[at].startswith("###")]
        end = min((at for at in ends if at >= line), default=len(self.lines))
        head = min((at for at in headings if at > 0), default=len(self.lines))
        said = "\n".join(self.lines[section:end] + self.lines[:head])
        missing = [what for what, pattern in ORIGIN.items() if not pattern.search(said)]
        return [f"the section does not say {what} of what is measured" for what in missing]

    def is_heading(self, at):
        """Whether the line is outside of fenced blocks."""
        return sum(line.startswith("```") for line in self.lines[:at]) % 2 == 0


def joined(lines):
    """Commands without their line breaks, comments and what stands between quotes over several lines."""
    commands = []
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            commands.append(line.strip())
    return commands


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("files", nargs="+", type=Path)
    arguments = parser.parse_args()
    programs = Programs(is_all=arguments.all)
    right, wrong = 0, 0
    for path in arguments.files:
        for found in Check(path, programs).run():
            if found is None:
                right += 1
            else:
                wrong += 1
                print(f"{path}:{found[0]}: {found[1]}", file=sys.stderr)
    print(f"{right} blocks of the documents are right, {wrong} are not")
    sys.exit(wrong > 0 or right == 0)


if __name__ == "__main__":
    main()
