#!/bin/sh
# Has an independent program (PyPI's pydraughts) read the games we write, move for move, and reads the
# games that it writes.
#
#     scripts/check-pdn.sh [GAMES] [SEED]
#
# GAMES is 600 for exhaustive tests (scripts/test.sh --all) and 30 otherwise, SEED is 1. What is compared
# stands in scripts/check_pdn.py.
# Needs Python 3.9 or later; its packages go to .venv in the repository. Leaves nothing else.
set -eu
cd "$(dirname "$0")/.."
games=${1:-${CHECKERS_EXHAUSTIVE:+600}}
games=${games:-30}
seed=${2:-1}

python=.venv/bin/python
if ! cmp -s scripts/requirements.txt .venv/requirements.txt; then
    python3 -m venv .venv
    "$python" -m pip install --quiet --requirement scripts/requirements.txt
    cp scripts/requirements.txt .venv/
fi

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# As scripts/test.sh builds it, with the features of the whole workspace.
cargo build --quiet --locked --workspace --example random_games
random_games() {
    target/debug/examples/random_games --games "$games" --seed "$seed" "$@"
}
random_games >"$out/plain.pdn"
random_games --boards >"$out/boards.pdn"
random_games --notes >"$out/notes.pdn"
"$python" scripts/check_pdn.py "$out/plain.pdn" "$out/boards.pdn" "$out/notes.pdn" "$out/numbers.pdn"
target/debug/examples/random_games --rewrite "$out/numbers.pdn" >"$out/read.pdn"
if ! cmp "$out/plain.pdn" "$out/read.pdn"; then
    echo "error: the games that pydraughts wrote with numbers are not those that it read" >&2
    exit 1
fi
echo "the same games are read from pydraughts' numbers"
