#include "backends/cpu/simd/avx512/gemm.h"
#include "backends/cpu/simd/avx512/gemm_k_affine.h"
#include "quant/q4_k.h"

namespace minfer {
namespace {

struct CodesOf {
  using Block = BlockQ4_K;
  static constexpr Codes kCodes = Codes::kUnsigned;
  static constexpr bool kHasMin = true;
  static constexpr int kSubs = 8;

  static void load(const BlockRows& rows, __m512i q[64]) { unpack_k_nibbles(rows, offsetof(Block, qs), q); }
  static void load_scales(const BlockRows& rows, int group, Panel256<8>& panel) {
    unpack_k_scales(rows, group, panel);
  }
};

}  // namespace

const GemmKernel kGemmQ4_KAvx512 = gemm_kernel<Format256<CodesOf>>();

}  // namespace minfer
