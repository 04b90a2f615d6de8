#include "gguf/expect_refused.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "gguf/reader.h"
#include "minfer/error.h"
#include "support/limits.h"

namespace minfer::test {

void expect_refused(std::span<const std::byte> file, std::initializer_list<std::string_view> texts) {
  const auto start = std::chrono::steady_clock::now();
  std::string message;
  try {
    gguf::Reader::parse(file, "hostile.gguf");
    ADD_FAILURE() << "the file was accepted";
    return;
  } catch (const InvalidFileError& error) {
    message = error.what();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(kLimitFactor)) << message;
  EXPECT_TRUE(message.starts_with("hostile.gguf: ")) << message;
  EXPECT_NE(message.find(": offset "), std::string::npos) << message;
  EXPECT_TRUE(std::none_of(message.begin(), message.end(), [](char c) { return c >= 0 && c < ' '; }))
      << message;
  for (std::string_view text : texts)
    EXPECT_NE(message.find(text), std::string::npos) << "no '" << text << "' in: " << message;
}

}  // namespace minfer::test
