#!/usr/bin/env bash
# Checks docs/clients/python: its messages are those of docs/schema, its types are right, its tests pass against the
# real server, and its wheel can be installed.
# Needs the debug build of the workspace and .venv; scripts/test.sh makes both. CHECKERS_BIN is another directory with
# the programs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bin=$(realpath "${CHECKERS_BIN:-${CARGO_TARGET_DIR:-target}/debug}")
python=${CHECKERS_PYTHON:-.venv/bin/python}
# Not resolved: the interpreter of a virtual environment is a link.
[[ $python == /* ]] || python=$PWD/$python
# Makes the next check faster.
cache=$PWD/target/mypy
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export PYTHONDONTWRITEBYTECODE=1

main() {
    # The build leaves files beside the sources.
    cp -r docs/clients/python "$out/python"
    "$python" docs/clients/python/generate.py --check
    cd docs/clients/python
    "$python" -m mypy --strict --no-error-summary --cache-dir "$cache" checkers_client generate.py examples
    CHECKERS_BIN=$bin timeout 600 "$python" -m unittest discover -q -t . -s tests >"$out/tests" 2>&1 || {
        cat "$out/tests" >&2
        exit 1
    }
    install_wheel
    echo "$(grep -o '^Ran [0-9]* tests' "$out/tests"), $(basename "$out"/wheels/*.whl)"
}

install_wheel() {
    local pip=("$python" -m pip --quiet --disable-pip-version-check)
    "${pip[@]}" wheel --no-deps --no-build-isolation --no-index --wheel-dir "$out/wheels" "$out/python"
    "${pip[@]}" install --no-deps --no-index --target "$out/installed" "$out"/wheels/*.whl
    cd "$out"
    PYTHONPATH=$out/installed "$python" - "$out/installed" <<'END'
import sys
import checkers_client
from checkers_client import messages
assert checkers_client.__file__.startswith(sys.argv[1]), checkers_client.__file__
END
    [[ -f $out/installed/checkers_client/py.typed ]]
    PYTHONPATH=$out/installed "$out/installed/bin/checkers-client" run --help >"$out/help"
}

main "$@"
