// Text that a user names by a path.
#pragma once

#include <string>

namespace minfer::cli {

// The whole of a file, or of standard input for "-", without a UTF-8 byte order mark. Throws InvalidRequestError
// where it cannot be read.
std::string read_text_file(const std::string& path);

}  // namespace minfer::cli
