// Unicode normalization form C, which the Qwen tokenizers apply to text first.
#pragma once

#include <string>
#include <string_view>

namespace minfer {

// `text` is valid UTF-8. Runs in O(n log n) for any input, long runs of combining marks included.
std::string to_nfc(std::string_view text);

}  // namespace minfer
