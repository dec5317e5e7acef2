// Numbers, truth values and containers by single lanes.
#pragma once
#include "lanes.cuh"

LANE(identity) { return a; }

LANE(equality) { return lane_equal(a, b); }

LANE(size) { return is_container(a) ? integer(count(a)) : undefined(); }
