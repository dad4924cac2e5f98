#!/usr/bin/env bash
# Checks the types of the page's modules, which are in their comments, with the TypeScript compiler.
# scripts/test.sh has put it into target/node.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

compiler=target/node/node_modules/typescript/bin/tsc
if [[ ! -e $compiler ]]; then
    echo "error: no TypeScript compiler in target/node: run scripts/prepare-node.sh" >&2
    exit 1
fi
node "$compiler" --project crates/server/jsconfig.json --incremental --tsBuildInfoFile target/page.tsbuildinfo
echo "the page's types agree"
