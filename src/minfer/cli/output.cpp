#include "cli/output.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "base/printable.h"
#include "minfer/error.h"

namespace minfer::cli {
namespace {

void print_line(std::string_view prefix, std::string_view message) noexcept {
  try {
    print_diagnostics(fmt::format("{}{}\n", prefix, one_line(message)));
  } catch (const std::bad_alloc&) {
    print_diagnostics("error: out of memory\n");
  }
}

}  // namespace

void reserve_standard_streams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // Open the wrong way round, so that reading or writing fails as on a closed one. It gets the lowest free number.
    ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void write_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw Error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  flush_output();
}

void flush_output() {
  if (std::fflush(stdout) != 0)
    throw Error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void print_diagnostics(std::string_view text) noexcept {
  [[maybe_unused]] const std::size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
}

void print_error(std::string_view message) noexcept { print_line("error: ", message); }
void print_warning(std::string_view message) noexcept { print_line("warning: ", message); }

void print_note(std::string_view message) noexcept {
  for (;;) {
    const std::size_t end = message.find('\n');
    print_line("", message.substr(0, end));
    if (end == std::string_view::npos) return;
    message.remove_prefix(end + 1);
  }
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
  if (stderr_is_terminal()) print_diagnostics(fmt::format("\r\033[K{}", text));
}

}  // namespace minfer::cli
