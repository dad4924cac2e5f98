#!/usr/bin/env bash
# Runs unit tests of modules with unsafe code under Miri, which finds undefined behaviour. Miri runs
# no AVX instructions.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rustup toolchain install nightly --profile minimal --component miri,rust-src --no-self-update >/dev/null
cargo +nightly miri test --package checkers-engine --lib --locked -- \
    memory:: evaluation::network:: --skip every_set_of_instructions
