#!/usr/bin/env bash
# Compares what README and docs show with what the programs print. CONTRIBUTING.md has the rules.
#
#     scripts/check-docs.sh [--all] [FILE...]
#
# Uses the programs in target/debug, which scripts/test.sh has built. With --all it builds them for release, and
# compares also what takes longer than seconds. FILE is a document to check instead of all.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=${CHECKERS_PYTHON:-python3}
options=()
if [[ ${1:-} == --all ]]; then
    options=(--all)
    shift
    cargo build --release --locked --workspace
fi
(($#)) || set -- README.md CONTRIBUTING.md CHANGELOG.md crates/*/README.md docs/*.md docs/results/*.md
exec "$python" scripts/check_docs.py "${options[@]}" "$@"
