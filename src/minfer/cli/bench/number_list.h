#pragma once

#include <string_view>
#include <vector>

namespace minfer::cli {

// Numbers as llama-bench takes them: "1,2,4", ranges "1-8" and "1-8+2", and geometric ones "1-64*2" (1, 2, 4 … 64).
// Throws UsageError naming the part that is none, or the number that is not in [min, max].
std::vector<int> parse_number_list(std::string_view text, int min, int max);

}  // namespace minfer::cli
