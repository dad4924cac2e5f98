#!/usr/bin/env bash
# Measures on this machine: `scripts/bench.sh` everything, `scripts/bench.sh NAME...` these only.
# Names: `perft`, `search` (the champion's nodes a second), `reference` (the study's reference match), `harness` (games a second of the
# tournament harness), `server` (against a minimal relay), and those of the other benchmarks in
# crates/*/benches. `scripts/bench.sh server PART...` runs parts of that one; --help lists them.
#
# Figures of one run are comparable with each other; between machines only the ratios are.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly ROUNDS=5

main() {
    local names=("$@") name
    if [[ ${1:-} == server ]]; then
        print_machine
        bench_server "${@:2}"
        return
    fi
    if ((${#names[@]} == 0)); then
        mapfile -t names < <(all_names)
    fi
    for name in "${names[@]}"; do
        all_names | grep -xF -- "$name" >/dev/null || fail "no benchmark $name; there are:" $(all_names)
    done
    print_machine
    for name in "${names[@]}"; do
        echo
        echo "== $name"
        case $name in
        perft) bench_perft && bench_criterion perft ;;
        search) bench_search ;;
        reference) bench_reference ;;
        harness) bench_harness ;;
        server) bench_server ;;
        *) bench_criterion "$name" ;;
        esac
    done
}

all_names() {
    local bench
    {
        echo perft
        echo search
        echo reference
        echo harness
        echo server
        for bench in crates/*/benches/*.rs; do
            basename "$bench" .rs
        done
    } | grep -vx in_process | sort -u
}

print_machine() {
    echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
    echo "commit:  $(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD || echo ', changed')"
    echo "date:    $(date -u +%F)"
}

# The best of several rounds in turn: what else runs on the machine slows all of them alike.
bench_perft() {
    build_for_all_and_for_this_processor
    local one=0 two=0 native=0 round
    for ((round = 0; round < ROUNDS; round++)); do
        one=$(faster "$one" "$(leaves_per_second target 1)")
        two=$(faster "$two" "$(leaves_per_second target 2)")
        native=$(faster "$native" "$(leaves_per_second target/native 1)")
    done
    echo "start position, depth 11, best of $ROUNDS"
    print_rate "1 thread" "$one" "$one"
    print_rate "2 threads" "$two" "$one"
    print_rate "1 thread, target-cpu=native" "$native" "$one"
}

build_for_all_and_for_this_processor() {
    cargo build --profile dist --locked --quiet -p checkers-lab
    RUSTFLAGS="-C target-cpu=native" \
        cargo build --profile dist --locked --quiet -p checkers-lab --target-dir target/native
}

# Each of the fixed positions counts with its best round.
bench_search() {
    build_for_all_and_for_this_processor
    local evaluation target round
    for evaluation in net hand; do
        for target in target target/native; do
            for ((round = 0; round < ROUNDS; round++)); do
                "$target/dist/checkers-lab" bench "champion:tt=16,eval=$evaluation" 2>&1 >/dev/null
            done | print_nodes_per_second "$evaluation, $target"
        done
    done
}

# print_nodes_per_second LABEL: of what `bench` says: 7 openings, 7 middle games, 6 endings
print_nodes_per_second() {
    awk -v label="$1" '
        / nodes/ && !/all together/ {
            if (!($NF in time)) places[++count] = $NF
            if (!($NF in time) || $3 < time[$NF]) time[$NF] = $3
            nodes[$NF] = $1
        }
        END {
            for (i = 1; i <= count; i++) {
                part = i <= 7 ? 1 : i <= 14 ? 2 : 3
                all[part] += nodes[places[i]]
                seconds[part] += time[places[i]]
            }
            printf "%-20s million nodes/s: openings %.2f, middle games %.2f, endings %.2f\n", label,
                all[1] / seconds[1] / 1e6, all[2] / seconds[2] / 1e6, all[3] / seconds[3] / 1e6
        }'
}

# leaves_per_second TARGET_DIR THREADS
leaves_per_second() {
    "$1/dist/checkers-lab" perft 11 --threads "$2" --json |
        sed -n 's/.*"leaves_per_second":\([0-9]*\).*/\1/p'
}

faster() {
    echo $(($1 > $2 ? $1 : $2))
}

# print_rate LABEL LEAVES_PER_SECOND BASE
print_rate() {
    awk -v label="$1" -v rate="$2" -v base="$3" \
        'BEGIN { printf "%-28s %6.1f million leaves/s   x %.2f\n", label, rate / 1e6, rate / base }'
}

# The time of a move in the study's reference match, which its own program needs about 300 ms for.
bench_reference() {
    cargo build --profile dist --locked --quiet -p checkers-bot-test
    local round
    for ((round = 0; round < ROUNDS; round++)); do
        target/dist/checkers-bot-test match alpha-beta:depth=10 alpha-beta:depth=7 \
            --games 1 --draw-rules study 2>/dev/null | grep -E '^(time per move|bot 1 +[0-9])'
    done
}

# What the harness costs by itself: `random` takes next to no time for a move.
bench_harness() {
    echo "in process, the benchmark, on one core"
    cargo bench --locked --quiet -p checkers-bot-test --bench in_process --no-run
    taskset -c 0 cargo bench --locked --quiet -p checkers-bot-test --bench in_process
    cargo build --profile dist --locked --quiet -p checkers-bot-test
    echo "whole commands, best of $ROUNDS"
    local concurrency
    for concurrency in 1 2; do
        print_games_per_second 100000 --in-process --concurrency "$concurrency"
    done
    for concurrency in 1 2; do
        print_games_per_second 1000 --concurrency "$concurrency"
    done
}

# print_games_per_second GAMES OPTION...
print_games_per_second() {
    local games=$1 best=0 round began
    shift
    for ((round = 0; round < ROUNDS; round++)); do
        began=${EPOCHREALTIME/[.,]/}
        target/dist/checkers-bot-test match random random:seed=1 --games "$games" \
            --openings suite "$@" >/dev/null 2>&1
        best=$(faster "$best" $((games * 1000000 / (${EPOCHREALTIME/[.,]/} - began))))
    done
    printf '%-32s %6d games, %7d games/s\n' "$*" "$games" "$best"
}

# bench_server PART... OPTION...
bench_server() {
    cargo bench --locked --quiet -p checkers-server --bench server -- "$@"
}

bench_criterion() {
    local bench package
    for bench in crates/*/benches/"$1".rs; do
        package=$(sed -n 's/^name = "\(.*\)"/\1/p' "${bench%/benches/*}/Cargo.toml" | head -n 1)
        cargo bench --locked --quiet -p "$package" --bench "$1"
    done
}

fail() {
    echo "error: $*" >&2
    exit 2
}

main "$@"
