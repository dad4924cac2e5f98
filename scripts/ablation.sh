#!/usr/bin/env bash
# What each technique of the champion brings: the champion against itself without it, at equal nodes.
#   scripts/ablation.sh                      every technique, 300 pairs each, 4,000 nodes a move
#   scripts/ablation.sh PAIRS NODES KEY...   these only, as in scripts/ablation.sh 1000 4000 lmr futility
# CHAMPION=champion:eval=rows scripts/ablation.sh   with another evaluation
#
# Standard output is a Markdown table; docs/engine.md says what the keys mean. Openings are the 726 of the
# built-in suite in the order of seed 1, each played with both colours.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly ALL=(table quiesce threats killers history iir lmr futility probcut single recapture aspiration
    repetition articles drawish tablebase)
# A book would play the first moves of both alike.
readonly CHAMPION=${CHAMPION:-champion:tt=4,book=off}

main() {
    local pairs=${1:-300} nodes=${2:-4000} key
    local keys=("${@:3}")
    ((${#keys[@]})) || keys=("${ALL[@]}")
    cargo build --release --locked --quiet -p checkers-bot-test
    echo "| technique | games | points | Elo of having it | 95 % interval |"
    echo "|---|---:|---:|---:|---:|"
    for key in "${keys[@]}"; do
        row "$key" "$pairs" "$nodes"
    done
}

row() {
    local json
    json=$(mktemp)
    target/release/checkers-bot-test match "$(champion "$1" on)" "$(champion "$1" off)" --limits "nodes=$3" \
        --pairs "$2" --openings suite --seed 1 --in-process --json "$json" >/dev/null 2>&1
    printf '| `%s` | %d | %.1f %% | %+.0f | %+.0f … %+.0f |\n' "$1" $((2 * $2)) \
        "$(field percent "$json")" "$(field elo "$json")" \
        "$(field elo_low "$json")" "$(field elo_high "$json")"
    rm -f "$json"
}

# champion KEY off|on: the champion with a technique switched so.
champion() {
    case $CHAMPION in
    *:*) echo "$CHAMPION,$1=$2" ;;
    *) echo "$CHAMPION:$1=$2" ;;
    esac
}

# field NAME FILE: the first number of this name in a JSON document.
field() {
    grep -oE "\"$1\": ?-?[0-9.]+" "$2" | head -n 1 | grep -oE -- '-?[0-9.]+$' || echo 0
}

main "$@"
