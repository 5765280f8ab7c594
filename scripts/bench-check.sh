#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench-check.sh [TOUCHSTONE] [COUNT]
#
# Measures how many descriptors per second `touchstone check` reads and judges, also from hostile files. TOUCHSTONE is
# the program, a Release build; COUNT is the number of descriptors (default 200000), of which half are invalid.
set -euo pipefail

touchstone=${1:-build/bin/touchstone}
count=${2:-200000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

awk -v count="$count" 'BEGIN {
    print "{ \"resources\": {}, \"commands\": [], \"dispatchables\": {"
    for (i = 0; i < count; ++i) {
        printf "\"slice%d\":{\"type\":\"DML_OPERATOR_SLICE1\",\"desc\":{", i
        printf "\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,1,4,4]},"
        printf "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,1,2,2]},"
        printf "\"InputWindowOffsets\":[0,0,0,%d],\"InputWindowSizes\":[1,1,4,3],", 1 + i % 2
        printf "\"InputWindowStrides\":[1,1,-2,2]}}%s\n", i + 1 < count ? "," : ""
    }
    print "} }"
}' >"$folder/model.json"
echo "$count descriptors, $(wc -c <"$folder/model.json") bytes"

# Prints the processor seconds of a command, which other programs affect less than the elapsed time.
measure() {
    local label=$1 status=0 seconds
    shift
    seconds=$({ TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>&3 || status=$?; [ "$status" -le 1 ]; } 3>&2 2>&1) || {
        echo "$label: failed" >&2
        exit 1
    }
    awk -v label="$label" -v count="$count" -v times="$seconds" 'BEGIN {
        split(times, part, " ")
        time = part[1] + part[2]
        printf "%-36s %6.2f s of one core  %9.0f descriptors/s\n", label, time, count / time
    }'
}

measure "check -q" "$touchstone" check -q "$folder/model.json"
measure "check --feature-level 4_1 --json" "$touchstone" check --feature-level 4_1 --json "$folder/model.json"
measure "check --json, at all levels" "$touchstone" check --json "$folder/model.json"
measure "check --sarif" "$touchstone" check --sarif "$folder/model.json"

# A CONVOLUTION with a fused activation, of which half are invalid; fewer, as `check` reads 64 MiB at most.
count=$((count / 4))
awk -v count="$count" 'BEGIN {
    print "{ \"dispatchables\": {"
    for (i = 0; i < count; ++i) {
        printf "\"conv%d\":{\"type\":\"DML_OPERATOR_CONVOLUTION\",\"desc\":{", i
        printf "\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,2,4,4]},"
        printf "\"FilterTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[3,2,2,2]},"
        printf "\"BiasTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,3,1,1]},"
        printf "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,3,3,%d]},", 3 + i % 2
        printf "\"Mode\":\"CROSS_CORRELATION\",\"Direction\":\"FORWARD\",\"DimensionCount\":2,\"Strides\":[1,1],"
        printf "\"Dilations\":[1,1],\"StartPadding\":[0,0],\"EndPadding\":[0,0],\"OutputPadding\":[0,0],"
        printf "\"GroupCount\":1,\"FusedActivation\":{\"Type\":\"ACTIVATION_ELU\",\"Alpha\":0.5}}}%s\n",
               i + 1 < count ? "," : ""
    }
    print "} }"
}' >"$folder/convolution.json"
measure "check -q, CONVOLUTION" "$touchstone" check -q "$folder/convolution.json"
measure "check --json, CONVOLUTION" "$touchstone" check --feature-level 4_1 --json "$folder/convolution.json"

# 1 GB of open brackets must be refused.
if [ -x /usr/bin/time ]; then
    (yes '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[' | head -c 1000000000 |
        /usr/bin/time -f 'peak %M KiB, %e s' "$touchstone" check - || true) 2>&1 | sed 's/^/1 GB hostile: /'
fi
