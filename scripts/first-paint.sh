#!/usr/bin/env bash
# Measures how soon a browser that has never been here paints the page, on the loopback interface:
#
#     scripts/first-paint.sh [LOADS [SERVER]]
#
# LOADS is 15 unless it is given; SERVER is a program to measure instead of building one. Prints the times of the
# first contentful paint since the address was entered, in milliseconds. Needs chromium, chromedriver and Python.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

loads=${1:-15}
server=${2:-target/dist/checkers-server}
[[ -n ${2:-} ]] || cargo build --profile dist --locked -p checkers-server
exec python3 scripts/first_paint.py "$server" "$loads"
