#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# nightly.sh FOLDER RUN-ARGUMENT...
#
# Runs a sweep each night, for cron: runs the cases, or resumes an unfinished run of the same night; writes reports;
# compares the run with that of the night before; adds it to the history; and prints a summary of exactly five lines on
# standard output. RUN-ARGUMENT are arguments of 'touchstone run', without -o and --shard. Add --tier full: the default,
# quick, takes only seconds.
#
# Use one FOLDER for each backend and selection of cases:
#
#   0 22 * * *  nightly.sh /var/lib/nights -b ./vendor.so --tier full --waivers known.lua | mail -s conformance team
#
# FOLDER contains NIGHT.run, .html, .junit.xml, .json, .diff and .log for each night, and the history of all nights:
# nights.db and trend.html. Variables:
#
#   NIGHT       name of the night (default: the date in UTC 12 hours ago, which does not change at midnight). Names must
#               sort in the order of the nights
#   UPDATE      a command to run first, for example to fetch and build the newest backend. If it fails, the run takes
#               place with the old one, and the summary reports the failure
#   BUDGET      a time such as 20m, for a tier that is too large for one night: each night runs new cases for that time
#               and continues where the last night stopped ('touchstone run --budget'), until all cases have run. Two
#               such nights have no case in common, so they are not compared; the history shows what changed.
#               With --tier exhaustive, drawn tests never end: each night draws on where the last one stopped, and the
#               other tests begin again as soon as all of their cases have run. --seed N among the RUN-ARGUMENTs draws
#               other cases, for example on a second machine; each seed needs a FOLDER of its own
#   ATTEMPTS    how often to resume a run that ends early (default 5)
#   TOUCHSTONE  the program (default: touchstone in the PATH)
#
# Started again for the same night, the script does only what is left to do. If the run cannot be resumed because the
# program or the backend has changed, or it is damaged, the script renames it to NIGHT.run.left-1 (-2, ...) and begins a new run.
#
# Exit status: that of the run (0 conformant; 1 a case failed; 2 not all planned cases ran; 3 Touchstone failed; 64
# wrong usage). If that is 0: 1 if something got worse since the night before, otherwise 3 if a report, the comparison
# or the history failed.
set -uo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case ${1:-} in
-h | --help)
    print_help
    exit 0
    ;;
