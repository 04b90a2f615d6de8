#include "base/log.h"

#include <atomic>
#include <mutex>

namespace minfer {
namespace {

std::atomic<bool> has_sink{false};
std::mutex sink_mutex;

LogSink& current_sink() {
  static LogSink sink;
  return sink;
}

}  // namespace

LogSink set_log_sink(LogSink sink) {
  const std::lock_guard lock(sink_mutex);
  has_sink.store(static_cast<bool>(sink), std::memory_order_relaxed);
  return std::exchange(current_sink(), std::move(sink));
}

bool log_enabled() noexcept { return has_sink.load(std::memory_order_relaxed); }

void log_message(LogLevel level, std::string_view message) {
  const std::lock_guard lock(sink_mutex);
  if (current_sink()) current_sink()(level, message);
}

}  // namespace minfer
