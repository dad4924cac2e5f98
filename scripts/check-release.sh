#!/usr/bin/env bash
# Packs a release of stand-ins for the programs twice: the files are the same, and the Debian package and the image
# have what they need. scripts/release.sh --check compares two builds of the programs themselves.
#
# Needs the debug build of the workspace; scripts/test.sh makes it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly BIN=${CARGO_TARGET_DIR:-target}/debug
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

main() {
    if ! command -v dpkg-deb >/dev/null; then
        echo "there is no dpkg-deb: nothing is packed"
        return
    fi
    make_programs
    pack "$work/first"
    (umask 077 && pack "$work/second")
    diff "$work/first/SHA256SUMS" "$work/second/SHA256SUMS" || fail "the same programs make different files"
    check_package "$work"/first/*.deb
    check_image "$work"/first/*-image.tar
    check_refusal
}

# Programs as small as possible, with the pages of the real ones.
make_programs() {
    local program
    mkdir "$work/programs"
    echo 'void _start(void) {}' | cc -static -nostdlib -x c -o "$work/static" -
    for program in checkers-server checkers-bot checkers-bot-test checkers-lab; do
        cp "$work/static" "$work/programs/$program"
        "$BIN/$program" generate-pages "$work/pages"
    done
    echo stand-in >"$work/programs/checkers-bot.exe"
}

pack() {
    python3 scripts/release_files.py --programs "$work/programs" --pages "$work/pages" \
        --commit 0000000000000000000000000000000000000000 --time 1000000000 "$1"
}

check_package() {
    local unit
    mkdir "$work/package"
    dpkg-deb --extract "$1" "$work/package"
    dpkg-deb --control "$1" "$work/control"
    grep -qx /etc/checkers/server.toml "$work/control/conffiles" || fail "the settings are no conffile"
    dpkg-deb --contents "$1" | grep -v ' root/root ' && fail "the package has files that are not root's"
    unit=$work/package/lib/systemd/system/checkers-server.service
    grep -q '^User=checkers$' "$unit" || fail "the unit names no user"
    if command -v systemd-analyze >/dev/null; then
        # The unit starts a program that is not installed here.
        sed "s|/usr/bin/|$(realpath "$BIN")/|" "$unit" >"$work/checkers-server.service"
        systemd-analyze verify "$work/checkers-server.service"
    fi
    "$BIN/checkers-server" --config "$work/package/etc/checkers/server.toml" --print-config >/dev/null
}

check_image() {
    local config
    config=$(tar -xOf "$1" manifest.json | grep -o 'blobs/sha256/[0-9a-f]*' | head -n 1)
    tar -xOf "$1" "$config" | grep -q '"Healthcheck".*"User":"10001:10001"' ||
        fail "the image has no health check or no user"
}

check_refusal() {
    local message
    echo 'int main(void) { return 0; }' | cc -x c -o "$work/programs/checkers-server" -
    message=$(pack "$work/third" 2>&1) && fail "a program with shared libraries is packed"
    [[ $message == *'is not static'* ]] || fail "unexpected: $message"
}

fail() {
    echo "error: $*" >&2
    exit 1
}

main
