#include "base/log.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace minfer {
namespace {

class LogTest : public testing::Test {
 protected:
  ~LogTest() override { set_log_sink(nullptr); }
};

TEST_F(LogTest, MessagesReachTheSinkFormatted) {
  std::vector<std::string> seen;
  set_log_sink([&](LogLevel level, std::string_view text) {
    seen.push_back((level == LogLevel::kWarning ? "W " : "I ") + std::string(text));
  });
  log_info("{} of {}", 1, 2);
  log_warning("KV type {} runs as f32", "f16");
  EXPECT_EQ(seen, (std::vector<std::string>{"I 1 of 2", "W KV type f16 runs as f32"}));
}

TEST_F(LogTest, WithoutASinkNothingHappens) {
  EXPECT_FALSE(log_enabled());
  log_warning("nobody listens");
  bool called = false;
  set_log_sink([&](LogLevel, std::string_view) { called = true; });
  const LogSink former = set_log_sink(nullptr);
  log_warning("nobody listens");
  EXPECT_FALSE(called);
  ASSERT_TRUE(former);
  former(LogLevel::kInfo, "");
  EXPECT_TRUE(called) << "the former sink is what was set";
}

TEST_F(LogTest, CallsFromSeveralThreadsDoNotOverlap) {
  int messages = 0;  // plain on purpose
  set_log_sink([&](LogLevel, std::string_view) { ++messages; });
  std::thread other([] {
    for (int i = 0; i < 1000; ++i) log_info("other");
  });
  for (int i = 0; i < 1000; ++i) log_info("this");
  other.join();
  EXPECT_EQ(messages, 2000);
}

}  // namespace
}  // namespace minfer
