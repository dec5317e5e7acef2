#pragma once
#include "ops.cuh"
