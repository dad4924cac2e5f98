#!/usr/bin/env bash
# Has each program write its man pages and completions: every option of `--help` is on the page, and
# bash can read the completions.
#
# Needs the debug build of the workspace; scripts/test.sh makes it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly BIN=${CARGO_TARGET_DIR:-target}/debug
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT

main() {
    local program
    for program in checkers-server checkers-bot checkers-bot-test checkers-lab; do
        "$BIN/$program" generate-pages "$pages"
        check_options "$program"
        bash -n "$pages/completions/$program.bash"
    done
    check_options checkers-bot hub
    check_options checkers-bot-test match
    check_options checkers-lab tablebase generate
}

# Compares `PROGRAM [SUBCOMMAND…] --help` with the man page of the same name.
check_options() {
    local page option
    page=$pages/man/$(IFS=-; echo "$*").1
    [[ -s $page ]] || fail "$page is missing"
    for option in $("$BIN/$1" "${@:2}" --help | grep -oP '^ +(-\w, )?\K--[a-z-]+'); do
        grep -qF -e "${option//-/\\-}" "$page" || fail "$page lacks $option"
    done
}

fail() {
    echo "error: $*" >&2
    exit 1
}

main
