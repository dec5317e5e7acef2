#!/usr/bin/env bash
# Checks and measures a CUDA device: bench/gpu.sh BATT SOLVERS.py CALLS.jsonl FOLDER
#   BATT      the release binary, with `batt data get arc1` done
#   SOLVERS   arc-dsl's programs
#   CALLS     reference calls (crates/batt-dsl/tests/data/arc-dsl.jsonl)
#   FOLDER    where the results go
# Results of device and processor are compared before anything is timed. Counters are read where there is Nsight Compute (ncu).
set -euo pipefail
batt=$1 solvers=$2 calls=$3 out=$4
mkdir -p "$out"
{ date -u +%F; nvidia-smi --query-gpu=name,driver_version --format=csv,noheader; grep -m1 "model name" /proc/cpuinfo; echo "cores: $(nproc)"; "$batt" --version; } > "$out/machine.txt"
{ time "$batt" gpu info --programs "$solvers"; } > "$out/info.txt" 2>&1
"$batt" gpu check --random 30000 --calls "$calls" --tasks arc1:training --programs "$solvers" > "$out/check.txt" 2>&1
"$batt" gpu bench --tasks arc1:training --programs "$solvers" --population 1000 10000 100000 400000 --json "$out/bench.json" > "$out/bench.txt" 2>&1
store=$(mktemp -d)
for device in cpu cuda cuda:0,0 auto; do
    for population in 10000 100000; do
        rm -f "$store"/*
        echo "--device $device --population $population"
        "$batt" evolve --tasks arc1:training --programs "$solvers" --pairing own --population $population --seed 1 --device $device \
            --generations $((population == 10000 ? 40 : 6)) --store "$store/e.store" --json "$store/e.json" 2>&1 > /dev/null | tail -6
        python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print({k: d[k] for k in ('generations', 'evaluations', 'solved', 'total_score', 'kept', 'wall_s')})" "$store/e.json"
    done
done > "$out/evolve.txt" 2>&1
rm -rf "$store"
if command -v ncu > /dev/null; then
    for kernel in judge_programs judge_straight; do
        ncu --clock-control none --kernel-name $kernel --launch-skip 1 --launch-count 1 --section SpeedOfLight --section Occupancy --section WarpStateStats \
            --section InstructionStats --section MemoryWorkloadAnalysis "$batt" gpu bench --tasks arc1:training --programs "$solvers" \
            --population 400000 --straight 2000000 --no-operations --device-only --repeat 1 2>&1 \
            | grep -E "judge_|Duration|Executed Instr|Cycles Per|stalled|Throughput|Hit Rate|Active Warps|Registers" | grep -v PROF || true
    done > "$out/ncu.txt"
fi
