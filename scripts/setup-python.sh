#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup-python.sh [--remove]
#
# Makes a Python environment for the tests of exports, which ask the packages onnx, onnxruntime, jaxlib and numpy. pip
# downloads them as wheels (130 MB), of the versions and with the SHA-256 of python-packages.txt. The environment is
# $XDG_CACHE_HOME/touchstone/python-DIGEST or ~/.cache/touchstone/python-DIGEST; if it is there, nothing is downloaded.
# Nothing is installed on the system, and Touchstone itself needs no Python.
#
#   --remove  delete it
#
# Prints the path of its Python. Exit status: 0 done; 1 a download failed or has an unexpected content; 64 wrong usage;
# 77 there are no such packages for this machine or version of Python, or pip is not installed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

case ${1:-} in
'') ;;
--remove)
    rm -rf "$(dirname "$(dirname "$(python_of_tests)")")"
    exit 0
    ;;
-h | --help)
    print_help
    exit 0
    ;;
*) die 64 "unknown argument '$1'; expected --remove" ;;
esac

python=$(python_of_tests)
if [ -x "$python" ]; then
    echo "$python"
    exit 0
fi
base=$(find_pip) || die 77 "pip is not installed (Debian's python3-pip)"
[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || die 77 "there are no packages for $(uname -s) on $(uname -m)"
"$base" -c 'import sys; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 13)))' ||
    die 77 "there are packages for Python 3.11 and 3.13, not for $("$base" --version)"

folder=$(dirname "$(dirname "$python")")
mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.new-XXXXXX")
trap 'rm -rf "$work"' EXIT
say "downloading the Python packages of the tests (130 MB)"
"$base" -m venv --without-pip --symlinks "$work/python" >&2
for try in 1 2 3; do
    timeout 600 "$base" -m pip --python "$work/python/bin/python" install --quiet --disable-pip-version-check \
        --no-cache-dir --no-compile --no-deps --only-binary :all: --require-hashes \
        -r "$TOUCHSTONE_ROOT/scripts/python-packages.txt" >"$work/log" 2>&1 </dev/null && break
    tail -n 5 "$work/log" >&2
    [ "$try" != 3 ] || die 1 "the packages cannot be installed"
    sleep $((try * 5))
done
# Who is first wins: a second process uses the same folder.
mv -T "$work/python" "$folder" 2>/dev/null || [ -x "$python" ] || die 1 "$folder: cannot be made"
echo "$python"
