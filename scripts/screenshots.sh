#!/usr/bin/env bash
# Makes a picture of every state of the page, light and dark, on a desktop and a phone:
#
#     scripts/screenshots.sh [FOLDER]
#
# FOLDER is target/screenshots unless it is given. CHECKERS_STATES=over makes those whose name contains
# `over` only, CHECKERS_RUN=PROGRAM the tests that were built before.
set -euo pipefail
folder=$(realpath -m "${1:-"$(dirname "${BASH_SOURCE[0]}")/../target/screenshots"}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/prepare-node.sh
CHECKERS_BROWSER=1 CHECKERS_SCREENSHOTS=$folder \
    ${CHECKERS_RUN:-cargo test -p checkers-server --locked --test it --} browser::states::
echo "$(find "$folder" -name '*.png' | wc -l) pictures in $folder"
