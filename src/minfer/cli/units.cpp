#include "cli/units.h"

#include <fmt/core.h>

namespace minfer::cli {

std::string size_text(std::uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 1024 ? fmt::format("{:.2f} MiB", mib) : fmt::format("{:.2f} GiB", mib / 1024);
}

}  // namespace minfer::cli
