#include "cli/inspect.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/printable.h"
#include "cli/output.h"
#include "gguf/file.h"
#include "gguf/tensor_type.h"

namespace minfer::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxStringBytes = 120;
constexpr std::size_t kMaxElementBytes = 24;
constexpr std::uint64_t kMaxElements = 8;

std::string quoted(std::string_view text, std::size_t max_bytes) {
  return fmt::format("\"{}\"", printable(text, max_bytes));
}

std::string scalar_text(const gguf::Value& value) {
  if (const auto text = value.as_string()) return quoted(*text, kMaxStringBytes);
  if (const auto truth = value.as_bool()) return *truth ? "true" : "false";
  // A float32 prints with as many digits as it has.
  if (value.type() == gguf::GgufType::kF32) return fmt::format("{}", static_cast<float>(*value.as_f64()));
  if (const auto number = value.as_f64()) return fmt::format("{}", *number);
  if (const auto number = value.as_i64()) return fmt::format("{}", *number);
  return fmt::format("{}", *value.as_u64());
}

std::string array_text(const gguf::Value& array) {
  std::string text;
  std::uint64_t shown = 0;
  const auto add = [&](const std::string& element) { text += (shown++ ? ", " : "") + element; };
  if (array.element_type() == gguf::GgufType::kString) {
    for (std::string_view element : array.strings()) {
      if (shown == kMaxElements) break;
      add(quoted(element, kMaxElementBytes));
    }
  } else {
    while (shown < std::min(array.size(), kMaxElements)) add(scalar_text(array.element(shown)));
  }
  return fmt::format("[{}{}]", text, array.size() > shown ? ", ..." : "");
}

std::string value_type_text(const gguf::Value& value) {
  if (!value.is_array()) return std::string(gguf_type_name(value.type()));
  return fmt::format("{}[{}]", gguf_type_name(value.element_type()), value.size());
}

// Number of tensors of each type.
std::map<std::string, std::uint64_t> count_types(const gguf::Reader& reader) {
  std::map<std::string, std::uint64_t> counts;
  for (const gguf::TensorInfo& info : reader.tensors()) ++counts[gguf::tensor_type_name(info.gguf_type)];
  return counts;
}

struct Totals {
  std::uint64_t parameters = 0;
  std::uint64_t bytes = 0;
};

// Cannot overflow where it matters: no two tensors share a byte, and no type has more than 8 values a byte.
Totals total(const gguf::Reader& reader) {
  Totals totals;
  for (const gguf::TensorInfo& info : reader.tensors()) {
    totals.parameters += static_cast<std::uint64_t>(info.shape.elements());
    totals.bytes += info.bytes;
  }
  return totals;
}

void print_metadata(const gguf::Reader& reader, std::ostream& out) {
  std::size_t width = 0;
  for (const gguf::MetadataEntry& entry : reader.metadata())
    width = std::max(width, printable(entry.key).size());
  width = std::min<std::size_t>(width, 60);
  fmt::print(out, "\nmetadata\n");
  for (const auto& [key, value] : reader.metadata())
    fmt::print(out, "  {:<{}}  {:<14}  {}\n", printable(key), width, value_type_text(value),
               value.is_array() ? array_text(value) : scalar_text(value));
}

void print_tensors(const gguf::Reader& reader, std::ostream& out) {
  if (reader.tensors().empty()) return;
  std::size_t width = 4;
  for (const gguf::TensorInfo& info : reader.tensors()) width = std::max(width, printable(info.name).size());
  fmt::print(out, "\n  {:<{}}  {:<8}  {:<24}  {:>14}  {:>14}\n", "tensor", width, "type", "shape", "bytes",
             "offset");
  for (const gguf::TensorInfo& info : reader.tensors())
    fmt::print(out, "  {:<{}}  {:<8}  {:<24}  {:>14}  {:>14}\n", printable(info.name), width,
               gguf::tensor_type_name(info.gguf_type), to_string(info.shape), info.bytes, info.offset);
}

void print_totals(const gguf::Reader& reader, std::ostream& out) {
  const Totals totals = total(reader);
  fmt::print(out, "\n{} tensors, {} parameters, {} bytes of data", reader.tensors().size(), totals.parameters,
             totals.bytes);
  const char* separator = ": ";
  for (const auto& [name, count] : count_types(reader)) {
    fmt::print(out, "{}{} x {}", separator, count, name);
    separator = ", ";
  }
  fmt::print(out, "\n");
}

void print_text(const gguf::Reader& reader, std::ostream& out) {
  fmt::print(out, "{}: GGUF version {}, {} bytes, {} keys, {} tensors, data at {} aligned to {}\n",
             printable(reader.file_name()), reader.version(), reader.file_bytes(), reader.metadata().size(),
             reader.tensors().size(), reader.data_offset(), reader.alignment());
  print_metadata(reader, out);
  print_tensors(reader, out);
  print_totals(reader, out);
}

Json scalar_json(const gguf::Value& value) {
  if (const auto text = value.as_string()) return *text;
  if (const auto truth = value.as_bool()) return *truth;
  // Through the shortest decimal, or 1e-6 as float32 would print as 9.999999974752427e-07.
  if (value.is_float()) return std::strtod(scalar_text(value).c_str(), nullptr);
  if (const auto number = value.as_i64()) return *number;
  return *value.as_u64();
}

Json value_json(const gguf::Value& value) {
  if (!value.is_array()) return scalar_json(value);
  Json array = Json::array();
  if (value.element_type() == gguf::GgufType::kString)
    for (std::string_view text : value.strings()) array.push_back(text);
  else
    for (std::uint64_t i = 0; i < value.size(); ++i) array.push_back(scalar_json(value.element(i)));
  return array;
}

Json tensor_json(const gguf::TensorInfo& info) {
  Json shape = Json::array();
  for (int i = info.shape.rank - 1; i >= 0; --i) shape.push_back(info.shape.dim[i]);
  return {{"name", info.name},
          {"type", gguf::tensor_type_name(info.gguf_type)},
          {"shape", shape},
          {"bytes", info.bytes},
          {"offset", info.offset}};
}

void print_json(const gguf::Reader& reader, std::ostream& out) {
  const Totals totals = total(reader);
  Json json = {{"file", reader.file_name()},
               {"version", reader.version()},
               {"file_bytes", reader.file_bytes()},
               {"alignment", reader.alignment()},
               {"data_offset", reader.data_offset()},
               {"parameters", totals.parameters},
               {"tensor_bytes", totals.bytes},
               {"metadata", Json::array()},
               {"tensors", Json::array()}};
  // A list, not an object: keys keep their type beside the value.
  for (const auto& [key, value] : reader.metadata())
    json["metadata"].push_back(
        {{"key", key}, {"type", value_type_text(value)}, {"value", value_json(value)}});
  for (const gguf::TensorInfo& info : reader.tensors()) json["tensors"].push_back(tensor_json(info));
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

void inspect(const InspectOptions& options, std::ostream& out) {
  const auto file = gguf::File::open(options.model);
  if (options.json)
    print_json(file->reader(), out);
  else
    print_text(file->reader(), out);
}

CommandBody declare_inspect(CLI::App& parser) {
  auto options = std::make_shared<InspectOptions>();
  parser.add_option("MODEL", options->model, "GGUF file")->required();
  parser.add_flag("--json", options->json, "One JSON object, arrays in full");
  return [options] {
    std::ostringstream out;
    inspect(*options, out);
    write_output(out.str());
    return 0;
  };
}

}  // namespace minfer::cli
