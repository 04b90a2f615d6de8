// Runs the built program as a user would: arguments in, exit status, stdout and stderr out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace minfer::test {

struct ProgramRun {
  int status = 0;  // exit status, or 128 + the signal that ended it
  std::string out;
  std::string err;
  std::size_t peak_memory_bytes = 0;  // resident, pages of mapped files included
};

struct ProgramInput {
  std::vector<std::string> arguments;
  std::string in = {};                        // standard input
  std::vector<std::string> environment = {};  // "NAME=VALUE" beside what is there
  // Otherwise MINFER_DISABLE_CUDA is set, so that a machine with a GPU prints what others print.
  bool may_use_gpu = false;
  std::filesystem::path out_file = {};  // stdout goes there instead of to ProgramRun::out
  std::filesystem::path err_file = {};  // the same for stderr
  bool close_streams = false;           // start with stdin, stdout and stderr closed
  // Send SIGINT once this many bytes were written to stdout; 0: never.
  std::size_t interrupt_after = 0;
  // Close the reading end of stdout after this many bytes; 0: never.
  std::size_t close_after = 0;
  // A program that runs longer is ended, which shows as the status of SIGALRM.
  unsigned patience_seconds = 120;
};

// Status 255 where the program cannot be started.
ProgramRun run_program(const ProgramInput& input);

}  // namespace minfer::test
