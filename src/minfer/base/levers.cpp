#include "base/levers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <variant>

#include "minfer/error.h"

namespace minfer {
namespace {

constexpr std::string_view kSwitch = "0|1";

struct Lever {
  LeverInfo info;
  std::variant<bool Levers::*, std::string Levers::*> field;
};

constexpr std::array kLevers = {
    Lever{{"MINFER_NO_AVX2", kSwitch, "do not use AVX2 kernels (nor AVX-512 ones)"}, &Levers::no_avx2},
    Lever{{"MINFER_NO_AVX512", kSwitch, "do not use AVX-512 kernels (nor AMX ones)"}, &Levers::no_avx512},
    Lever{{"MINFER_NO_AMX", kSwitch, "do not use AMX tiles"}, &Levers::no_amx},
    Lever{{"MINFER_NO_NEON", kSwitch, "do not use NEON kernels"}, &Levers::no_neon},
    Lever{{"MINFER_CACHE_TYPE", "f32|f16|q8_0", "type of KV cells where no flag says otherwise"},
          &Levers::cache_type},
    Lever{
        {"MINFER_NO_FUSED_Q8_KV", kSwitch, "decode q8_0 KV cells before attention, do not read them packed"},
        &Levers::no_fused_q8_kv},
    Lever{{"MINFER_NO_FUSE_QKV", kSwitch,
           "undo the fusions of the attention input (FusedQKV, QkvBiasRopeStore)"},
          &Levers::no_fuse_qkv},
    Lever{{"MINFER_NO_FUSE_FFN", kSwitch, "undo the fusions of the feed-forward block (SwiGLU, FusedFFN)"},
          &Levers::no_fuse_ffn},
    Lever{{"MINFER_KERNEL", "NAME", "use this kernel candidate wherever it can run"}, &Levers::kernel},
    Lever{{"MINFER_TIMING", kSwitch, "print the time of each phase to stderr at the end"}, &Levers::timing},
    Lever{{"MINFER_OP_TIMING", kSwitch, "print time, bytes and GB/s of each kind of op to stderr at the end"},
          &Levers::op_timing},
    Lever{{"MINFER_TRACE", kSwitch, "print each node's device and kernel as it runs"}, &Levers::trace},
    Lever{{"MINFER_GRAPH_TRACE", kSwitch, "print each node's device and kernel when a graph is built"},
          &Levers::graph_trace},
    Lever{{"MINFER_GRAPH_DUMP", "FILE", "write each graph that is built to FILE (DOT if it ends in .dot)"},
          &Levers::graph_dump},
    Lever{{"MINFER_DISABLE_CUDA", kSwitch, "do not use the CUDA backend"}, &Levers::disable_cuda},
    Lever{{"MINFER_DISABLE_METAL", kSwitch, "do not use the Metal backend"}, &Levers::disable_metal},
    Lever{{"MINFER_NO_CUDA_GRAPH", kSwitch, "launch each kernel, do not record and replay CUDA graphs"},
          &Levers::no_cuda_graph},
    Lever{{"MINFER_NO_PREFILL_CAPTURE", kSwitch, "do not record CUDA graphs of several tokens"},
          &Levers::no_prefill_capture},
    Lever{{"MINFER_NO_PINNED_READBACK", kSwitch, "read results straight into pageable memory"},
          &Levers::no_pinned_readback},
    Lever{{"MINFER_NO_DECODE_A_FUSE", kSwitch, "quantize activations in kernels of their own (CUDA)"},
          &Levers::no_decode_a_fuse},
    Lever{{"MINFER_NO_KQ_MMVQ", kSwitch, "no integer matrix-vector kernels for K-quants (CUDA)"},
          &Levers::no_kq_mmvq},
    Lever{{"MINFER_NO_PREFILL_GEMM", kSwitch, "no tensor-core products for prefill (CUDA)"},
          &Levers::no_prefill_gemm},
    Lever{{"MINFER_NO_REPACK", kSwitch, "weights on the GPU as they are in the file (CUDA)"},
          &Levers::no_repack},
    Lever{{"MINFER_MMQ", kSwitch, "0: prefill on float16 tensor cores, not on int8 ones (CUDA)"},
          &Levers::mmq},
};

constexpr auto kLeverTable = [] {
  std::array<LeverInfo, kLevers.size()> table;
  std::transform(kLevers.begin(), kLevers.end(), table.begin(),
                 [](const Lever& lever) { return lever.info; });
  return table;
}();

// Whether `value` is one of the words that `list` separates by '|'.
bool is_listed(std::string_view value, std::string_view list) {
  for (;;) {
    const auto bar = list.find('|');
    if (list.substr(0, bar) == value) return true;
    if (bar == std::string_view::npos) return false;
    list.remove_prefix(bar + 1);
  }
}

void check_value(const LeverInfo& lever, std::string_view value) {
  const bool closed = lever.values.find('|') != std::string_view::npos;
  if (value.empty() || !closed || is_listed(value, lever.values)) return;
  throw InvalidRequestError(fmt::format("environment variable {} is \"{}\", but must be one of {}",
                                        lever.name, value, lever.values));
}

}  // namespace

Levers read_levers(FunctionRef<const char*(const char*)> get) {
  Levers levers;
  for (const Lever& lever : kLevers) {
    const char* set = get(lever.info.name.data());  // names are literals, hence zero-terminated
    const std::string_view value = set ? set : "";
    if (const auto* flag = std::get_if<bool Levers::*>(&lever.field)) {
      levers.*(*flag) = !value.empty() && value != "0";
    } else {
      check_value(lever.info, value);
      levers.*std::get<std::string Levers::*>(lever.field) = value;
    }
  }
  return levers;
}

const Levers& levers() {
  static const Levers of_process = read_levers([](const char* name) { return std::getenv(name); });
  return of_process;
}

std::vector<std::string> set_levers(const Levers& levers) {
  std::vector<std::string> set;
  for (const Lever& lever : kLevers) {
    if (const auto* flag = std::get_if<bool Levers::*>(&lever.field)) {
      if (levers.*(*flag)) set.push_back(fmt::format("{}=1", lever.info.name));
    } else if (const std::string& text = levers.*std::get<std::string Levers::*>(lever.field);
               !text.empty()) {
      set.push_back(fmt::format("{}={}", lever.info.name, text));
    }
  }
  return set;
}

std::span<const LeverInfo> lever_table() noexcept { return kLeverTable; }

}  // namespace minfer
