#!/usr/bin/env bash
# Runs the unit tests of modules with unsafe code under Miri, which finds undefined behaviour. Miri has
# no files mapped to memory and no AVX: tests that need them do not run here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rustup toolchain install nightly --profile minimal --component miri,rust-src --no-self-update >/dev/null
cargo +nightly miri test --package checkers-engine --lib --locked -- \
    memory:: prefetch:: evaluation::network::
