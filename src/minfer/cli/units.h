// Quantities as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace minfer::cli {

// "10.46 MiB", from 1024 MiB on "1.02 GiB".
std::string size_text(std::uint64_t bytes);

}  // namespace minfer::cli
