#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install.sh BUILD PREFIX
#
# Installs the build in the folder BUILD under PREFIX, for the tests beside this file, and lists the names of all
# tests of tier full in PREFIX.tests, which takes seconds.
#
# Exit status: 0 it is installed; 1 it is not.
set -euo pipefail
build=$1 prefix=$2
rm -rf "$prefix" "$prefix.tests"
cmake --install "$build" --prefix "$prefix"
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh" "$prefix"
list_names_of_tests >"$prefix.tests"
[ -s "$prefix.tests" ] || die 1 "touchstone list names no tests"
