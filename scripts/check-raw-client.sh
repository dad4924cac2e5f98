#!/usr/bin/env bash
# Plays a full game between docs/examples/raw_client.py and a bot on a real server.
# Needs the debug build of the workspace and .venv; scripts/test.sh makes both.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bin=${CARGO_TARGET_DIR:-target}/debug
log=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$log"' EXIT

"$bin/checkers-server" --bind 127.0.0.1 --port 0 >"$log/address" 2>"$log/server" &
for _ in {1..100}; do
    grep -q listening "$log/address" && break
    sleep 0.1
done
url=$(sed -n 's/^listening on \([^ ]*\).*/\1/p' "$log/address")
[[ -n $url ]] || { echo "the server does not listen:" && cat "$log/server" && exit 1; } >&2

"$bin/checkers-bot" --server "$url" --name bot --color black --games 1 \
    --bot alpha-beta:depth=4 >"$log/bot" 2>&1 &
bot=$!
timeout 60 "${CHECKERS_PYTHON:-.venv/bin/python}" docs/examples/raw_client.py "$url" raw white \
    >"$log/client" || { cat "$log/client" "$log/bot" >&2; exit 1; }
wait "$bot"
echo "$(($(wc -l <"$log/client") - 1)) moves, $(tail -1 "$log/client")"
