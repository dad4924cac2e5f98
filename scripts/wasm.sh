#!/usr/bin/env bash
# Builds the engine for browsers, crates/server/web/engine.wasm.gz, which is part of the repository: the
# server needs neither this script nor the target. The engine depends on the sources and on nothing else.
#
#     scripts/wasm.sh [--check]
#
# With --check it changes nothing, and fails if the file is not that of the sources. Needs rustup, which gets the
# compiler and the target where they are missing; without them the exit code is 3.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Another version makes another file.
readonly TOOLCHAIN=1.95.0
readonly TARGET=wasm32-unknown-unknown
readonly ENGINE=crates/server/web/engine.wasm.gz

main() {
    case "$*" in
    '' | --check) ;;
    *) fail "expected no argument or --check, got: $*" ;;
    esac
    prepare || { echo "wasm.sh: cannot get Rust $TOOLCHAIN for $TARGET" >&2 && exit 3; }
    build
    local built=target/wasm/$TARGET/wasm/checkers_wasm.wasm
    if [[ ${1:-} != --check ]]; then
        gzip --best --no-name --stdout "$built" >"$ENGINE"
        echo "$ENGINE: $(stat -c %s "$ENGINE") bytes, of $(stat -c %s "$built")"
    elif ! gzip --decompress --stdout "$ENGINE" | cmp "$built"; then
        fail "$ENGINE is not built of these sources: run scripts/wasm.sh"
    fi
}

prepare() {
    command -v rustup >/dev/null || return
    if [[ $(rustc --version) == "rustc $TOOLCHAIN "* ]]; then
        rustup target list --installed | grep -qx "$TARGET" || rustup target add "$TARGET"
    else
        export RUSTUP_TOOLCHAIN=$TOOLCHAIN
        rustup toolchain install "$TOOLCHAIN" --profile minimal --target "$TARGET" --no-self-update
    fi
}

build() {
    # Panics name the files of the sources: no path of this machine may be among them.
    local flags=(
        -C target-feature=+simd128
        -C link-arg=--compress-relocations
        "--remap-path-prefix=$PWD=/checkers"
        "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
    )
    (
        unset RUSTFLAGS RUSTC_WORKSPACE_WRAPPER
        CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && echo "${flags[*]}")
        export CARGO_ENCODED_RUSTFLAGS CARGO_TARGET_DIR=target/wasm
        cargo build --quiet --locked --profile wasm --package checkers-wasm --target "$TARGET"
    )
}

fail() {
    echo "wasm.sh: $*" >&2
    exit 1
}

main "$@"