'' | -*) die 64 "expected FOLDER as the first argument; see --help" ;;
esac
[ $# -gt 1 ] || die 64 "expected arguments of 'touchstone run' after FOLDER, such as -b cpu"
mkdir -p "$1" || die 64 "$1: cannot create the folder"
folder=$(cd "$1" && pwd)
shift
night=${NIGHT:-$(date -u -d '12 hours ago' +%Y-%m-%d 2>/dev/null || date -u +%Y-%m-%d)}
case $night in */* | .*) die 64 "NIGHT is '$night': expected a file name" ;; esac
attempts=${ATTEMPTS:-5}
case $attempts in '' | *[!0-9]*) die 64 "ATTEMPTS is '$attempts': expected a number" ;; esac
budget=${BUDGET:-}
case $budget in [!0-9]* | *[!0-9.a-z]*) die 64 "BUDGET is '$budget': expected a time such as 20m" ;; esac
touchstone=${TOUCHSTONE:-$(command -v touchstone || true)}
[ -x "$touchstone" ] || die 64 "touchstone is not in the PATH; set TOUCHSTONE to the program"

run=$folder/$night.run
base=$folder/$night
log=$base.log
notes=

note() {
    notes+="${notes:+; }$*"
    printf '==> %s\n' "$*" >>"$log"
}

# ask FILE CODE: prints what the Lua code prints; `r` is the content of the JSON file.
ask() {
    "$touchstone" lua "$TOUCHSTONE_ROOT/scripts/json-check.lua" "$1" "$2 return true" 2>>"$log"
}

state_of() {
    "$touchstone" status "$1" --json >"$base.status" 2>/dev/null
    ask "$base.status" 'print(r.state)' 2>/dev/null || echo none
    rm -f "$base.status"
}

# ---- the run --------------------------------------------------------------------------------------------------------

put_aside() {
    local n=1
    while [ -e "$run.left-$n" ]; do n=$((n + 1)); done
    mv "$run" "$run.left-$n"
    rm -f "$run-wal" "$run-shm"
    note "$(basename "$run") could not be resumed and was renamed to $(basename "$run").left-$n"
}

# Find where the session before ended: in its run or, if runs are deleted, in the history.
add_budget() {
    local one last=
    for one in "$folder"/*.run; do
        [[ $one < $run ]] && session_is_over "$one" && last=$one
    done
    [ -n "$last" ] || [ ! -e "$folder/nights.db" ] || last=$folder/nights.db
    session=(--budget "$budget" ${last:+--since "$last"})
}

session_is_over() {
    local summary=${1%.run}.json
    [ -e "$summary" ] || { summary=$base.summary && "$touchstone" report "$1" --json "$summary" >>"$log" 2>&1; }
    ask "$summary" 'assert(r.coverage and r.coverage.over)' >/dev/null 2>&1
    local over=$?
    rm -f "$base.summary"
    return $over
}

session=()
begin() {
    [ -z "$budget" ] || add_budget
    "$touchstone" run "$@" ${session[@]+"${session[@]}"} -q -o "$run" >>"$log" 2>&1
    status=$?
}

go_on() {
    "$touchstone" resume "$run" -q >>"$log" 2>&1
    status=$?
}

run_the_night() {
    local left=$attempts
    status=0
    if [ -e "$run" ]; then
        [ "$(state_of "$run")" != running ] || die 2 "$run is still running"
        go_on # for a complete run, this only returns its status
        if [ $status = 64 ] || tail -n 1 "$log" | grep -q ': the run is damaged ('; then
            put_aside
            begin "$@"
        fi
    else
        begin "$@"
    fi
    while [ -e "$run" ] && [ "$(state_of "$run")" = interrupted ] && [ "$left" -gt 0 ] && [ -z "$stopped" ]; do
        left=$((left - 1))
        note "the run ended early with status $status and was resumed"
        go_on
    done
}

# ---- reports, comparison, history ---------------------------------------------------------------------------------------------

# Prints the run of the last earlier night that is complete.
last_night() {
    local one last=
    for one in "$folder"/*.run; do
        [[ $one < $run && $(state_of "$one") = complete ]] && last=$one
    done
    printf '%s' "$last"
}

stopped=
trap 'stopped=1' INT TERM
: >>"$log"
if [ -n "${UPDATE:-}" ] && ! bash -c "$UPDATE" >>"$log" 2>&1; then
    note "the update failed"
fi
run_the_night "$@"
if [ ! -e "$run" ]; then
    tail -n 3 "$log" >&2
    die $((status ? status : 3)) "nothing ran; see $log"
fi
broken=
"$touchstone" report "$run" --html "$base.html" --junit "$base.junit.xml" --json "$base.json" >>"$log" 2>&1 ||
    { broken=1 && note "the reports failed"; }

worse=0
before=
compared="no earlier night"
if [ -n "$budget" ]; then
    compared=$(ask "$base.json" 'local c = r.coverage
        if c then
            print(("session %d%s%s, since session %d"):format(c.session,
                c.total > 0 and ("; %.1f %% of %d cases have ever been run"):format(100 * c.ever / c.total, c.total) or "",
                c.endless and ("; %d cases of endless tests have been drawn"):format(c.drawn_ever) or "", c.since))
        end')
else
    before=$(last_night)
fi
if [ -n "$before" ] && [ "$(state_of "$run")" = complete ]; then
    "$touchstone" diff "$before" "$run" >"$base.diff" 2>>"$log"
    worse=$?
    compared="since $(basename "$before" .run): $(tail -n 1 "$base.diff")"
    [ $worse = 1 ] && compared+=", $(grep -cE '^ +[0-9]+ +[^ ]+ -> ' "$base.diff") kinds of change: $base.diff"
    if [ $worse -gt 1 ]; then
        worse=0 broken=1 compared="since $(basename "$before" .run): the comparison failed"
        note "the comparison failed"
    fi
fi

regions="no history: the run is not complete"
if [ "$(state_of "$run")" = complete ]; then
    "$touchstone" history "$folder/nights.db" --add "$run" >"$base.added" 2>&1 ||
        grep -q 'there already' "$base.added" || { broken=1 && note "the history failed"; }
    cat "$base.added" >>"$log"
    rm -f "$base.added"
    "$touchstone" history "$folder/nights.db" --html "$folder/trend.html" >>"$log" 2>&1
    "$touchstone" history "$folder/nights.db" --json >"$base.history" 2>>"$log"
    this=$(ask "$base.json" 'print(r.run.started .. " " .. r.digest)')
    regions=$(ask "$base.history" 'local own, n, first = nil, 0, nil
        local begun = function(s) return s.runs[#s.runs].started end
        for _, s in ipairs(r.series) do -- the series that this run belongs to, else the one with the latest run
            if not own or begun(s) > begun(own) then own = s end
        end
        for _, s in ipairs(r.series) do
            for _, x in ipairs(s.runs) do
                if x.started .. " " .. x.digest == "'"$this"'" then own = s end
            end
        end
        for _, x in ipairs(own.regions) do
            if x.failing then n, first = n + 1, first or x end
        end
        print(n == 0 and "no region fails" or
            ("regions that fail: %d, the first since %s (%d run%s)  %d %s  '\''%s'\''%s"):format(n, first.since, first.runs,
                first.runs == 1 and "" or "s", first.cases, first.verdict, first.query,
                own.begins == 0 and "" or ("; %d cases are new"):format(own.begins)))')
    rm -f "$base.history"
fi

# ---- five lines -----------------------------------------------------------------------------------------------------

ask "$base.json" 'print(r.headline)' | head -n 1 | sed "s/^/$night: /"
ask "$base.json" 'print(("%d of %d cases run, %d failed, %d waived, %s s"):format(r.total.ran, r.total.planned,
    r.total.failed, r.total.verdicts.waived, tostring(r.run.seconds)))'
printf '%s\n' "$compared" "$regions" "$base.html${notes:+ ($notes)}"

[ "$status" = 0 ] || exit "$status"
[ "$worse" = 0 ] || exit 1
[ -z "$broken" ] || exit 3
