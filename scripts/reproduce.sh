#!/usr/bin/env bash
# Plays the published study again: writes docs/results/study.md with its figures, and all numbers
# into target/study.json. With options, which are passed on (see `checkers-bot-test reproduce
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
        >"$scratch/played.md"
    add_origin "$@" <"$scratch/played.md" >"$scratch/study.md"
    rm "$scratch/played.md"
    cp "$scratch"/* "$RESULTS"
    echo "wrote $RESULTS/study.md and $JSON" >&2
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
