// Names for people: what a model file is made of, in the words that benchmarks of GGUF models use.
#pragma once

#include <cstdint>
#include <string>

#include "gguf/reader.h"

namespace minfer {

// "Q4_K - Medium", from general.file_type; where that is missing or unknown, the commonest type of the tensors.
std::string file_type_name(const gguf::Reader& file);
// 17800000 -> "17.80 M", 7615616512 -> "7.62 B".
std::string parameter_count_text(std::uint64_t n);

}  // namespace minfer
