// Text that came from a file or a user, made safe for one line of a message or a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace minfer {

// The text with control characters (C0, DEL, C1), backslashes and bytes that are not UTF-8 written as \n, \t, \r,
// \\ or \xNN; longer texts than max_bytes are cut at a character and end in "...".
std::string printable(std::string_view text, std::size_t max_bytes = std::string_view::npos);

// The same for a whole message, parts of which may have gone through printable() already: backslashes stay.
std::string one_line(std::string_view message);

// Bytes of the valid UTF-8 character at the start of text (1..4); 0 where there is none.
std::size_t utf8_length(std::string_view text) noexcept;

}  // namespace minfer
