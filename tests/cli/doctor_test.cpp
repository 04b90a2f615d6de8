#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/doctor/model.h"
#include "cli/program.h"
#include "support/data.h"

namespace minfer::cli {
namespace {

using test::ProgramRun;
using test::run_program;

const std::string kModel = test::model_file("minfer-demo-q4_k_m.gguf").string();

ModelReport report_of(std::uint64_t weights, std::uint64_t activations, std::uint64_t position) {
  ModelReport report;
  report.info.tensor_bytes = weights;
  report.activation_bytes = activations;
  report.kv_bytes_per_position = position;
  report.n_ctx = 100;
  return report;
}

TEST(DoctorMemory, CountsWholePagesOfCells) {
  const ModelReport report = report_of(1000, 200, 3);
  EXPECT_EQ(report.kv_bytes(1), 64u * 3);
  EXPECT_EQ(report.kv_bytes(64), 64u * 3);
  EXPECT_EQ(report.kv_bytes(65), 128u * 3);
  EXPECT_EQ(report.needed_bytes(), 1200u + 128 * 3);
}

TEST(DoctorMemory, TheLargestContextIsWhatIsLeftForCells) {
  const ModelReport report = report_of(1000, 200, 3);
  EXPECT_EQ(report.largest_context(1200), 0);
  EXPECT_EQ(report.largest_context(100), 0);
  EXPECT_EQ(report.largest_context(1200 + 64 * 3 - 1), 0);
  EXPECT_EQ(report.largest_context(1200 + 64 * 3), 64);
  EXPECT_EQ(report.largest_context(1200 + 130 * 3), 128);
  for (const std::uint64_t usable : {1200u + 64 * 3, 1200u + 1000 * 3, 12345u}) {
    ModelReport at_limit = report;
    at_limit.n_ctx = static_cast<int>(report.largest_context(usable));
    EXPECT_LE(at_limit.needed_bytes(), usable);
    at_limit.n_ctx += 1;
    EXPECT_GT(at_limit.needed_bytes(), usable);
  }
  EXPECT_LE(report.largest_context(~std::uint64_t{0}), 1 << 28);
}

TEST(DoctorSpeed, IsBoundByBandwidthAndPeaks) {
  ModelReport report = report_of(1000, 0, 3);
  report.info.decode_bytes = 500;
  report.prefill = {400, 50};
  const Ceilings ceilings{1600, 1000, "", 100, ""};
  const auto limits = speed_limits(report, ceilings);
  ASSERT_TRUE(limits);
  EXPECT_DOUBLE_EQ(limits->decode_empty, 1600 / 503.0);
  EXPECT_DOUBLE_EQ(limits->decode_full, 2);            // 500 + 100 * 3 bytes
  EXPECT_DOUBLE_EQ(limits->prefill, 1 / (0.4 + 0.5));  // both take turns on the same cores
  report.on_cpu = false;
  EXPECT_FALSE(speed_limits(report, ceilings));
}

nlohmann::json doctor_json(std::vector<std::string> arguments, std::vector<std::string> environment = {}) {
  arguments.insert(arguments.begin(), "doctor");
  arguments.push_back("--json");
  const ProgramRun run = run_program({.arguments = arguments, .environment = environment});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  return nlohmann::json::parse(run.out);
}

TEST(Doctor, DescribesTheMachine) {
  const auto json = doctor_json({});
  EXPECT_GT(json.at("threads").at("default"), 0);
  EXPECT_GT(json.at("memory").at("total_bytes"), 0);
  EXPECT_GT(json.at("ceilings").at("read_gb_s"), 0);
  EXPECT_GT(json.at("ceilings").at("int8_gop_s"), 0);
  EXPECT_GT(json.at("ceilings").at("fma_gflop_s"), 0);
  EXPECT_FALSE(json.contains("model"));
  std::vector<std::string> names;
  for (const auto& backend : json.at("backends")) {
    names.push_back(backend.at("name"));
    EXPECT_NE(backend.at("detail"), "") << names.back();
    if (names.back() != "cpu") continue;
    EXPECT_EQ(backend.at("available"), true);
    EXPECT_GT(backend.at("kernels").size(), 10u);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"cpu", "cuda", "metal", "reference"}));
}

