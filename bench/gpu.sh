#!/usr/bin/env bash
# Checks and measures a CUDA device: bench/gpu.sh BATT SOLVERS.py CALLS.jsonl FOLDER
#   BATT      the release binary, built with `--features gpu`, with `batt data get arc1` done
#   SOLVERS   arc-dsl's programs
#   CALLS     reference calls (crates/batt-dsl/tests/data/arc-dsl.jsonl)
#   FOLDER    where the results go
# Results of device and processor are compared before anything is timed. Counters are read where there is Nsight Compute (ncu).
set -euo pipefail
batt=$1 solvers=$2 calls=$3 out=$4
mkdir -p "$out"
{ date -u +%F; nvidia-smi --query-gpu=name,driver_version --format=csv,noheader; grep -m1 "model name" /proc/cpuinfo; echo "cores: $(nproc)"; "$batt" --version; } > "$out/machine.txt"
{ time "$batt" gpu info --programs "$solvers"; } > "$out/info.txt" 2>&1
"$batt" gpu check --random 10000 --calls "$calls" --tasks arc1:training --programs "$solvers" > "$out/check.txt" 2>&1
"$batt" gpu bench --tasks arc1:training --programs "$solvers" --population 1000 10000 100000 400000 --json "$out/bench.json" > "$out/bench.txt" 2>&1
store=$(mktemp -d)
evolve() {
    rm -f "$store"/*
    echo "--device $1 --population $2 --generations $3"
    "$batt" evolve --tasks arc1:training --programs "$solvers" --pairing own --population "$2" --seed 1 --device "$1" \
        --generations "$3" --store "$store/e.store" --json "$store/e.json" 2>&1 > /dev/null | tail -6
    python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print({k: d[k] for k in ('generations', 'evaluations', 'fits', 'solved', 'total_score', 'kept', 'wall_s')})" "$store/e.json"
}
for device in cpu cuda cuda:0,0; do evolve $device 10000 40; done > "$out/evolve.txt" 2>&1
counters() {
    ncu --clock-control none --kernel-name "$1" --launch-skip "$2" --launch-count 1 --section SpeedOfLight --section Occupancy --section WarpStateStats \
        --section InstructionStats --section MemoryWorkloadAnalysis \
        --metrics sm__icc_requests.sum,sm__icc_requests_lookup_miss.sum "$batt" gpu bench --tasks arc1:training --programs "$solvers" \
        --population 400000 --grid-pipelines 2000000 --device-only --repeat 1 2>&1 \
        | grep -E "run_nodes|score_|Duration|Executed Instr|Cycles Per|stalled|Throughput|Hit Rate|Active Warps|Registers|icc" | grep -v PROF || true
}
if command -v ncu > /dev/null; then
    { counters run_nodes 0; counters score_grid_pipelines 1; } > "$out/ncu.txt"
fi
for device in cpu cuda; do evolve $device 100000 6; done >> "$out/evolve.txt" 2>&1
rm -rf "$store"
