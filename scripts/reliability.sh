#!/usr/bin/env bash
# Kills, freezes and cuts off a server at which many games are played, takes its disk and moves its
# clock, compares the archive with what the players were told, and writes
# docs/results/reliability.md. Fails if anything that was acknowledged is missing or there twice.
#
#     scripts/reliability.sh [GAMES] [SEED]
#
# GAMES at one time is 200 unless given, SEED is 1. Takes about half an hour. What needs user
# namespaces (a small file system) or Debian's package `faketime` (a clock that jumps) is told to be
# missing where it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly GAMES=${1:-200}
readonly SEED=${2:-1}
readonly RESULT=docs/results/reliability.md

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

main() {
    install_faketime
    cargo build --locked --quiet -p checkers-server
    export RELIABILITY_REPORT=$scratch/rows
    run kills_lose_nothing 50
    run standing_still_loses_nothing 10
    run connections_cut_in_mid_frame_lose_nothing 400
    run a_full_disk_loses_nothing 10
    run a_full_file_system_loses_nothing 10
    run a_clock_that_jumps_loses_nothing 50
    report "$@" >"$scratch/report"
    cp "$scratch/report" "$RESULT"
}

# run TEST TIMES
run() {
    echo "$1: $2 times while $GAMES games are played" >&2
    RELIABILITY_GAMES=$GAMES RELIABILITY_TIMES=$2 RELIABILITY_PACE_MS=1000 RELIABILITY_SEED=$SEED \
        cargo test --locked --quiet -p checkers-server --test reliability -- --exact "$1" >&2
}

report() {
    cat <<MD
# Reliability

Measured by \`$(echo scripts/reliability.sh "$@")\` at commit $(commit), on $(nproc) cores of an $(processor).

$GAMES games at one time, each with two clients of its own over WebSockets, which play random legal
moves with 1 s for one on average, come back with their tokens whenever they are cut off, send a move
again that nobody has told them to be there, and begin the next game when one is over. The server keeps
its log with \`--durability crash\`. At the end every game is played out, the server goes down in order,
and its archive is opened and compared with everything that any client was told:

* each move that was acknowledged is in the archive, at its ply, and no move is there twice, neither in
  the archive nor in the stream of events;
* each game that had begun is in the archive once, and replayed by the rules it ends as the archive says;
* the checksums of all streams hold, and no game of theirs that had begun is open.

**Every row below held.** A run that does not fails, and writes no page.

<!-- measured -->
| what happened | times | games at once | games played | moves acknowledged | reconnections | moves sent again and known | moves refused with \`not_stored\` | took |
|---|---|---|---|---|---|---|---|---|
$(cat "$scratch/rows")

* **kills**: \`kill -9\` at random moments, then a start with the same data.
* **freezes**: SIGSTOP, and SIGCONT after 1 s, each tenth time after 25 s.
* **cuts**: a connection ends in the middle of the bytes that are under way.
* **full disks**: no file of the server's may grow for 1.5 s.
* **full file systems**: the file system of the server's data and of what it logs has no room left for
  1.5 s.
* **clock jumps**: the time of day jumps by up to a day forward and back.
MD
}

install_faketime() {
    compgen -G '/usr/lib/*/faketime/libfaketime.so.1' >/dev/null && return
    if ((EUID == 0)) && command -v apt-get >/dev/null; then
        apt-get install -y -qq faketime >&2 || true
    fi
}

processor() {
    sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -n 1
}

commit() {
    echo "$(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD -- crates || echo ', changed')"
}

main "$@"