TEST(Doctor, TellsWhatLeversForbid) {
  const auto json = doctor_json({}, {"MINFER_NO_AVX2=1", "MINFER_NO_NEON=1"});
  const auto levers =
      json.at("levers").get<std::vector<std::string>>();  // and those of whoever runs the tests
  for (const char* lever : {"MINFER_NO_AVX2=1", "MINFER_NO_NEON=1"})
    EXPECT_EQ(std::count(levers.begin(), levers.end(), lever), 1) << lever;
  EXPECT_EQ(json.at("instruction_sets").at("allowed"), nlohmann::json({"baseline"}));
  for (const auto& backend : json.at("backends"))
    for (const auto& kernel : backend.at("kernels"))
      EXPECT_TRUE(std::string(kernel.at("decode")).ends_with(" scalar")) << kernel.at("decode");
}

TEST(Doctor, DescribesWhatAModelNeeds) {
  const auto json =
      doctor_json({kModel, "-c", "100", "--kv", "q8_0", "-t", "1", "--ubatch", "32"}).at("model");
  EXPECT_EQ(json.at("n_ctx"), 100);
  EXPECT_EQ(json.at("kv_type"), "q8_0");
  const std::int64_t position = json.at("kv_bytes_per_position");
  EXPECT_EQ(position % 34, 0) << "q8_0 blocks";
  EXPECT_EQ(json.at("kv_bytes"), 128 * position);
  EXPECT_EQ(json.at("needed_bytes").get<std::int64_t>(), json.at("weights_bytes").get<std::int64_t>() +
                                                             128 * position +
                                                             json.at("activation_bytes").get<std::int64_t>());
  EXPECT_GT(json.at("largest_context"), 100);
  EXPECT_GT(json.at("decode_limit_ts"), json.at("decode_limit_full_ts"));
  EXPECT_GT(json.at("prefill_limit_ts"), 0);
  std::int64_t bytes = 0;
  std::vector<std::string> types;
  for (const auto& type : json.at("types")) {
    types.push_back(type.at("type"));
    bytes += type.at("bytes").get<std::int64_t>();
    EXPECT_FALSE(type.at("decode").empty()) << types.back();
    EXPECT_FALSE(type.at("prefill").empty()) << types.back();
  }
  EXPECT_EQ(types, (std::vector<std::string>{"f32", "q4_K", "q6_K"}));
  EXPECT_EQ(bytes, json.at("weights_bytes")) << "every tensor is read by some kernel";
}

TEST(Doctor, PrintsTextOfBothHalves) {
  const ProgramRun run = run_program({.arguments = {"doctor", kModel, "-t", "1"}});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  for (const char* part :
       {"instruction sets", "affinity mask", "huge pages", "read bandwidth", "integer peak",
        "matrix products on cpu", "kernels by weight type", "largest context", "decode at most"})
    EXPECT_NE(run.out.find(part), std::string::npos) << part << "\n" << run.out;
}

TEST(Doctor, RefusesWhatIsNoModelInOneLine) {
  const auto whole = test::read_bytes(kModel);
  const auto damaged = test::scratch_folder() / "damaged.gguf";
  std::vector<std::vector<std::string>> calls = {
      {"nowhere.gguf"}, {test::scratch_folder().string()}, {"/dev/null"}};
  for (const std::size_t length : {std::size_t{0}, std::size_t{20}, std::size_t{5000}, whole.size() / 2}) {
    const auto path = damaged.string() + std::to_string(length);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(whole.data()), static_cast<std::streamsize>(length));
    calls.push_back({path});
  }
  for (std::vector<std::string> arguments : calls) {
    arguments.insert(arguments.begin(), "doctor");
    const ProgramRun run = run_program({.arguments = arguments});
    EXPECT_EQ(run.status, 1) << arguments[1];
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(run.err.starts_with("error: ")) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  }
  for (const char* flag : {"-t", "--kv", "-c"})
    EXPECT_EQ(run_program({.arguments = {"doctor", kModel, flag, "-7"}}).status, 2) << flag;
}

}  // namespace
}  // namespace minfer::cli
