#include "cli/output.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "minfer/error.h"

namespace minfer::cli {

void write_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw Error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  flush_output();
}

void flush_output() {
  if (std::fflush(stdout) != 0)
    throw Error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void print_error(std::string_view message) {
  std::string line(message);  // one line, whatever a file name holds
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  fmt::print(stderr, "error: {}\n", line);
}

bool stdout_is_terminal() {
  static const bool result = isatty(STDOUT_FILENO) != 0;
  return result;
}

bool stderr_is_terminal() {
  static const bool result = isatty(STDERR_FILENO) != 0;
  return result;
}

void show_progress(std::string_view text) {
  if (stderr_is_terminal()) fmt::print(stderr, "\r\033[K{}", text);
}

}  // namespace minfer::cli
