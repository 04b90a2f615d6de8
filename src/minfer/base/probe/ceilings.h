// What this machine can do at most, measured: a benchmark quotes its results as shares of it. The probes take a
// fraction of a second and are only worth something on threads that have a CPU of their own.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/cpu_features.h"
#include "base/probe/fma_probe.h"
#include "base/probe/int8_probe.h"
#include "base/thread_pool.h"

namespace minfer {

// Bytes per second at which the workers together read the range once from end to end: the best of three passes, of
// more where they take less than a tenth of a second. Of a file mapping, the first pass also brings the pages in.
double measure_read_rate(std::span<const std::byte> bytes, ThreadPool& pool);

// The best probe for a CPU with these features that this binary has.
const Int8Probe& int8_probe(const CpuFeatures& features);
// Integer operations per second of all workers together (a multiply-add counts as two): the best of 20 short runs.
double measure_int8_rate(const Int8Probe& probe, ThreadPool& pool);

// The same for float32 multiply-adds: what attention and float weights are bound by.
const FmaProbe& fma_probe(const CpuFeatures& features);
double measure_fma_rate(const FmaProbe& probe, ThreadPool& pool);

}  // namespace minfer
