#!/usr/bin/env bash
# Trains the champion's evaluations from nothing to the files in crates/engine/data: in each generation
# the bot plays itself, a network learns from the games of the last two generations, and it takes the
# place of the one before if it wins a match. The patterns learn from the games of the last two generations.
#
#     scripts/train.sh [DIRECTORY]          default: target/training
#
# Whatever is finished in the directory is not done again: a run that was ended goes on. Every seed is
# fixed and all searches are bounded by nodes, so the same commit makes the same files. What shapes the
# files is set below, and can be set from outside.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

dir=${1:-target/training}
# Games and nodes a move of each generation; generation 0 is played by another bot, which needs no weights.
read -ra games <<<"${TRAIN_GAMES:-40000 50000 80000 200000 200000}"
read -ra nodes <<<"${TRAIN_NODES:-1000 1000 1500 2500 2500}"
# The games of a generation are shared equally between these values of --balance.
read -ra balances <<<"${TRAIN_BALANCES:-250 800}"
first_bot=${TRAIN_FIRST_BOT:-negascout-id:tt=1}
bot=${TRAIN_BOT:-champion:tt=1}
epochs=${TRAIN_EPOCHS:-12}
result_share=${TRAIN_RESULT_SHARE:-0.75}
# Pairs and nodes a move of the match between a network and the one before it.
pairs=${TRAIN_PAIRS:-500}
match_nodes=${TRAIN_MATCH_NODES:-1000}
threads=${TRAIN_THREADS:-$(nproc)}

main() {
    build
    mkdir -p "$dir"
    play 0 "$first_bot"
    train gen0.net net 0
    local best=gen0.net generation last=$((${#games[@]} - 1))
    for ((generation = 1; generation <= last; generation++)); do
        play "$generation" "$bot" --weights "$dir/$best"
        train "gen$generation.net" net "$generation"
        if wins "gen$generation.net" "$best"; then
            best=gen$generation.net
        fi
    done
    train final.patterns patterns "$last"
    cp "$dir/$best" crates/engine/data/network.weights
    cp "$dir/final.patterns" crates/engine/data/patterns.weights
    say "crates/engine/data/network.weights is $best of $dir"
}

build() {
    lab=${TRAIN_LAB:-target/release/checkers-lab}
    bot_test=${TRAIN_BOT_TEST:-target/release/checkers-bot-test}
    if [[ -z ${TRAIN_LAB:-} || -z ${TRAIN_BOT_TEST:-} ]]; then
        cargo build --release --locked -p checkers-lab -p checkers-bot-test
    fi
    commit=$(git describe --always --dirty --abbrev=40 2>/dev/null || echo unknown)
}

# play GENERATION BOT [OPTIONS]
play() {
    local generation=$1 share=${#balances[@]} i
    for i in "${!balances[@]}"; do
        say "generation $generation plays, --balance ${balances[i]}"
        "$lab" selfplay --bot "$2" "${@:3}" --games "$((games[generation] / share))" --nodes "${nodes[generation]}" \
            --balance "${balances[i]}" --seed "$((generation * share + i + 1))" --threads "$threads" \
            --out "$dir/gen$generation-${balances[i]}.games"
    done
}

# train NAME MODEL GENERATION: on the games of the generation and of the one before
train() {
    local name=$1 model=$2 generation=$3 files=()
    [[ -e $dir/$name ]] && return
    if ((generation > 0)); then
        files=("$dir/gen$((generation - 1))-"*.games)
    fi
    say "$name learns"
    "$lab" train "${files[@]}" "$dir/gen$generation-"*.games --model "$model" --epochs "$epochs" \
        --result-share "$result_share" --note "commit $commit" --out "$dir/$name"
}

# wins NEW OLD: whether it has more than half of the points
wins() {
    local result=$dir/$1.json separator=, points games
    [[ $bot == *:* ]] || separator=:
    if [[ ! -e $result ]]; then
        say "$1 plays $2"
        "$bot_test" match "$bot${separator}weights=$dir/$1" "$bot${separator}weights=$dir/$2" --in-process --pairs "$pairs" \
            --opening-plies 8 --seed 1 --limits "nodes=$match_nodes" --adjudicate-tablebase --max-plies 220 \
            --concurrency "$threads" --json "$result"
    fi
    read -r points games < <(python3 -c '
import json, sys
tally = json.load(open(sys.argv[1]))["tally"]
print(tally["points"], tally["games"])' "$result")
    say "$1 against $2: $points points of $games games"
    awk -v points="$points" -v games="$games" 'BEGIN { exit !(points > games / 2) }'
}

say() {
    echo "[$(date +%T)] $*"
}

main
