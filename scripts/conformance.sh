#!/usr/bin/env bash
# Runs the Autobahn WebSocket conformance suite against the server's accept path, where the example
# `echo` sends every message back, and writes docs/results/conformance.md. Fails if a case does.
#
#     scripts/conformance.sh [CASES]
#
# CASES, such as `'6.*,7.*'`, runs these only and writes nothing. The suite is a program for
# Python 2.7: PYTHON2 names one, otherwise python2.7 or pyenv's 2.7.18 is taken, which pyenv builds if
# it has to. Its packages go to target/conformance.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly SUITE=autobahntestsuite==25.10.1
readonly HOME_DIR=target/conformance
readonly WSTEST=$HOME_DIR/venv/bin/wstest

main() {
    local cases=${1:-*} url
    install_suite
    cargo build --locked --quiet -p checkers-server --example echo --features conformance
    rm -rf "$HOME_DIR/reports" "$HOME_DIR/address"
    CHECKERS_LOG=warn "${CARGO_TARGET_DIR:-target}/debug/examples/echo" >"$HOME_DIR/address" &
    trap "kill $! 2>/dev/null || true" EXIT
    url=$(wait_for_address)
    write_spec "$url" "$cases" >"$HOME_DIR/spec.json"
    "$WSTEST" --mode fuzzingclient --spec "$HOME_DIR/spec.json" >"$HOME_DIR/wstest.log" 2>&1 ||
        { tail -n 20 "$HOME_DIR/wstest.log" >&2 && exit 1; }
    if [[ $cases == '*' ]]; then
        python3 scripts/conformance_report.py "$HOME_DIR/reports/index.json" "$SUITE" "$(commit)" \
            >"$HOME_DIR/report.md" || { cat "$HOME_DIR/report.md" && exit 1; }
        cp "$HOME_DIR/report.md" docs/results/conformance.md
    else
        python3 scripts/conformance_report.py "$HOME_DIR/reports/index.json" "$SUITE" "$(commit)"
    fi
}

install_suite() {
    local python
    [[ -x $WSTEST ]] && return
    python=$(find_python2)
    echo "installing $SUITE" >&2
    mkdir -p "$HOME_DIR"
    # The last virtualenv for Python 2.7.
    "$python" -m pip install --quiet --disable-pip-version-check --target "$HOME_DIR/virtualenv" 'virtualenv<20.22' >&2
    PYTHONPATH=$HOME_DIR/virtualenv "$python" -m virtualenv --quiet --no-download \
        "$HOME_DIR/venv" >&2
    "$HOME_DIR/venv/bin/pip" install --quiet "$SUITE" >&2
}

find_python2() {
    if [[ -n ${PYTHON2:-} ]]; then
        echo "$PYTHON2"
    elif command -v pyenv >/dev/null; then
        pyenv install --skip-existing 2.7.18 >&2
        echo "$(pyenv root)/versions/2.7.18/bin/python"
    elif command -v python2.7; then
        return
    else
        fail "the suite needs Python 2.7: name one in PYTHON2, or install pyenv, which builds it"
    fi
}

wait_for_address() {
    for _ in {1..100}; do
        if grep -q listening "$HOME_DIR/address"; then
            sed -n 's/^listening on //p' "$HOME_DIR/address"
            return
        fi
        sleep 0.1
    done
    fail "the server does not listen"
}

# The compression extension, cases 12 and 13, is not offered.
write_spec() {
    cat <<JSON
{"outdir": "$HOME_DIR/reports",
 "servers": [{"agent": "checkers-server", "url": "$1"}],
 "cases": ["${2//,/\", \"}"],
 "exclude-cases": ["12.*", "13.*"]}
JSON
}

commit() {
    echo "$(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD -- crates || echo ', changed')"
}

fail() {
    echo "error: $*" >&2
    exit 2
}

main "$@"
