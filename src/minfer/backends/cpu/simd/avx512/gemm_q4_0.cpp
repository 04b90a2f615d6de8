#include "backends/cpu/simd/avx512/gemm.h"
#include "backends/cpu/simd/avx512/gemm_blocks32.h"
#include "quant/q4_0.h"

namespace minfer {
namespace {

struct CodesOf {
  using Block = BlockQ4_0;
  static constexpr Codes kCodes = Codes::kSigned;
  static constexpr bool kHasMin = false;

  static void load(const BlockRows& rows, const __m512i*, __m512i q[8]) {
    unpack_nibbles(rows, offsetof(Block, qs), q);
    subtract(q, 8, 8);
  }
};

}  // namespace

const GemmKernel kGemmQ4_0Avx512 = gemm_kernel<Format32<CodesOf>>();

}  // namespace minfer
