// What the reference of an op computes on: its operands as rows of values, whatever types they are stored in.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "backends/host_memory.h"
#include "backends/reference/kv_rows.h"

namespace minfer::reference {

// Made by plan, read by execute.
struct PlanState {
  std::vector<TensorDesc> inputs;
  std::vector<TensorView> weights;
};

// A contiguous matrix: row r is operator[](r).
template <class T>
class Rows {
 public:
  Rows(T* data, const Shape& shape) : data_(data), rows_(shape.rows()), cols_(shape.cols()) {}
  std::int64_t count() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  std::span<T> operator[](std::int64_t row) const {
    return {data_ + row * cols_, static_cast<std::size_t>(cols_)};
  }
  std::span<T> all() const { return {data_, static_cast<std::size_t>(rows_ * cols_)}; }

 private:
  T* data_;
  std::int64_t rows_;
  std::int64_t cols_;
};

class Call {
 public:
  // All three must outlive this. Throws InternalError where a buffer is smaller than its tensor.
  Call(const PlannedNode& node, const NodeBuffers& buffers, const HostBuffers& memory);

  std::string_view label() const { return node_.label; }
  std::int64_t n_inputs() const { return static_cast<std::int64_t>(state_.inputs.size()); }
  std::int64_t n_weights() const { return static_cast<std::int64_t>(state_.weights.size()); }
  const Shape& input_shape(int i) const { return state_.inputs[i].shape; }
  const Shape& weight_shape(int i) const { return state_.weights[i].desc.shape; }

  Rows<const float> floats(int input) const;
  Rows<const std::int32_t> ints(int input) const;
  Rows<float> output() const;

  // A row of an input of any activation type, and of a weight of any type, decoded.
  std::vector<float> activation_row(int input, std::int64_t row) const;
  std::vector<float> weight_row(int weight, std::int64_t row) const;
  // Rounds a row to the output's type and stores it.
  void store_row(std::int64_t row, std::span<const float> values) const;

  KvRows keys(const KvGeometry& geometry) const { return kv_rows(geometry, kv_.k); }
  KvRows values(const KvGeometry& geometry) const { return kv_rows(geometry, kv_.v); }

  // Returns value if it is in [0, limit), else throws: `what` names it ("position"). Ids come from callers
  // (InvalidRequestError); everything else that indexes is made by the runtime (InternalError).
  std::int64_t checked_id(std::string_view what, std::int64_t value, std::int64_t limit) const;
  std::int64_t checked_index(std::string_view what, std::int64_t value, std::int64_t limit) const;

 private:
  const std::byte* input_data(int input, DType type) const;
  KvRows kv_rows(const KvGeometry& geometry, BufferId region) const;

  const Node& node_;
  const PlanState& state_;
  const HostBuffers& memory_;
  std::vector<const std::byte*> inputs_;
  std::byte* output_;
  KvRegion kv_;
};

// The reference of an op: each file <op>.cpp specializes it for its op, so that a missing one fails to link.
template <class OpT>
void run(const OpT& op, const Call& call);

}  // namespace minfer::reference
