#!/usr/bin/env bash
# Has the champion play itself on a clock of 100 ms and 10 ms a move, each bot a process of its own at a server, and fails if a game
# is lost on time or forfeited otherwise.
#
#     scripts/clocks.sh [GAMES] [SEED]
#
# GAMES is 1,000 unless given, which takes about ten minutes; SEED is 1. One side has a table of a GiB: what the size of a
# table costs is to be no part of a move. The games are played one at a time, and nothing else should run: what other
# programs take of the processor is taken from the clocks.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly GAMES=${1:-1000}
readonly SEED=${2:-1}

cargo build --release --locked --quiet -p checkers-server -p checkers-bot -p checkers-bot-test
table=$(mktemp)
trap 'rm -f "$table"' EXIT
target/release/checkers-bot-test match champion:tt=1024,book=off champion:tt=16,book=off \
    --limits 100ms+10ms --games "$GAMES" --openings suite --seed "$SEED" --concurrency 1 --csv "$table"

if grep -E ',(time|time_against_king|forfeit|player_left|abandoned),' "$table"; then
    echo "games were lost on time or forfeited" >&2
    exit 1
fi
echo "$GAMES games, none lost on time or forfeited"
