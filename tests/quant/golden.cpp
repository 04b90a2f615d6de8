#include "quant/golden.h"

#include <nlohmann/json.hpp>

#include "quant/traits.h"
#include "support/data.h"

namespace minfer::test {
namespace {

GoldenType load_type(const std::filesystem::path& folder, const std::string& name,
                     const nlohmann::json& entry) {
  GoldenType type;
  type.name = name;
  type.blocks = read_bytes(folder / entry.at("bin").get<std::string>());
  type.decoded = read_floats(folder / entry.at("deq").get<std::string>());
  type.activation = entry.at("act_type").get<std::string>();
  type.dots = entry.at("vecdot").get<std::vector<double>>();
  return type;
}

}  // namespace

Golden load_golden(const std::filesystem::path& folder) {
  const nlohmann::json index = nlohmann::json::parse(read_text(folder / "index.json"));
  Golden golden;
  golden.row = index.at("row").get<std::size_t>();
  golden.weights = read_floats(folder / "x.f32");
  golden.activations = read_floats(folder / "y.f32");
  for (const auto& [name, entry] : index.at("types").items()) {
    const auto dtype = dtype_from_name(name);
    if (dtype && find_quant_traits(*dtype)) golden.types.push_back(load_type(folder, name, entry));
  }
  golden.q8_0 = read_bytes(folder / "act_q8_0.bin");
  golden.q8_1 = read_bytes(folder / "act_q8_1.bin");
  golden.q8_k = read_bytes(folder / "act_q8_K.bin");
  return golden;
}

}  // namespace minfer::test
