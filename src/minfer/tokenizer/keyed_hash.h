// Hashes for the tokenizer's tables, keyed anew in each process: a file cannot be made to collide.
#pragma once

#include <cstdint>
#include <string_view>

namespace minfer {

uint64_t keyed_hash(uint64_t value);
uint64_t keyed_hash(std::string_view text);

}  // namespace minfer
