#!/usr/bin/env bash
# A search on several machines without a scheduler: one shard each, then one store.
#   examples/shards.sh STORE N [OPTIONS OF batt search]
# Here the shards run beside each other on this machine. On others, run the line of the loop there (`ssh HOST batt search ... --shard I/N`) and
# copy the stores back. Killed, it goes on when it is started again: shards have --resume, and merging again changes nothing.
set -euo pipefail
store=$1
shards=$2
shift 2
pids=()
for ((shard = 1; shard <= shards; shard++)); do
    batt search "$@" --shard "$shard/$shards" --store "$store.$shard" --resume --threads 1 &
    pids+=($!)
done
for pid in "${pids[@]}"; do
    wait "$pid"
done
batt lib merge "$store" "$store".*[0-9]
