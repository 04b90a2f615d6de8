#include "models/tensor_table.h"

#include <fmt/core.h>

#include "base/printable.h"
#include "quant/traits.h"

namespace minfer {
namespace {

constexpr WeightUses uses(WeightUse use) { return static_cast<WeightUses>(use); }

}  // namespace

void TensorTable::reject(const std::string& name, const std::string& problem) const {
  throw InvalidFileError(fmt::format("{}: tensor {}: {}", file_.file_name(), printable(name), problem));
}

const gguf::TensorInfo& TensorTable::find(const std::string& name) const {
  const gguf::TensorInfo* info = file_.find_tensor(name);
  if (!info) reject(name, "is missing");
  return *info;
}

WeightRef TensorTable::declare(const gguf::TensorInfo& info, WeightUses weight_uses) {
  const std::string name(info.name);
  if (!info.dtype || !find_quant_traits(*info.dtype))
    throw UnsupportedError(
        fmt::format("{}: tensor {}: type {} cannot be run; requantize the model to one of the "
                    "types that docs/support-matrix.md lists",
                    file_.file_name(), name, info.dtype ? std::string(dtype_name(*info.dtype)) : "unknown"));
  const WeightRef ref{name, TensorDesc{*info.dtype, info.shape}};
  if (used_.insert(name).second) weights_.push_back({ref, file_.view(info), weight_uses});
  return ref;
}

WeightRef TensorTable::matrix(const std::string& name, std::int64_t n_out, std::int64_t n_in) {
  const gguf::TensorInfo& info = find(name);
  const Shape expected{n_in, n_out};
  if (info.shape.dim != expected.dim)
    reject(name, fmt::format("has shape {}, not {}", to_string(info.shape), to_string(expected)));
  return declare(info, uses(WeightUse::kMatMul));
}

WeightRef TensorTable::embedding(const std::string& name, std::int64_t n_embd, bool also_matmul) {
  const gguf::TensorInfo& info = find(name);
  if (info.shape.cols() != n_embd || info.shape.rank > 2 || info.shape.rows() > INT32_MAX)
    reject(name, fmt::format("has shape {}, not (vocabulary, {})", to_string(info.shape), n_embd));
  return declare(info, uses(WeightUse::kGetRows) | (also_matmul ? uses(WeightUse::kMatMul) : 0));
}

WeightRef TensorTable::vector(const std::string& name, std::int64_t n) {
  const gguf::TensorInfo& info = find(name);
  if (info.shape.dim != Shape{n}.dim)
    reject(name, fmt::format("has shape {}, not ({})", to_string(info.shape), n));
  if (info.dtype != DType::kF32)
    reject(name, fmt::format("has type {}; norm weights, biases and rope factors must be f32",
                             info.dtype ? std::string(dtype_name(*info.dtype)) : "unknown"));
  return declare(info, uses(WeightUse::kVector));
}

std::optional<WeightRef> TensorTable::find_vector(const std::string& name, std::int64_t n) {
  if (!has(name)) return std::nullopt;
  return vector(name, n);
}

void TensorTable::check_all_used() const {
  for (const gguf::TensorInfo& info : file_.tensors())
    if (!used_.contains(std::string(info.name)))
      reject(std::string(info.name), "is not part of this architecture, so the file would run wrongly");
}

}  // namespace minfer
