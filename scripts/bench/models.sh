#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/models.sh [FOLDER|FILE.json...]
#
# Does DirectML say of models of DxDispatch what the checker says? Asks IDMLDevice::CreateOperator of the real
# DirectML.dll in Wine (scripts/touchstone-wine) about every operator in the models: those of the folder, or the files;
# without an argument, the samples of Microsoft, in the folder DxDispatch/models of github.com/microsoft/DirectML, which
# git fetches into ~/.cache/touchstone. Prints a line for each model and operator, and the numbers of models, operators
# and answers that agree. HLSL and ONNX are no operators of DirectML.
#
# TOUCHSTONE_WINDOWS is a build folder of scripts/build-windows.sh (default: ./build-windows).
#
# Exit status: 0 all answers agree; 1 one does not, or a model cannot be read; 2 the samples cannot be fetched; 3
# DirectML is not set up; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"

case ${1:-} in
-h | --help)
    print_help
    exit 0
    ;;
-*) die 64 "unknown argument '$1'; see --help" ;;
esac

# The samples are those of this commit.
commit=a9614e82c9226b09826d18c5e63926a774ca5ab5
fetch_samples() { # FOLDER
    local part=$1.part-$$
    rm -rf "$part"
    if ! { git init -q "$part" && git -C "$part" remote add origin https://github.com/microsoft/DirectML &&
        git -C "$part" sparse-checkout set --no-cone /DxDispatch/models/ &&
        timeout 120 git -C "$part" fetch -q --depth 1 --filter=blob:none origin "$commit" &&
        timeout 120 git -C "$part" checkout -q FETCH_HEAD && mv "$part" "$1"; }; then
        rm -rf "$part"
        die 2 'the samples of DxDispatch cannot be fetched'
    fi
}
if [ $# = 0 ]; then
    samples=${XDG_CACHE_HOME:-$HOME/.cache}/touchstone/dxdispatch-${commit:0:12}
    [ -d "$samples" ] || fetch_samples "$samples"
    set -- "$samples/DxDispatch/models"
fi

models=("$@")
if [ -d "$1" ]; then
    [ $# = 1 ] || die 64 'expected one folder'
    models=()
    for model in "$1"/*.json; do
        case $model in */_*) ;; *) models+=("$model") ;; esac # _schema.json is no model
    done
fi
for model in "${models[@]}"; do
    [ -f "$model" ] || die 64 "there is no $model"
done

rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
status=0
export TOUCHSTONE_PROGRAM=bench_models.exe
bash "$TOUCHSTONE_ROOT/scripts/touchstone-wine" directml "${models[@]}" >"$rows" || status=$?
[ "$status" != 3 ] || exit 3
tr -d '\r' <"$rows" | awk -F , -v models="${#models[@]}" '
    { name = $1; sub(/.*\//, "", name)
      if ($4 == "none") { ++others; what = "no operator of DirectML" }
      else if ($5 == "unsupported") { ++open; what = "not asked: a field of the structure is missing" }
      else { ++asked; what = $4 " by the checker, " $5 " by DirectML" ($6 ? ": " $6 : ""); if ($4 == $5) ++agree }
      printf "%-40s %-28s %s\n", name, $3, what }
    END { printf "%d models, %d operators, %d agree; %d dispatchables are no operators of DirectML\n",
          models, asked + open, agree, others; exit asked + open == agree && agree > 0 ? 0 : 1 }' || status=1
[ "$status" = 0 ] || exit 1
