#!/usr/bin/env bash
# Fails if the engine in the browser is not built of these sources. Part of scripts/test.sh. A machine that cannot
# build it, without rustup or without a network, says so and passes.
set -euo pipefail
status=0
"$(dirname "${BASH_SOURCE[0]}")/wasm.sh" --check || status=$?
case $status in
0) echo "engine.wasm is that of the sources" ;;
3) echo "skipped: engine.wasm cannot be built here" ;;
*) exit "$status" ;;
esac
