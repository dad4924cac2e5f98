#!/usr/bin/env bash
# Installs, upgrades, removes and purges the Debian package of target/release-files in a minimal Debian of its own, and
# checks after each step what is there.
#
#     scripts/release-test.sh
#
# Needs root, mmdebstrap, and the network the first time: the Debian stays in target/release-test.tar.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly BASE=target/release-test.tar
readonly UNIT=/lib/systemd/system/checkers-server.service
readonly WANTED=/etc/systemd/system/multi-user.target.wants/checkers-server.service
readonly SETTINGS=/etc/checkers/server.toml
readonly DATA=/var/lib/checkers

work=$(mktemp -d)
system=$work/system
user=
trap 'rm -rf "$work"' EXIT

main() {
    local package=(target/release-files/*.deb)
    [[ -e ${package[0]} && ${#package[@]} == 1 ]] || fail "no single package: run scripts/release.sh first"
    ((EUID == 0)) || fail "only root can install packages"
    prepare_system
    make_older "${package[0]}"
    cp "${package[0]}" "$system/new.deb"

    step install dpkg --install /old.deb
    expect_installed
    grep -q '^checkers:[^:]*:[0-9]*:[0-9]*:[^:]*:/var/lib/checkers:/usr/sbin/nologin$' "$system/etc/passwd" ||
        fail "the user is missing, or may log in"
    echo game >"$system$DATA/game"
    echo 'max-tables = 5' >"$system$SETTINGS"

    step upgrade dpkg --force-confold --install /new.deb
    expect_installed
    [[ $(query Version) != 0~* ]] || fail "it is the old version"
    grep -qx 'max-tables = 5' "$system$SETTINGS" || fail "the upgrade changed the settings"
    [[ -e $system$DATA/game ]] || fail "the upgrade lost a game"
    chroot "$system" /usr/sbin/runuser -u checkers -- checkers-server --config "$SETTINGS" --print-config |
        grep -qx 'max-tables = 5' || fail "the server does not read its settings as its user"

    step remove dpkg --remove checkers-server
    expect_gone "$UNIT" /usr/bin/checkers-server
    expect_there "$SETTINGS" "$DATA/game"

    step 'install again' dpkg --install /new.deb
    expect_installed
    step purge dpkg --purge checkers-server
    expect_gone "$UNIT" "$WANTED" "$SETTINGS" "$(dirname "$SETTINGS")" "$DATA" /usr/share/doc/checkers-server
    [[ -z $(query Status) ]] || fail "dpkg remembers it"
    # Debian keeps users of purged packages: their ids must not be given to others.
    grep -q '^checkers:' "$system/etc/passwd" || fail "the user is gone"
    [[ -z $(find "$system" -xdev \( -user "$user" -o -group "$user" \) -print -quit) ]] || fail "files of the user stay"
    echo "the package installs, upgrades and purges"
}

prepare_system() {
    if [[ ! -e $BASE ]]; then
        command -v mmdebstrap >/dev/null || fail "mmdebstrap not found: install the package mmdebstrap"
        mmdebstrap --quiet --format=tar --variant=essential --include=adduser,init-system-helpers bookworm "$BASE.new"
        mv "$BASE.new" "$BASE"
    fi
    mkdir "$system"
    tar -C "$system" --numeric-owner -xf "$BASE"
}

# The same package as an older version.
make_older() {
    dpkg-deb --raw-extract "$1" "$work/older"
    sed -i 's/^Version: /Version: 0~/' "$work/older/DEBIAN/control"
    echo '# An older version.' >>"$work/older$SETTINGS"
    dpkg-deb --root-owner-group -Zgzip -z1 --build "$work/older" "$system/old.deb" >/dev/null
}

step() {
    echo "== $1"
    chroot "$system" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "${@:2}"
}

query() {
    chroot "$system" dpkg-query --show --showformat "\${$1}" checkers-server 2>/dev/null || true
}

expect_installed() {
    expect_there "$UNIT" "$SETTINGS" /usr/share/man/man1/checkers-server.1.gz \
        /usr/share/bash-completion/completions/checkers-server
    [[ -L $system$WANTED ]] || fail "the unit is not enabled"
    user=$(chroot "$system" id -u checkers)
    [[ $(stat -c '%u %a' "$system$DATA") == "$user 700" ]] || fail "$DATA is not the user's alone"
    chroot "$system" checkers-server --version
}

expect_there() {
    local path
    for path; do
        [[ -e $system$path ]] || fail "$path is missing"
    done
}

expect_gone() {
    local path
    for path; do
        [[ ! -e $system$path && ! -L $system$path ]] || fail "$path is still there"
    done
}

fail() {
    echo "error: $*" >&2
    exit 1
}

main
