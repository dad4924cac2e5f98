#!/usr/bin/env bash
# Makes the files of a release from the current commit, in target/release-files.
#
#     scripts/release.sh [--check]
#
# With --check it does so a second time from a copy of the checkout elsewhere, compares, and tests the Debian
# package in a system of its own (scripts/release-test.sh).
#
# Once `cargo fetch` has run, it needs no network. It needs Python 3.11, the Rust targets in TARGETS, and the programs
# that `require` names below.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
umask 022
export CARGO_NET_OFFLINE=true

readonly OUT=target/release-files
readonly LINUX=x86_64-unknown-linux-musl
readonly WINDOWS=x86_64-pc-windows-gnu
readonly LINUX_PROGRAMS=(checkers-server checkers-bot checkers-bot-test checkers-lab)
# checkers-bot-test needs process groups and signals.
readonly WINDOWS_PROGRAMS=(checkers-server checkers-bot checkers-lab)

commit=
time=
copy=

main() {
    case "$*" in
    '' | --check) ;;
    *) fail "expected no argument or --check, got: $*" ;;
    esac
    require cargo 'Rust from https://rustup.rs'
    require git 'the package git'
    require python3 'the package python3'
    require dpkg-deb 'the package dpkg'
    require musl-gcc 'the package musl-tools'
    require x86_64-w64-mingw32-gcc 'the package gcc-mingw-w64-x86-64'
    require_targets
    [[ -z $(git status --porcelain) ]] || fail "the checkout has changes: commit them, or remove them"
    commit=$(git rev-parse HEAD)
    time=$(git log -1 --format=%ct)

    build "$PWD" "$PWD/target/release-build"
    pack target/release-build "$OUT"
    cat "$OUT/SHA256SUMS"
    if [[ ${1:-} == --check ]]; then
        check
    fi
}

require() {
    command -v "$1" >/dev/null || fail "$1 not found: install $2"
}

require_targets() {
    local target
    for target in "$LINUX" "$WINDOWS"; do
        [[ -d $(rustc --print sysroot)/lib/rustlib/$target/lib ]] ||
            fail "Rust cannot build for $target: run rustup target add $target"
    done
}

# Builds the checkout in $1 with the target directory $2. No path of this machine gets into the programs: those of
# the checkout are relative, the others are replaced.
build() {
    local sources=${CARGO_HOME:-$HOME/.cargo}/registry/src
    (
        cd "$1"
        export CARGO_TARGET_DIR=$2 SOURCE_DATE_EPOCH=$time
        export CARGO_ENCODED_RUSTFLAGS="--remap-path-prefix=$sources=/crates"
        export CFLAGS="-ffile-prefix-map=$sources=/crates"
        export CC_x86_64_unknown_linux_musl=musl-gcc
        unset RUSTFLAGS
        cargo_build "$LINUX" "${LINUX_PROGRAMS[@]/#/--package=}"
        # Their symbols contain the random names of temporary folders. A profile's `strip` leaves those of packages with
        # settings of their own.
        CARGO_ENCODED_RUSTFLAGS+=$'\x1f-Cstrip=symbols'
        cargo_build "$WINDOWS" "${WINDOWS_PROGRAMS[@]/#/--package=}"
    )
}

cargo_build() {
    cargo build --locked --profile dist --target "$1" "${@:2}" ||
        fail "cannot build for $1; if crates are missing, run cargo fetch"
}

# Packs what is in the target directory $1 into $2.
pack() {
    local program programs=$1/programs pages=$1/pages
    rm -rf "$programs" "$pages" "$2"
    mkdir -p "$programs"
    for program in "${LINUX_PROGRAMS[@]}"; do
        cp "$1/$LINUX/dist/$program" "$programs"
        "$programs/$program" generate-pages "$pages"
    done
    for program in "${WINDOWS_PROGRAMS[@]}"; do
        cp "$1/$WINDOWS/dist/$program.exe" "$programs"
    done
    python3 scripts/release_files.py --programs "$programs" --pages "$pages" \
        --commit "$commit" --time "$time" "$2"
}

check() {
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    git clone --quiet . "$copy/sources"
    build "$copy/sources" "$copy/target"
    (cd "$copy/sources" && pack "$copy/target" "$copy/files")
    diff "$OUT/SHA256SUMS" "$copy/files/SHA256SUMS" >&2 || fail "the second build differs"
    echo "the second build is the same"
    scripts/release-test.sh
}

fail() {
    echo "error: $*" >&2
    exit 1
}

main "$@"
