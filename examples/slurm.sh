#!/usr/bin/env bash
# A search in an array job of Slurm: each element has a shard and a store of its own, and a last job merges the stores.
#   sbatch --array=1-64 examples/slurm.sh challenges.json found      the shards
#   sbatch --dependency=afterok:JOB examples/slurm.sh --merge found  then one store: found/all.store
# An element that is killed or requeued goes on where it was: its store has what it found.
#SBATCH --job-name=batt
#SBATCH --cpus-per-task=4
#SBATCH --time=08:00:00
#SBATCH --requeue
set -euo pipefail
tasks=$1
folder=$2
if [ "$tasks" = --merge ]; then
    exec batt lib merge "$folder/all.store" "$folder"/shard-*.store
fi
mkdir -p "$folder"
exec batt search --tasks "$tasks" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --threads "$SLURM_CPUS_PER_TASK" \
    --time-per-task "${TIME_PER_TASK:-60s}" --store "$folder/shard-$SLURM_ARRAY_TASK_ID.store" --resume
