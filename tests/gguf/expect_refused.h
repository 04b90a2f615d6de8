// What every refusal of a file must be.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>

namespace minfer::test {

// Expects that the reader refuses these bytes with InvalidFileError, in under a second, in one printable line that
// starts with the file's name, has "offset N", and contains every one of the texts.
void expect_refused(std::span<const std::byte> file, std::initializer_list<std::string_view> texts);

}  // namespace minfer::test
