#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# setup-python.sh [--remove]
#
# Makes a Python environment for the tests of exports and of the checker, which ask the packages onnx, onnxruntime,
# openvino, jaxlib and numpy. pip downloads them as wheels (190 MB), of the versions and with the SHA-256 of python-packages.txt. The environment is
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
folder=$(dirname "$(dirname "$python")")
mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.new-XXXXXX")
trap 'rm -rf "$work"' EXIT
say "downloading the Python packages of the tests (190 MB)"
status=0
make_environment "$TOUCHSTONE_ROOT/scripts/python-packages.txt" "$work" || status=$?
[ "$status" = 0 ] || exit "$status"
# Who is first wins: a second process uses the same folder.
mv -T "$work/python" "$folder" 2>/dev/null || [ -x "$python" ] || die 1 "$folder: cannot be made"
echo "$python"
