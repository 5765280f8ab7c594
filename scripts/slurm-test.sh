#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slurm-test.sh PREFIX
#
# Starts a temporary Slurm on this machine (Debian's slurm-wlm and munge: a controller and a node), submits a sweep of
# four shards to it by scripts/slurm/submit.sh with the program installed under PREFIX, and checks that the merged run
# has the same digest as a run without shards.
#
# Exit status: 0 the digests are equal; 1 they differ; 77 Slurm cannot run on this machine; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

[ -x "${1:-}/bin/touchstone" ] || die 64 "expected PREFIX, where Touchstone is installed"
TOUCHSTONE=$(cd "$1" && pwd)/bin/touchstone
export TOUCHSTONE
export PATH="$PATH:/usr/sbin:/sbin"
skip() {
    echo "$*"
    exit 77
}
[ "$(id -u)" = 0 ] || skip "starting a Slurm node needs root"
for program in munged slurmctld slurmd sbatch; do
    command -v $program >/dev/null || skip "$program is not installed (slurm-wlm, munge)"
done

work=$(mktemp -d)
chmod 755 "$work"
mkdir "$work"/{state,spool,munge}
chmod 700 "$work/munge"
pids=()
finish() {
    if [ ${#pids[@]} -gt 0 ]; then
        kill -KILL "${pids[@]}" 2>/dev/null || true
        wait 2>/dev/null || true
    fi
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

host=$(hostname -s)
head -c 1024 /dev/urandom >"$work/munge/key"
chmod 600 "$work/munge/key"
port=$((20000 + $$ % 20000))
cat >"$work/slurm.conf" <<CONF
ClusterName=touchstone
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MinJobAge=600
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES
CONF
export SLURM_CONF=$work/slurm.conf

munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed" >"$work/munged.out" 2>&1 &
pids+=($!)
for _ in $(seq 50); do
    [ ! -S "$work/munge/socket" ] || break
    sleep 0.1
done
[ -S "$work/munge/socket" ] || skip "munged does not start: $(tail -n 1 "$work/munged.out")"
slurmctld -D -c >"$work/slurmctld.out" 2>&1 &
pids+=($!)
slurmd -D -N "$host" >"$work/slurmd.out" 2>&1 &
pids+=($!)
up=
for _ in $(seq 150); do
    if sinfo -h -o %t 2>/dev/null | grep -qE '^(idle|mix)'; then
        up=1
        break
    fi
    sleep 0.2
done
[ -n "$up" ] || skip "Slurm does not start: $(tail -n 2 "$work/slurmctld.log" "$work/slurmd.log" 2>&1 | tr '\n' ' ')"

sweep=(-b faulty --backend-opt fault=vector-tail dml.slice1:pairwise dml.gather:pairwise)
"$TOUCHSTONE" run "${sweep[@]}" -q -o "$work/whole.run" >"$work/whole" || true
"$(dirname "$0")/slurm/submit.sh" 4 "$work/night.run" "${sweep[@]}"
for _ in $(seq 600); do
    [ -n "$(squeue -h 2>/dev/null)" ] || break
    sleep 0.3
done
if [ ! -e "$work/night.run" ]; then
    cat "$work/night.run.log" "$work"/night.run.shards/*.log || true
    squeue -l || true
    die 1 "the shards were not merged"
fi
wanted=$(grep '^digest' "$work/whole")
cat "$work/night.run.log"
grep -qx "$wanted" "$work/night.run.log" || die 1 "the sweep of four shards does not have the digest $wanted"
