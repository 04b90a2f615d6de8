// File types: what a whole model is quantized to. "q4_k_m" names a base type for the matrices and rules that give
// some of them more bits. The rules are those of llama.cpp's quantizer without an importance matrix
// (https://github.com/ggml-org/llama.cpp/blob/master/src/llama-quant.cpp), so that files have the same type, tensor
// for tensor.
//
// For a quantized base type:
//   output head, or the embedding where it is the head: Q6_K; Q8_0 if the base is Q8_0 or has blocks that rows are
//     no multiple of
//   attn_v, ffn_down: in the layers that the file type's rules name, its `upgraded` type
//   a type whose blocks do not divide a tensor's rows: Q4_K becomes Q5_0, Q5_K Q5_1, Q6_K Q8_0, and what then still
//     does not fit F16
// Norms, biases and everything else that is not a matrix keep their type.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace minfer {

// The layers i of n in which a kind of tensor gets the upgraded type.
enum class UpgradedLayers : std::uint8_t {
  kNone,
  kFirstFour,
  kFirstEighth,
  kSensitive,  // the first and the last eighth, and each third one between
};

struct FileType {
  std::string_view name;
  std::uint32_t id;  // general.file_type
  DType base;
  DType upgraded;
  UpgradedLayers attn_v;
  UpgradedLayers ffn_down;
};

std::span<const FileType> file_types() noexcept;
// Case-insensitive; null where there is none.
const FileType* find_file_type(std::string_view name) noexcept;
std::string file_type_names();  // "f32, f16, ..."

// What the rules need to know of a model.
struct MixModel {
  int n_layer = 0;
  bool grouped_heads = false;  // fewer key-value heads than heads
  bool tied_head = false;      // there is no output.weight: the embedding is the head
};

// Whether a file type is about this tensor: a matrix that is multiplied with (or gathered from).
bool is_quantizable(std::string_view name, const Shape& shape) noexcept;

struct TypeChoice {
  DType type;
  DType wanted;  // what the rules say; differs from `type` where its blocks do not divide the rows
};

// REQUIRES: is_quantizable(name, shape). pure: the base type for every matrix, whatever the rules say.
TypeChoice choose_type(const FileType& file_type, const MixModel& model, std::string_view name,
                       const Shape& shape, bool pure = false);

}  // namespace minfer
