#!/usr/bin/env bash
# Has schemathesis compare docs/openapi.json with a running server: valid requests are accepted,
# invalid ones refused, and every answer is as described. The seed is fixed.
#
#     scripts/check-openapi.sh [EXAMPLES] [SEED]
#
# EXAMPLES is the number of random requests for each operation, by default 5, or 100 if
# CHECKERS_EXHAUSTIVE is set; SEED is 1. Needs the debug build of the workspace and .venv;
# scripts/test.sh makes both.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly EXAMPLES=${1:-$((${CHECKERS_EXHAUSTIVE:+95} + 5))} SEED=${2:-1}
readonly BIN=${CARGO_TARGET_DIR:-target}/debug
readonly PORT=${CHECKERS_CHECK_PORT:-21543} # outgoing connections do not take it meanwhile
readonly TIME_LIMIT=1200                    # seconds; it takes about 30 on an idle machine
out=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$out"' EXIT

main() {
    local python answer
    python=$(absolute "${CHECKERS_PYTHON:-.venv/bin/python}")
    start_server
    play_a_game
    # Not /api/admin/drain, after which the server takes no new clients.
    if ! answer=$(cd "$out" && SCHEMATHESIS_HOOKS=$OLDPWD/scripts/check_openapi.py \
        timeout "$TIME_LIMIT" "$python" -m schemathesis.cli run \
        "http://127.0.0.1:$PORT/openapi.json" --seed "$SEED" --max-examples "$EXAMPLES" \
        --workers 1 --header 'Authorization: Bearer secret' --exclude-path /api/admin/drain \
        --no-color 2>&1); then
        cut -c 1-600 <<<"$answer" >&2
        exit 1
    fi
    grep 'generated' <<<"$answer"
}

# A path that still holds in another directory.
absolute() {
    case $1 in
        */*) echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")" ;;
        *) echo "$1" ;;
    esac
}

start_server() {
    CHECKERS_LOG=error "$BIN/checkers-server" --bind 127.0.0.1 --port "$PORT" --data "$out/data" \
        --admin-token secret --bot-time 20ms --message-burst 1000000 --message-rate 1000000 \
        >"$out/address" 2>"$out/log" &
    for _ in {1..100}; do
        grep -q listening "$out/address" && return
        sleep 0.1
    done
    cat "$out/log" >&2
    echo "error: the server does not listen" >&2
    exit 1
}

# The description's examples are about this game.
play_a_game() {
    local bot=("$BIN/checkers-bot" --server "ws://127.0.0.1:$PORT" --quiet)
    "${bot[@]}" --name anna --bot random:seed=1 &
    local anna=$!
    "${bot[@]}" --name boris --color black --bot random:seed=2
    wait "$anna"
}

main "$@"
