#!/usr/bin/env bash
# Compiles each crate with the oldest compiler that its Cargo.toml names, and compares the interfaces of
# the published crates with the last release. Downloads toolchains with rustup.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly PUBLISHED=(checkers-lib checkers-engine)

main() {
    check_oldest_compilers
    check_interfaces
}

check_oldest_compilers() {
    local package version
    while read -r package version; do
        echo "== $package with Rust $version"
        rustup toolchain install --profile minimal --no-self-update "$version" >/dev/null
        cargo "+$version" check --package "$package" --locked
    done < <(cargo metadata --no-deps --format-version 1 | python3 -c '
import json, sys
for package in json.load(sys.stdin)["packages"]:
    print(package["name"], package["rust_version"])')
}

check_interfaces() {
    local release
    if ! release=$(git describe --tags --abbrev=0 --match "v*" 2>/dev/null); then
        echo "== no release to compare interfaces with"
        return
    fi
    echo "== interfaces since $release"
    cargo semver-checks --version >/dev/null 2>&1 || cargo install --locked cargo-semver-checks
    cargo semver-checks --baseline-rev "$release" "${PUBLISHED[@]/#/--package=}"
}

main
