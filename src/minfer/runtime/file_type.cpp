#include "runtime/file_type.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

#include "gguf/metadata.h"

namespace minfer {
namespace {

// The values of general.file_type that the GGUF specification lists and that models are still made in.
constexpr auto kFileTypes = std::to_array<std::pair<std::uint32_t, const char*>>({
    {0, "all F32"},
    {1, "F16"},
    {2, "Q4_0"},
    {3, "Q4_1"},
    {7, "Q8_0"},
    {8, "Q5_0"},
    {9, "Q5_1"},
    {10, "Q2_K - Medium"},
    {11, "Q3_K - Small"},
    {12, "Q3_K - Medium"},
    {13, "Q3_K - Large"},
    {14, "Q4_K - Small"},
    {15, "Q4_K - Medium"},
    {16, "Q5_K - Small"},
    {17, "Q5_K - Medium"},
    {18, "Q6_K"},
    {25, "IQ4_NL - 4.5 bpw"},
    {30, "IQ4_XS - 4.25 bpw"},
    {32, "BF16"},
});

std::string commonest_type(const gguf::Reader& file) {
  std::map<std::uint32_t, std::uint64_t> bytes;
  for (const gguf::TensorInfo& tensor : file.tensors()) bytes[tensor.gguf_type] += tensor.bytes;
  if (bytes.empty()) return "no tensors";
  const auto most = std::max_element(bytes.begin(), bytes.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  std::string name(dtype_name(static_cast<DType>(most->first)));
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

}  // namespace

std::string file_type_name(const gguf::Reader& file) {
  if (const auto type = gguf::find_u32(file, "general.file_type", 0, UINT32_MAX))
    for (const auto& [id, name] : kFileTypes)
      if (id == *type) return name;
  return commonest_type(file);
}

std::string parameter_count_text(std::uint64_t n) {
  const auto count = static_cast<double>(n);
  if (count >= 1e9) return fmt::format("{:.2f} B", count * 1e-9);
  return fmt::format("{:.2f} M", count * 1e-6);
}

}  // namespace minfer
