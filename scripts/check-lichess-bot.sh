#!/usr/bin/env bash
# Plays whole games with berserk, a client of Lichess from PyPI, on a real server: docs/examples/lichess_bot.py against a
# level, then two of them against each other.
# Needs the debug build of the workspace and .venv; scripts/test.sh makes both.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly BIN=${CARGO_TARGET_DIR:-target}/debug
readonly PYTHON=${CHECKERS_PYTHON:-.venv/bin/python}
log=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$log"' EXIT

main() {
    "$BIN/checkers-server" --bind 127.0.0.1 --port 0 --data "$log/data" >"$log/address" 2>"$log/server" &
    wait_for '^listening on ws://' "$log/address"
    local url
    url=$(sed -n 's|^listening on ws://\(.*\)|http://\1|p' "$log/address")
    create hawk
    create owl
    may_play hawk "$url" || fail "the token of the bot is not valid"

    play hawk "$url" 1 || fail "the bot failed against a level"
    play owl "$url" &
    local owl=$!
    # The other bot has to be there before it is challenged.
    wait_for players "$log/there" "$url"
    play hawk "$url" 'owl[bot]' || fail "the first of two bots failed"
    wait "$owl" || fail "the second of two bots failed"
    cmp -s <(tail -n 1 "$log/hawk") "$log/owl" || fail "the bots saw different ends"
    echo "$(head -n 1 "$log/hawk"); $(cat "$log/owl")"
}

create() {
    "$BIN/checkers-server" --data "$log/data" account create-bot "$1" >"$log/$1.token" 2>>"$log/server" ||
        fail "there is no bot $1"
}

# may_play BOT URL: as complete programs ask before they play.
may_play() {
    CHECKERS_TOKEN=$(cut -d ' ' -f 1 "$log/$1.token") "$PYTHON" - "$2" <<'PYTHON' 2>>"$log/$1.errors"
import os, sys
import berserk

token = os.environ["CHECKERS_TOKEN"]
tested = berserk.Client(base_url=sys.argv[1]).oauth.test_tokens(token)
sys.exit("bot:play" not in tested[token]["scopes"].split(","))
PYTHON
}

# play BOT URL [OPPONENT]
play() {
    CHECKERS_TOKEN=$(cut -d ' ' -f 1 "$log/$1.token") timeout 120 "$PYTHON" docs/examples/lichess_bot.py "${@:2}" \
        >>"$log/$1" 2>>"$log/$1.errors"
}

# wait_for PATTERN FILE [URL]: until the file matches; with an URL, until it lists the second bot.
wait_for() {
    for _ in {1..100}; do
        [[ -z ${3:-} ]] || "$PYTHON" -c "import requests, sys; print(requests.get('$3/api/players').text)" >"$2"
        if [[ -n ${3:-} ]]; then
            grep -q 'owl\[bot\]' "$2" && return
        else
            grep -q "$1" "$2" && return
        fi
        sleep 0.1
    done
    fail "nothing in $2"
}

fail() {
    {
        echo "error: $*"
        tail -n 5 "$log"/{server,hawk,owl,hawk.errors,owl.errors} 2>/dev/null
    } >&2
    exit 1
}

main "$@"
