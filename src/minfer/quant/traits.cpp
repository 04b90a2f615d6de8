#include "quant/traits.h"

#include <fmt/core.h>

#include "minfer/error.h"
#include "quant/quant_list.h"

namespace minfer {
namespace {

#define MINFER_TRAITS_ADDRESS(name) &k##name##Traits,
constexpr const QuantTraits* kAllTraits[] = {MINFER_QUANT_LIST(MINFER_TRAITS_ADDRESS)};
#undef MINFER_TRAITS_ADDRESS

}  // namespace

const QuantTraits* find_quant_traits(DType type) noexcept {
  for (const QuantTraits* traits : kAllTraits)
    if (traits->type == type) return traits;
  return nullptr;
}

const QuantTraits& quant_traits(DType type) {
  const QuantTraits* traits = find_quant_traits(type);
  if (!traits)
    throw UnsupportedError(fmt::format("cannot compute with weights of type {} (id {})", dtype_name(type),
                                       static_cast<std::uint32_t>(type)));
  return *traits;
}

std::span<const QuantTraits* const> all_quant_traits() noexcept { return kAllTraits; }

}  // namespace minfer
