// minfer synth: a model of random weights, of the shape of a known model or of any other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

#include "cli/command.h"
#include "cli/synth/shape.h"
#include "quant/mix.h"

namespace minfer::cli {

CommandBody declare_synth(CLI::App& parser);

struct SynthOptions {
  std::string name;  // general.name
  SynthShape shape;
  std::filesystem::path output;
  std::uint64_t seed = 1;
  int threads = 1;
  bool pure = false;   // every matrix in the file type's base type
  bool force = false;  // replace an existing output
};

// Writes the model; the file is a function of everything but the number of threads, and appears when it is complete.
// Returns a line that says what was written. Throws InvalidRequestError for a shape or a path that cannot be,
// CancelledError after a request to stop.
std::string synth(const SynthOptions& options, const FileType& file_type, std::stop_token stop);

}  // namespace minfer::cli
