// minfer quantize: a model in another type.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "cli/command.h"
#include "quant/mix.h"

namespace minfer::cli {

CommandBody declare_quantize(CLI::App& parser);

struct QuantizeOptions {
  std::filesystem::path input;
  std::filesystem::path output;
  int threads = 1;
  bool pure = false;   // every matrix in the file type's base type
  bool force = false;  // replace an existing output
};

// Decodes each tensor of the input and encodes it as choose_type() says; what keeps its type is copied. The output
// appears when it is complete. Returns a line that says what was written. Notes about tensors that get another type
// than asked go to the log. Throws InvalidFileError for an input that is malformed or holds weights that are not
// finite, UnsupportedError for tensor types that cannot be decoded, InvalidRequestError for paths that cannot be used
// (also when both are the same file), CancelledError after a request to stop.
std::string quantize(const QuantizeOptions& options, const FileType& file_type, std::stop_token stop);

}  // namespace minfer::cli
