// Generated: `UPDATE_EXPECT=1 cargo test -p batt-gpu` writes it.
#pragma once
#define GRID_STEPS(STEP) STEP(bottomhalf) STEP(cmirror) STEP(dmirror) STEP(hmirror) STEP(identity) STEP(lefthalf) STEP(replace) STEP(righthalf) STEP(rot180) STEP(rot270) STEP(rot90) STEP(switch) STEP(tophalf) STEP(trim) STEP(vmirror)
