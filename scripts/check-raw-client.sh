#!/usr/bin/env bash
# Plays a full game between docs/examples/raw_client.py and raw_client.mjs on a real server, which is
# killed and started again in the middle of it. Both have to see every move once, and the same end.
# Then docs/examples/tournament_bot.py has to play a match without a forfeit.
# Needs the debug build of the workspace, .venv, and Node 20 or later; scripts/test.sh makes the first
# two. Node's package `ws`, where it is needed, goes to target/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly BIN=${CARGO_TARGET_DIR:-target}/debug
readonly PORT=${CHECKERS_CHECK_PORT:-21543} # outgoing connections do not take it meanwhile
readonly URL=ws://127.0.0.1:$PORT
readonly PAUSE=0.05
server=
log=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$log"' EXIT

main() {
    prepare_node
    touch "$log"/{python,javascript,python.errors,javascript.errors}
    start_server
    timeout 120 "${CHECKERS_PYTHON:-.venv/bin/python}" -u docs/examples/raw_client.py \
        "$URL" python white "$PAUSE" >"$log/python" 2>"$log/python.errors" &
    local python=$!
    timeout 120 node "$log/raw_client.mjs" "$URL" javascript black "$PAUSE" \
        >"$log/javascript" 2>"$log/javascript.errors" &
    local javascript=$!
    wait_for_moves
    kill -9 "$server"
    wait "$server" 2>/dev/null || true
    start_server
    wait "$python" || fail "the Python client failed"
    wait "$javascript" || fail "the JavaScript client failed"
    compare
    play_match
}

start_server() {
    : >"$log/address"
    "$BIN/checkers-server" --bind 127.0.0.1 --port "$PORT" --data "$log/data" \
        >>"$log/address" 2>>"$log/server" &
    server=$!
    for _ in {1..100}; do
        grep -q listening "$log/address" && return
        sleep 0.1
    done
    fail "the server does not listen"
}

wait_for_moves() {
    for _ in {1..300}; do
        (($(wc -l <"$log/javascript") >= 6)) && return
        sleep 0.1
    done
    fail "no game"
}

compare() {
    cmp -s "$log/python" "$log/javascript" || fail "the clients saw different games"
    local moves
    moves=$(($(wc -l <"$log/python") - 1))
    head -n "$moves" "$log/python" | cut -d ' ' -f 1 | cmp -s - <(seq 0 $((moves - 1))) ||
        fail "a move is missing or there twice"
    echo "$moves moves and a kill, $(tail -n 1 "$log/python")"
}

play_match() {
    "$BIN/checkers-bot-test" match "exec:${CHECKERS_PYTHON:-.venv/bin/python} docs/examples/tournament_bot.py" random \
        --pairs 2 >"$log/match" 2>"$log/match.errors" || fail "the tournament bot forfeited: $(tail -n 5 "$log/match.errors")"
}

# Pages have WebSockets of their own, and so has Node from 22 on.
prepare_node() {
    command -v node >/dev/null || fail "the example needs Node 20 or later"
    cp docs/examples/raw_client.mjs "$log"
    node -e 'process.exit(globalThis.WebSocket ? 0 : 1)' && return
    [[ -d target/node-client/node_modules/ws ]] ||
        npm install --silent --no-audit --no-fund --prefix target/node-client ws@8 >&2
    ln -s "$PWD/target/node-client/node_modules" "$log/node_modules"
}

fail() {
    {
        echo "error: $*"
        tail -n 5 "$log"/{python,javascript,python.errors,javascript.errors,server}
    } >&2
    exit 1
}

main "$@"
