#!/usr/bin/env bash
# Fails if the engine in the browser is not built of these sources. Part of scripts/test.sh.
set -euo pipefail
"$(dirname "${BASH_SOURCE[0]}")/wasm.sh" --check
echo "engine.wasm is that of the sources"
