#include "cli/inspect.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "gguf/builder.h"
#include "minfer/error.h"
#include "support/data.h"

namespace minfer::cli {
namespace {

using test::Bytes;
using test::FileBuilder;

std::string inspected(const std::filesystem::path& path, bool json) {
  std::ostringstream out;
  inspect({path, json}, out);
  return out.str();
}

// A file with a bit of everything that the engine itself cannot use.
std::filesystem::path odd_file() {
  FileBuilder file;
  file.string("chat", "line\nbreak \x1b[1m \xff").u32("n", 5).key("eps", test::kF32, Bytes().f32(1e-6f));
  Bytes numbers;
  numbers.u32(test::kI32).u64(20);
  for (std::uint32_t i = 0; i < 20; ++i) numbers.u32(i);
  file.key("numbers", test::kArray, numbers);
  file.key("words", test::kArray, Bytes().u32(test::kString).u64(2).string("a\"b").string("\xe2\x82\xac"));
  file.tensor("blk.0.ffn_up_exps.weight", {256, 3, 2}, 16, 0);  // iq2_xxs, rank 3: 6 blocks of 66 bytes
  file.tensor("q1", {128}, 41, 416);
  const std::vector<std::byte> bytes = file.build(448);
  const std::filesystem::path path = test::scratch_folder() / "odd.gguf";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return path;
}

void expect_contains(const std::string& text, std::initializer_list<std::string_view> parts) {
  for (std::string_view part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in:\n" << text;
}

TEST(Inspect, TextEscapesStringsAndAbbreviatesArrays) {
  const std::string text = inspected(odd_file(), false);
  expect_contains(text, {"GGUF version 3", "\"line\\nbreak \\x1b[1m \\xff\"", "1e-06", "i32[20]",
                         "[0, 1, 2, 3, 4, 5, 6, 7, ...]", "\xe2\x82\xac", "iq2_xxs", "(2, 3, 256)", "396",
                         "q1_0", "2 tensors, 1664 parameters, 414 bytes of data: 1 x iq2_xxs, 1 x q1_0"});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(Inspect, JsonHoldsEverything) {
  const auto json = nlohmann::json::parse(inspected(odd_file(), true));
  EXPECT_EQ(json["version"], 3);
  EXPECT_EQ(json["parameters"], 1664);
  EXPECT_EQ(json["metadata"][0]["value"], "line\nbreak \x1b[1m \xef\xbf\xbd");
  EXPECT_EQ(json["metadata"][1], (nlohmann::json{{"key", "n"}, {"type", "u32"}, {"value", 5}}));
  EXPECT_EQ(json["metadata"][2]["value"], 1e-6);
  EXPECT_EQ(json["metadata"][3]["value"].size(), 20u);
  EXPECT_EQ(json["metadata"][4]["value"], (nlohmann::json{"a\"b", "\xe2\x82\xac"}));
  EXPECT_EQ(json["tensors"][0]["shape"], (nlohmann::json{2, 3, 256}));
  EXPECT_EQ(json["tensors"][1]["bytes"], 18);
}

TEST(Inspect, SmallModel) {
  const std::filesystem::path path = test::test_data("tiny-bytes.gguf");
  expect_contains(inspected(path, false),
                  {"general.architecture", "\"qwen2\"", "token_embd.weight", "15 tensors"});
  const auto json = nlohmann::json::parse(inspected(path, true));
  EXPECT_EQ(json["file_bytes"], std::filesystem::file_size(path));
  EXPECT_EQ(json["tensors"].size(), 15u);
}

TEST(Inspect, InvalidFilesThrow) {
  std::ostringstream out;
  EXPECT_THROW(inspect({test::scratch_folder() / "missing.gguf", false}, out), InvalidRequestError);
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace minfer::cli
