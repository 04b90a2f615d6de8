// What every subcommand is: a file of its own with one function that declares its options and says what to run.
// commands.cpp lists them.
#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string_view>

namespace CLI {
class App;
}

namespace minfer::cli {

// Runs a command after its options were parsed; the result is the exit status. Throws minfer::Error for a failure
// (one line "error: ..." and status 1) and UsageError for options that contradict each other (status 2).
using CommandBody = std::function<int()>;

struct Command {
  std::string_view name;
  std::string_view summary;  // one line for the table of subcommands
  // Declares options on the parser (owned by the caller, outlives the body) and returns what to run.
  CommandBody (*declare)(CLI::App& parser);
};

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitInterrupted = 130;

std::span<const Command> commands();

}  // namespace minfer::cli
