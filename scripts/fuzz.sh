#!/usr/bin/env bash
# Fuzzes whatever reads what others write: `scripts/fuzz.sh` each target for a minute,
# `scripts/fuzz.sh TARGET...` these only. FUZZ_SECONDS is another time for each.
#
# The targets and their small corpora are in crates/*/fuzz. What is found on the way is kept in
# target/fuzz; an input that fails is named at the end, and belongs into a test as a line.
# Needs a C++ compiler; cargo-fuzz is installed if it is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly SECONDS_EACH=${FUZZ_SECONDS:-60}
# The fuzzer's instrumentation is not stable yet; the stable compiler has it all the same.
export RUSTC_BOOTSTRAP=1

main() {
    local manifest target found=("$@")
    cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz
    if ((${#found[@]} == 0)); then
        mapfile -t found < <(all_targets)
    fi
    for target in "${found[@]}"; do
        manifest=$(grep -l "^name = \"$target\"" crates/*/fuzz/Cargo.toml) ||
            { echo "error: no target $target; there are:" $(all_targets) >&2 && exit 2; }
        fuzz "$target" "$(dirname "$manifest")"
    done
}

all_targets() {
    sed -n '/^\[\[bin\]\]/{n;s/^name = "\(.*\)"/\1/p}' crates/*/fuzz/Cargo.toml
}

# fuzz TARGET DIRECTORY
fuzz() {
    local found=target/fuzz/$1
    mkdir -p "$found"
    echo "== $1, $SECONDS_EACH s"
    cargo fuzz run --fuzz-dir "$2" "$1" "$found" "$2/corpus/$1" -- \
        -max_total_time="$SECONDS_EACH" -max_len=4096 -timeout=10 -print_final_stats=1 2>&1 |
        grep -vE '^#[0-9]+|^INFO|NEW_FUNC|^stat::(slowest|peak)' || return "${PIPESTATUS[0]}"
}

main "$@"
