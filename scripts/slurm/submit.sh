#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# submit.sh SHARDS OUT RUN-ARGUMENT...
#
# Runs a sweep on a Slurm cluster: submits an array job of SHARDS tasks, and a job that then merges their runs to OUT.
# RUN-ARGUMENT are arguments of 'touchstone run', without -o, -j and --shard:
#
#   scripts/slurm/submit.sh 16 /shared/night.run -b ./vendor.so --tier exhaustive
#
# The shards are stored in the folder OUT.shards. All nodes must have access to this folder, the program and the
# backend. sbatch takes settings of the cluster from its own variables: SBATCH_PARTITION, SBATCH_ACCOUNT,
# SBATCH_TIMELIMIT. CPUS is the number of workers per shard (default 1); TOUCHSTONE is the program (default: touchstone
# in the PATH).
#
# Prints the ids of both jobs. Submitted again with the same OUT, the script resumes unfinished shards.
#
# Exit status: 0 submitted; 64 wrong usage; otherwise that of sbatch.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

case ${1:-} in
-h | --help)
    print_help
    exit 0
    ;;
'' | *[!0-9]* | 0) die 64 "expected SHARDS, a number of at least 1, as the first argument; see --help" ;;
esac
shards=$1
out=${2:-}
[ -n "$out" ] || die 64 "expected OUT, the run file to write, as the second argument; see --help"
shift 2
[ ! -e "$out" ] || die 64 "$out exists already; run files are never overwritten"
command -v sbatch >/dev/null || die 64 "sbatch is not installed; run this on a machine that can submit to Slurm"
TOUCHSTONE=${TOUCHSTONE:-$(command -v touchstone || true)}
[ -x "$TOUCHSTONE" ] || die 64 "touchstone is not in the PATH; set TOUCHSTONE to the program"
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
