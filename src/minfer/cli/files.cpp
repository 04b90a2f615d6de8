#include "cli/files.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "minfer/error.h"

namespace minfer::cli {

std::string read_text_file(const std::string& path) {
  std::ifstream file;
  if (path != "-") {
    if (std::filesystem::is_directory(path)) throw InvalidRequestError(fmt::format("{} is a folder", path));
    file.open(path, std::ios::binary);
    if (!file) throw InvalidRequestError(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  }
  std::istream& stream = path == "-" ? std::cin : file;
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw InvalidRequestError(fmt::format("cannot read {}", path));
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

}  // namespace minfer::cli
