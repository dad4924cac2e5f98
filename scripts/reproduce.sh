#!/usr/bin/env bash
# Plays the published study again: writes docs/results/study.md with its figures, and all numbers
# into target/study.json. Options are passed on; see `checkers-bot-test reproduce --help`.
#
# Takes about a quarter of an hour on two cores. Its times are worth nothing while the machine does
# something else. Ctrl-C ends it, and the results stay as they were.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly RESULTS=docs/results

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

main() {
    cargo build --release --locked -p checkers-bot-test
    target/release/checkers-bot-test reproduce --out "$scratch" --json target/study.json "$@" \
        >"$scratch/played.md"
    add_origin "$@" <"$scratch/played.md" >"$scratch/study.md"
    rm "$scratch/played.md"
    mkdir -p "$RESULTS"
    cp "$scratch"/* "$RESULTS"
}

# Puts the command and the commit behind the heading.
add_origin() {
    local line
    for _ in 1 2; do
        IFS= read -r line
        echo "$line"
    done
    echo "Measured by \`$(echo scripts/reproduce.sh "$@")\` at commit $(commit)."
    echo
    cat
}

commit() {
    echo "$(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD -- crates || echo ', changed')"
}

main "$@"
