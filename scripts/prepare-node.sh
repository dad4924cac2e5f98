#!/usr/bin/env bash
# Puts what only tests of the page need into target/node: axe-core and the TypeScript compiler.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(axe-core@4.14.1 typescript@5.9.3)
wanted="${packages[*]}"
if [[ -e target/node/packages && $(<target/node/packages) == "$wanted" ]]; then
    exit 0
fi
echo "fetching $wanted" >&2
mkdir -p target/node
npm install --prefix target/node --no-save --no-audit --no-fund --loglevel=error "${packages[@]}" >&2
echo "$wanted" >target/node/packages
