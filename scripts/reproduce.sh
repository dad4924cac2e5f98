#!/usr/bin/env bash
# Plays the published study again: writes the tables and figures of docs/results/study.md, and all
# numbers into target/study.json. With options, which are passed on (see `checkers-bot-test reproduce
# --help`), it plays less or otherwise, and writes into target/study instead: nothing that is under
# version control changes.
#
# Takes about a quarter of an hour on two cores, with --quick about two minutes. Its times are worth
# nothing while the machine does something else. Ctrl-C ends it, and the results stay as they were.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if (($# == 0)); then
    readonly RESULTS=docs/results JSON=target/study.json
else
    readonly RESULTS=target/study JSON=target/study/study.json
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

main() {
    cargo build --release --locked -p checkers-bot-test
    mkdir -p "$RESULTS"
    target/release/checkers-bot-test reproduce --out "$scratch" --json "$JSON" "$@" \
        >"$scratch/printed"
    {
        # What is written by hand stays.
        if (($# == 0)); then
            sed '/^<!-- What follows is printed/q' docs/results/study.md
            echo
        fi
        echo "Measured by \`$(echo scripts/reproduce.sh "$@")\` at commit $(commit)."
        echo
        cat "$scratch/printed"
    } >"$scratch/study.md"
    rm "$scratch/printed"
    cp "$scratch"/* "$RESULTS"
    echo "wrote $RESULTS/study.md and $JSON" >&2
}

commit() {
    echo "$(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD -- crates || echo ', changed')"
}

main "$@"
