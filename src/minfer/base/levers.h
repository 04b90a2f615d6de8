// Developer levers: environment variables that switch parts of the engine for A/B runs and diagnosis. This is
// the one place that reads the environment; `minfer --levers` prints the table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"

namespace minfer {

struct Levers {
  bool no_avx2 = false;  // MINFER_NO_AVX2, and so on: a field has its variable's name
  bool no_avx512 = false;
  bool no_amx = false;
  bool no_neon = false;
  std::string cache_type;  // f32, f16 or q8_0; empty when not set
  bool no_fused_q8_kv = false;
  bool no_fuse_qkv = false;
  bool no_fuse_ffn = false;
  std::string kernel;  // name of a kernel candidate; empty when not set
  bool timing = false;
  bool op_timing = false;
  bool trace = false;
  bool graph_trace = false;
  std::string graph_dump;  // path of the file to write; empty when not set
  bool disable_cuda = false;
  bool disable_metal = false;
  bool no_cuda_graph = false;
  bool no_prefill_capture = false;
  bool no_pinned_readback = false;
  bool no_decode_a_fuse = false;
  bool no_kq_mmvq = false;
  bool no_prefill_gemm = false;
  bool no_repack = false;
  std::string mmq;  // "0" or "1"; empty when not set
};

struct LeverInfo {
  std::string_view name;     // "MINFER_NO_AVX2"
  std::string_view values;   // "0|1", "f32|f16|q8_0", "NAME"
  std::string_view meaning;  // one line
};

// Reads every lever through `get`, which answers like std::getenv. A switch (values "0|1") is on when it is
// set to anything but "" or "0". Throws InvalidRequestError naming a variable whose value is not one of its
// list.
Levers read_levers(FunctionRef<const char*(const char* name)> get);
// Of this process's environment, read at the first call. Throws as read_levers does.
const Levers& levers();
// Those that differ from their default, "MINFER_NO_AVX2=1", in the order of the struct.
std::vector<std::string> set_levers(const Levers& levers);
// All levers, in the order of the struct.
std::span<const LeverInfo> lever_table() noexcept;

}  // namespace minfer
