// "name     value" lines, the values below one another.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace minfer::cli {

inline std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

template <typename Strings>
std::string joined(const Strings& strings, std::string_view between) {
  std::string text;
  for (const std::string& string : strings) text += (text.empty() ? "" : std::string(between)) + string;
  return text;
}

class Lines {
 public:
  void add(std::string_view name, std::string_view value) {
    text_ += padded(std::string(name), 18) + std::string(value) + "\n";
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace minfer::cli
