// The part of the parser that deals with tensor descriptions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gguf/cursor.h"
#include "gguf/reader.h"

namespace minfer::gguf {

// Reads count tensor descriptions; their offsets are still relative to the start of the data, and checked
// only for alignment. Throws InvalidFileError.
std::vector<TensorInfo> parse_tensor_infos(Cursor& cursor, std::uint64_t count, std::uint64_t alignment);

// Makes the offsets relative to the file and checks that each tensor's data lies inside the file and that no
// two share a byte. Throws InvalidFileError.
void place_tensors(std::vector<TensorInfo>& tensors, std::uint64_t data_offset, std::uint64_t file_bytes,
                   std::string_view file_name);

}  // namespace minfer::gguf
