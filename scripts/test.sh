#!/usr/bin/env bash
# Tests everything: the workspace, then every scripts/check-*.sh. The last line is
# `N passed, N failed`; the exit code is 0 only if nothing failed.
#
#     scripts/test.sh [--all]
#
# Long comparisons with an independent reference take a sample; with --all they compare everything.
#
# Needs a Rust toolchain. A C linker, Python, Node, Chromium and PostgreSQL are installed with apt-get where
# they are missing; what Python needs goes into .venv, what Node needs into target/node.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log= memory=
declare -A groups
# The longest time for a group of tests, in seconds: many times what it takes on two processors.
time_limit=2400

main() {
    case "$*" in
    '') ;;
    --all)
        export CHECKERS_EXHAUSTIVE=1 RUSTFLAGS="${RUSTFLAGS:-} -C debug-assertions=on"
        time_limit=28800
        ;;
    *) fail "expected no argument or --all, got: $*" ;;
    esac
    command -v cargo >/dev/null || fail "cargo not found: install Rust from https://rustup.rs"
    command -v cc >/dev/null || install_packages gcc libc6-dev
    has_python || install_packages python3 python3-venv
    prepare_venv
    has_browser || install_packages chromium chromium-driver
    # Starts faster than the whole browser, which is used where a distribution has no such package.
    has_headless_shell || install_packages chromium-headless-shell
    has_postgres || install_packages postgresql
    has_node || install_packages nodejs npm
    scripts/prepare-node.sh || fail "cannot install what the page's tests need"
    export CHECKERS_BROWSER=1 CHECKERS_POSTGRES=1
    export CHECKERS_PYTHON="$PWD/.venv/bin/python"
    # Many tests wait for another program or a clock; two groups of them run at the same time.
    export RUST_TEST_THREADS="${RUST_TEST_THREADS:-$(($(nproc) * 3))}"

    # Programs that tests and checks start, of whatever package, have to be there before.
    if ! cargo build --workspace --bins --tests --examples --locked; then
        echo "0 passed, 1 failed"
        exit 1
    fi
    use_memory
    log=$(mktemp -d)
    export -f timed run_tests run_checks
    trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$log" ${memory:+"$memory"}' EXIT
    # Browsers need processor time while most other tests wait: three groups run side by side. Those of reliability
    # run alone, because nodes that get no processor time for seconds are taken for dead.
    start browser "timed run_tests --test '*' -- browser::; timed run_tests --doc"
    start checks 'timed run_checks; timed run_tests --lib --bins'
    start tests "timed run_tests --test '*' -- --skip browser:: --skip reliability::"
    follow tests
    follow browser
    follow checks
    start reliability "timed run_tests --test '*' -- reliability::"
    follow reliability
    echo "took $SECONDS s"
    count "$log"/*
}

has_python() {
    python3 -c 'import ensurepip, venv' 2>/dev/null
}

has_browser() {
    command -v chromium >/dev/null && command -v chromedriver >/dev/null
}

has_headless_shell() {
    command -v chromium-headless-shell >/dev/null || ! apt-cache show chromium-headless-shell >/dev/null 2>&1
}

has_postgres() {
    [[ -n ${PG_BIN:-} ]] || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null ||
        { command -v pg_config >/dev/null && [[ -x $(pg_config --bindir)/initdb ]]; }
}

has_node() {
    command -v node >/dev/null && command -v npm >/dev/null
}

install_packages() {
    local tool sudo=()
    if ((EUID != 0)); then
        sudo=(sudo)
    fi
    for tool in apt-get "${sudo[@]}"; do
        command -v "$tool" >/dev/null || fail "the tests need $*; there is no $tool to install them"
    done
    echo "installing $*" >&2
    if ! "${sudo[@]}" apt-get update -qq >&2 ||
        ! "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "$@" >&2; then
        fail "the tests need $*, but apt-get could not install them"
    fi
}

# Makes .venv with the packages of scripts/requirements.txt, unless it has them already.
prepare_venv() {
    local wanted=scripts/requirements.txt installed=.venv/requirements.txt
    if .venv/bin/python -c '' 2>/dev/null && cmp -s "$wanted" "$installed"; then
        return
    fi
    echo "preparing .venv" >&2
    python3 -m venv --clear .venv || fail "cannot make a Python environment in .venv"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$wanted" >&2 ||
        fail "cannot install the packages of $wanted into .venv"
    cp "$wanted" "$installed"
}

# Puts temporary files into memory, if there are 4 GiB for them: the tests make and remove many files, which takes
# longer on a disk.
use_memory() {
    local room
    room=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1) && ((room > 4194304)) || return 0
    memory=$(mktemp -d -p /dev/shm) || return 0
    # PostgreSQL runs as another user than root.
    chmod 755 "$memory"
    export TMPDIR=$memory
}

# start GROUP COMMANDS: in the background, with a log.
start() {
    timeout --kill-after=30 "$time_limit" bash -euo pipefail -c "$2" >"$log/$1" 2>&1 &
    groups[$1]=$!
}

# follow GROUP: shows its log until it ends. A pipe would last as long as any program that a test has left behind.
follow() {
    local status=0
    tail --follow --lines=+1 --pid="${groups[$1]}" "$log/$1"
    wait "${groups[$1]}" || status=$?
    case $status in
    0) ;;
    124 | 137) echo "error: the group \"$1\" did not end within $time_limit s" ;;
    *) echo "error: the group \"$1\" failed with exit code $status" ;;
    esac
    ((status == 0)) || echo "tests failed" >>"$log/$1"
}

timed() {
    local begin=$SECONDS
    "$@"
    echo "$* took $((SECONDS - begin)) s"
}

# run_tests OPTION...
run_tests() {
    cargo test --workspace --locked --no-fail-fast "$@" || echo "tests failed"
}

# Runs each check: a program whose exit code is 0 if nothing is wrong.
run_checks() {
    local check
    for check in scripts/check-*.sh; do
        echo "running $check"
        if "$check"; then
            echo "check result: passed"
        else
            echo "$check failed"
            echo "check result: failed"
        fi
    done
}

# Prints the summary of these logs, where a check is one test; fails if anything did. Tests that fail without a failed
# test, because something does not compile or dies, are one failure.
count() {
    sed 's/\x1b\[[0-9;]*m//g' "$@" | awk '
        /^test result:/ { passed += $4; failed += $6 }
        $0 == "check result: passed" { passed++ }
        $0 == "check result: failed" { failed++ }
        $0 == "tests failed" { broken = 1 }
        END {
            if (broken && !failed) failed = 1
            printf "%d passed, %d failed\n", passed, failed
            exit failed > 0 || !passed
        }'
}

fail() {
    echo "error: $*" >&2
    exit 1
}

main "$@"
