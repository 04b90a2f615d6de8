#include "graph/fuse/rule_list.h"

#include <array>

#include "graph/fuse/fused_ffn.h"
#include "graph/fuse/fused_qkv.h"
#include "graph/fuse/matmul_add.h"
#include "graph/fuse/quantize_epilogue.h"
#include "graph/fuse/swiglu.h"

namespace minfer {
namespace {

constexpr std::array kRules = {
    kSwigluRule,
    kFusedFfnRule,  // after swiglu: its pattern ends in one
    kFusedQkvRule,         kMatmulAddRule,
    kQuantizeEpilogueRule,  // last, when the producers have their final form
};

}  // namespace

std::span<const FuseRule> fuse_rules() { return kRules; }

}  // namespace minfer
