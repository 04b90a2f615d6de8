// Encoding of whole rows, with everything checked that the encoders of QuantTraits require.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/dtype.h"

namespace minfer {

// Encodes values (n_rows, n_cols), row-major, to n_rows * row_bytes(type, n_cols) bytes at out; rows are
// independent of each other. Throws UnsupportedError where the type has no encoder or rows are not whole
// blocks, and InvalidFileError with row and column where a value is not finite or too large for the type; out
// is then partly written. first_row: the number of values' first row in such a message.
void encode_rows(DType type, const float* values, std::int64_t n_rows, std::int64_t n_cols, std::byte* out,
                 std::int64_t first_row = 0);

}  // namespace minfer
