#!/usr/bin/env bash
# Runs the commands whose output README and docs show, and compares. scripts/check_docs.py has the rules.
# Uses the programs in target/debug, which scripts/test.sh has built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=${CHECKERS_PYTHON:-python3}
exec "$python" scripts/check_docs.py README.md docs/*.md docs/results/*.md
