#pragma once

#include <string_view>
#include <vector>

#include "minfer/model.h"

namespace minfer::cli {

// "1,17,300" -> ids. Throws UsageError naming the part that is no token id.
std::vector<TokenId> parse_token_list(std::string_view text);

}  // namespace minfer::cli
