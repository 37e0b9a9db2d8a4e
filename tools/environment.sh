#!/bin/sh
# Makes the virtual environment with the locked versions: by uv if it can be had, else by pip.
set -eu
venv=$1
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "Opilio needs Python 3.11 or newer; $("$python" --version) was found. Set PYTHON=/path/to/python3.11." >&2
    exit 1
}
if ! command -v uv >/dev/null 2>&1; then
    [ -x "$venv/bin/python" ] || "$python" -m venv "$venv" || {
        echo "The virtual environment could not be made. On Debian: apt-get install python3-venv" >&2
        exit 1
    }
    "$venv/bin/python" -m pip install -q uv >/dev/null 2>&1 || true
    PATH="$venv/bin:$PATH"
fi
echo "Installing the locked requirements into $venv …"
if command -v uv >/dev/null 2>&1; then
    [ -x "$venv/bin/python" ] || uv venv -q --python "$python" "$venv"
    uv pip install -q --python "$venv/bin/python" --no-deps --require-hashes -r requirements.lock
    uv pip install -q --python "$venv/bin/python" --no-deps --no-build-isolation -e .
else
    "$venv/bin/python" -m pip install -q --no-deps --require-hashes -r requirements.lock
    "$venv/bin/python" -m pip install -q --no-deps --no-build-isolation -e .
fi
# The installers above keep to themselves whether the C extensions could be built.
"$venv/bin/python" -c 'import sys; from opilio.extract import quick; from opilio.search.analysis import feeding
sys.exit(not (quick.available() and feeding.available()))' ||
    "$venv/bin/python" tools/native.py
