#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# submit.sh SHARDS OUT RUN-ARGUMENT...
#
# Runs a sweep on a Slurm cluster: an array job of SHARDS tasks, and behind it a job that merges their runs to OUT. The
# arguments are those of 'touchstone run', without -o, -j and --shard:
#
#   scripts/slurm/submit.sh 16 /shared/night.run -b ./vendor.so --tier exhaustive
#
# The shards are kept in the folder OUT.shards, which all nodes have to see, as the program and the backend have. What
# sbatch needs to know of your cluster comes from its own variables: SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT.
# CPUS (default 1) workers for each shard; TOUCHSTONE names the program (default: the one in the PATH).
#
# Prints the ids of both jobs. Submitted again with the same OUT, shards that are there go on where they were ended.
# Exit status: 0 submitted; 64 wrong usage; else that of sbatch.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

case ${1:-} in
-h | --help)
    print_help
    exit 0
    ;;
'' | *[!0-9]* | 0) die 64 "SHARDS, a number from 1 on, comes first; --help tells more" ;;
esac
shards=$1
out=${2:-}
[ -n "$out" ] || die 64 "OUT, the run to make, comes second; --help tells more"
shift 2
[ ! -e "$out" ] || die 64 "$out exists already, and no run is ever overwritten"
command -v sbatch >/dev/null || die 64 "sbatch is not installed here; this is for a machine that submits to Slurm"
TOUCHSTONE=${TOUCHSTONE:-$(command -v touchstone || true)}
[ -x "$TOUCHSTONE" ] || die 64 "touchstone is not in the PATH, and TOUCHSTONE does not name it"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$out.shards"
SWEEP_FOLDER=$(cd "$out.shards" && pwd)
out=$(cd "$(dirname "$out")" && pwd)/$(basename "$out")
export TOUCHSTONE SWEEP_FOLDER

array=$(sbatch --parsable --export=ALL --job-name=touchstone --array="1-$shards" --cpus-per-task="${CPUS:-1}" \
    --output="$SWEEP_FOLDER/part-%a.log" --open-mode=append "$here/sweep.sbatch" "$@")
array=${array%%;*}
merge=$(sbatch --parsable --export=ALL --job-name=touchstone-merge --dependency="afterok:$array" \
    --output="$out.log" --wrap="'$TOUCHSTONE' merge '$out' '$SWEEP_FOLDER'/part-*.run")
echo "shards: job $array, tasks 1 to $shards; merge to $out: job ${merge%%;*}"
