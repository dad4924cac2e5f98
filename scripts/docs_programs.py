"""What the checks of the documents share: running programs, and reading tables."""

import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ("checkers-server", "checkers-bot", "checkers-bot-test", "checkers-lab")
HOURS = 3600


class Programs:
    """The programs of target/debug, or with `is_all` those of target/release."""

    def __init__(self, is_all):
        self.is_all = is_all
        self.directory = ROOT / "target" / ("release" if is_all else "debug")
        self.run = cache(self.run)
        self.help = cache(self.help)

    def run(self, command):
        """What a command prints on standard output, as lines."""
        program, *arguments = shlex.split(command)
        if program in PROGRAMS:
            program = self.directory / program
        return self.output([program, *arguments])

    def help(self, command):
        """What a program or one of its subcommands prints with --help."""
        program, *arguments = command.split()
        return "\n".join(self.output([self.directory / program, *arguments, "--help"]))

    def output(self, command):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CHECKERS_")}
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=3 * HOURS
            )
        except FileNotFoundError:
            sys.exit(f"error: {command[0]} is missing: run cargo build --workspace")
        return [line.rstrip() for line in done.stdout.splitlines()]


def cells(row):
    """The cells of a row of a table."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def is_numeric(table):
    """Whether most cells beside the first column begin with a number."""
    values = [cell for row in table[2:] for cell in cells(row)[1:] if cell]
    numbers = [value for value in values if re.match(r"[-−+±<>≤≥]?\s*\d", value)]
    return 2 * len(numbers) > len(values)


def number(text):
    """A number, whatever separates its thousands."""
    return int(re.sub(r"[\s,\u00a0\u202f]", "", text))
