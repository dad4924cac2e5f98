#!/usr/bin/env bash
# Plays the published study again and writes docs/results/study.md with its figures, and all
# numbers into target/study.json. Options are passed on; see `checkers-bot-test reproduce --help`.
#
# Takes about a quarter of an hour on two cores. Its times are worth nothing while the machine does
# something else. Ctrl-C ends it; the document stays as it was then.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly RESULTS=docs/results

main() {
    local options=(--out "$RESULTS" --json target/study.json "$@") document
    cargo build --release --locked -p checkers-bot-test
    mkdir -p "$RESULTS"
    document=$(mktemp)
    # The file is still to be there when main is over.
    trap "rm -f '$document'" EXIT
    target/release/checkers-bot-test reproduce "${options[@]}" >"$document"
    add_origin "$@" <"$document" >"$RESULTS/study.md"
}

# Puts the commit and the command behind the heading.
add_origin() {
    head -n 2
    echo "Written by \`$(echo scripts/reproduce.sh "$@")\` at commit $(commit)."
    echo
    cat
}

commit() {
    echo "$(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD -- crates || echo ', changed')"
}

main "$@"
