#!/usr/bin/env bash
# Kills, freezes and cuts off a server at which many games are played, takes its disk and moves its clock, then kills,
# freezes, cuts off, separates and restarts nodes of a cluster, and stops and replaces its database. Compares the archive
# with what the players were told, and prints the table of docs/benchmarks.md. Fails if anything that was acknowledged is
# missing or there twice.
#
#     scripts/reliability.sh [GAMES] [SEED]
#
# GAMES at one time is 200 unless given, except that nodes are restarted during 1,000 games; SEED is 1. Takes about an
# hour. What needs user namespaces (a small file system), PostgreSQL, or Debian's package `faketime` (a clock that jumps)
# is told to be missing where it is.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly GAMES=${1:-200}
readonly SEED=${2:-1}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

main() {
    install_faketime
    cargo build --locked --quiet -p checkers-server
    export RELIABILITY_REPORT=$scratch/rows
    run kills_lose_nothing 50
    run a_frozen_server_loses_nothing 10
    run connections_cut_in_mid_frame_lose_nothing 400
    run a_full_disk_loses_nothing 10
    run a_full_file_system_loses_nothing 10
    run a_clock_that_jumps_loses_nothing 50
    run cluster::killed_nodes_lose_nothing 50
    run cluster::a_frozen_node_is_replaced_and_loses_nothing 10
    run cluster::nodes_that_restart_one_after_the_other_lose_nothing 5 1000
    run cluster::a_database_that_stops_loses_nothing_and_kills_no_node 20
    run cluster::a_standby_that_is_promoted_has_everything 10
    run cluster::a_node_that_is_cut_off_from_the_database_is_replaced_and_loses_nothing 10
    run cluster::nodes_that_do_not_reach_each_other_lose_nothing 20
    run cluster::nodes_of_one_name_lose_nothing 10
    run versions::a_node_of_another_link_version_is_refused_and_loses_nothing 1
    report
}

# run TEST TIMES [GAMES]
run() {
    local games=${3:-$GAMES}
    echo "$1: $2 times while $games games are played" >&2
    RELIABILITY_GAMES=$games RELIABILITY_TIMES=$2 RELIABILITY_PACE_MS=1000 RELIABILITY_SEED=$SEED \
        cargo test --locked --quiet -p checkers-server --test it -- --exact "reliability::$1" >&2
}

report() {
    cat <<MD
Measured at commit $(commit), on $(nproc) cores of an $(processor):

| what happened | times | games at once | games played | moves acknowledged | reconnections | moves sent again and known | moves refused with \`not_stored\` | took |
|---|---|---|---|---|---|---|---|---|
$(cat "$scratch/rows")
MD
}

install_faketime() {
    compgen -G '/usr/lib/*/faketime/libfaketime.so.1' >/dev/null && return
    if ((EUID == 0)) && command -v apt-get >/dev/null; then
        apt-get install -y -qq faketime >&2 || true
    fi
}

processor() {
    sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -n 1
}

commit() {
    echo "$(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD -- crates || echo ', changed')"
}

main "$@"
