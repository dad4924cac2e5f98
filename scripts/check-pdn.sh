#!/bin/sh
# Has an independent program (PyPI's pydraughts) read the games we write, move for move.
#
#     scripts/check-pdn.sh [GAMES] [SEED]
#
# GAMES is 600 unless given, SEED is 1. What is compared stands in scripts/check_pdn.py.
# Needs Python 3.9 or later; its packages go to .venv in the repository. Leaves nothing else.
set -eu
cd "$(dirname "$0")/.."
games=${1:-600}
seed=${2:-1}

python=.venv/bin/python
if ! cmp -s scripts/requirements.txt .venv/requirements.txt; then
    python3 -m venv .venv
    "$python" -m pip install --quiet --requirement scripts/requirements.txt
    cp scripts/requirements.txt .venv/
fi

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
random_games() {
    cargo run --quiet --release -p checkers-lib --example random_games -- \
        --games "$games" --seed "$seed" "$@"
}
random_games >"$out/plain.pdn"
random_games --boards >"$out/boards.pdn"
"$python" scripts/check_pdn.py "$out/plain.pdn" "$out/boards.pdn"
