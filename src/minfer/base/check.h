// MINFER_CHECK(condition, format, args...): throws InternalError when an invariant of ours is broken, in
// every build. For anything that a file, a user or a device can cause, throw the fitting class of
// minfer/error.h.
#pragma once

#include <fmt/core.h>

#include "minfer/error.h"

namespace minfer {

[[noreturn]] void throw_check_failure(const char* file, int line, const char* condition,
                                      const std::string& details);

}  // namespace minfer

#define MINFER_CHECK(condition, ...)                                                                \
  do {                                                                                              \
    if (!(condition)) [[unlikely]]                                                                  \
      ::minfer::throw_check_failure(__FILE__, __LINE__, #condition, ::fmt::format("" __VA_ARGS__)); \
  } while (false)
