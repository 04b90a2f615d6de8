// Notes for whoever runs the program ("KV type f16 runs as f32"). The library never prints: messages go to a
// sink that the program sets, and are dropped without being formatted when there is none. Errors are
// exceptions, not messages. All functions may be called from any thread.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <string_view>
#include <utility>

namespace minfer {

enum class LogLevel { kInfo, kWarning };

// Called with one message, without a newline; calls do not overlap. It must not log itself.
using LogSink = std::function<void(LogLevel level, std::string_view message)>;

// Replaces the sink and returns the former one; an empty sink drops everything.
LogSink set_log_sink(LogSink sink);
bool log_enabled() noexcept;
void log_message(LogLevel level, std::string_view message);

template <typename... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args) {
  if (log_enabled()) log_message(LogLevel::kInfo, fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args>
void log_warning(fmt::format_string<Args...> format, Args&&... args) {
  if (log_enabled()) log_message(LogLevel::kWarning, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace minfer
