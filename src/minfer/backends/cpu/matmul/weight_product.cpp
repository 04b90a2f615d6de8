#include "backends/cpu/matmul/weight_product.h"

#include <algorithm>

#include "backends/cpu/matmul/gemm_lookup.h"
#include "backends/cpu/matmul/kernel_lookup.h"

namespace minfer {
namespace {

// From how many tokens on unpacking a panel of weights pays (docs/performance.md).
constexpr std::int64_t kManyTokens = 16;

WeightProduct make_product(const TensorView& weight, const CpuKernels& kernels, TokenCount tokens) {
  WeightProduct product;
  if (tokens == TokenCount::kMany) {
    product.gemm = find_gemm_kernel(*kernels.gemm, weight.desc.dtype);
  } else {
    product.kernel = find_matmul_kernel(*kernels.matmul, weight.desc.dtype);
  }
  product.weights = reinterpret_cast<const std::uint8_t*>(weight.data);
  product.k = weight.desc.shape.cols();
  product.n_rows = weight.desc.shape.rows();
  product.row_stride = row_bytes(weight.desc.dtype, product.k);
  return product;
}

// "q4_0", "q4_K q4_K q6_K".
std::string weight_types(const PlanContext& context) {
  std::string names;
  const DType first = context.weights[0].desc.dtype;
  const bool same = std::all_of(context.weights.begin(), context.weights.end(),
                                [&](const TensorView& weight) { return weight.desc.dtype == first; });
  for (std::size_t i = 0; i < (same ? 1 : context.weights.size()); ++i) {
    if (i != 0) names += ' ';
    names += dtype_name(context.weights[i].desc.dtype);
  }
  return names;
}

}  // namespace

std::string refuse_products(const PlanContext& context) {
  DType wanted = DType::kF32;
  for (std::size_t i = 0; i < context.weights.size(); ++i) {
    const QuantTraits* traits = find_quant_traits(context.weights[i].desc.dtype);
    const std::string& name = context.spec.weights[i].name;
    if (!traits || !find_matmul_kernel(*context.kernels.matmul, traits->type))
      return fmt::format("weight {} has type {}", name, dtype_name(context.weights[i].desc.dtype));
    if (i != 0 && traits->activation != wanted)
      return fmt::format("weight {} of type {} reads another type of activations than {}", name,
                         dtype_name(traits->type), context.spec.weights[0].name);
    wanted = traits->activation;
  }
  const DType given = context.input(0).dtype;
  if (given != wanted && given != DType::kF32)
    return fmt::format("activations of type {} where the weights read {}", dtype_name(given),
                       dtype_name(wanted));
  return {};
}

std::string refuse_gemm(const PlanContext& context) {
  if (!context.kernels.gemm) return fmt::format("{} has no gemm kernels", isa_name(context.isa));
  for (const TensorView& weight : context.weights)
    if (!find_gemm_kernel(*context.kernels.gemm, weight.desc.dtype))
      return fmt::format("no gemm kernel for {}", dtype_name(weight.desc.dtype));
  return refuse_products(context);
}

bool gemm_pays(const PlanContext& context) { return context.input(0).shape.rows() >= kManyTokens; }

DType product_input_type(const PlanContext& context) {
  return quant_traits(context.weights[0].desc.dtype).activation;
}

const WeightProducts& plan_products(std::string_view name, const PlanContext& context, TokenCount tokens,
                                    Plan& plan) {
  auto products = std::make_shared<WeightProducts>();
  for (const TensorView& weight : context.weights)
    products->push_back(make_product(weight, context.kernels, tokens));
  plan.input_type = product_input_type(context);
  const char* table = tokens == TokenCount::kMany ? context.kernels.gemm->name : context.kernels.matmul->name;
  plan.kernel = fmt::format("{} {} {}", name, weight_types(context), table);
  for (const WeightProduct& product : *products)
    plan.flops += 2 * static_cast<std::uint64_t>(product.k * product.n_rows * context.input(0).shape.rows());
  plan.state = products;
  return *products;
}

std::size_t product_scratch_bytes(const WeightProducts& products) {
  std::size_t bytes = 0;
  for (const WeightProduct& product : products) {
    if (!product.gemm) continue;
    bytes = std::max(bytes, (gemm_scratch_bytes(*product.gemm, product.k) + 63) / 64 * 64);
  }
  return bytes;
}

void multiply_rows(const WeightProduct& product, Range rows, const ActivationRows& x, float* out,
                   std::size_t out_stride, std::byte* scratch) {
  MatMulRows m;
  m.weights = product.weights + static_cast<std::size_t>(rows.begin) * product.row_stride;
  m.row_stride = product.row_stride;
  m.k = product.k;
  m.n_rows = rows.end - rows.begin;
  m.x = x.data;
  m.x_stride = x.stride;
  m.n_tokens = x.n_tokens;
  m.out = out;
  m.out_stride = out_stride;
  if (product.gemm) {
    product.gemm->run(m, scratch);
  } else {
    product.kernel(m);
  }
}

ActivationRows activation_rows(const Launch& launch) {
  const TensorDesc& desc = launch.input_descs[0];
  const DType wanted = quant_traits(launch.weights[0].desc.dtype).activation;
  MINFER_CHECK(desc.dtype == wanted, "{}: activations of type {}, not {}", launch.node.label,
               dtype_name(desc.dtype), dtype_name(wanted));
  return {launch.input<const std::uint8_t>(0), row_bytes(desc.dtype, desc.shape.cols()), desc.shape.rows()};
}

std::int64_t row_cost_bytes(const WeightProduct& product, std::int64_t n_tokens) {
  constexpr std::int64_t kMacsPerByte = 4;  // a core multiplies about four values in the time it reads a byte
  return static_cast<std::int64_t>(product.row_stride) + product.k * n_tokens / kMacsPerByte;
}

}  // namespace minfer
