#include "cli/program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "support/limits.h"

namespace minfer::test {
namespace {

struct Pipe {
  std::array<int, 2> ends = {-1, -1};
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int end) {
    if (ends[static_cast<std::size_t>(end)] >= 0) close(ends[static_cast<std::size_t>(end)]);
    ends[static_cast<std::size_t>(end)] = -1;
  }
  int reader() const { return ends[0]; }
  int writer() const { return ends[1]; }
};

int file_or(const std::filesystem::path& path, int otherwise) {
  return path.empty() ? otherwise : open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

// The words of the command that runs programs of a cross build; none in others.
std::vector<std::string> emulator() {
  std::istringstream words(MINFER_EMULATOR);
  return {std::istream_iterator<std::string>(words), {}};
}

[[noreturn]] void become_program(const ProgramInput& input, const Pipe& in, const Pipe& out,
                                 const Pipe& err) {
  dup2(in.reader(), STDIN_FILENO);
  dup2(file_or(input.out_file, out.writer()), STDOUT_FILENO);
  dup2(file_or(input.err_file, err.writer()), STDERR_FILENO);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (input.close_streams) close(stream);
  std::vector<std::string> arguments = emulator();
  arguments.push_back(MINFER_PROGRAM);
  arguments.insert(arguments.end(), input.arguments.begin(), input.arguments.end());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::vector<std::string> environment = input.environment;
  if (!input.may_use_gpu) environment.push_back("MINFER_DISABLE_CUDA=1");
  for (std::string& variable : environment) putenv(variable.data());
  signal(SIGPIPE, SIG_DFL);
  alarm(input.patience_seconds * (kEmulated ? 5U : 1U));
  execvp(argv[0], argv.data());
  _exit(255);
}

void write_all(int file, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(file, text.data() + written, text.size() - written);
    if (n <= 0) return;  // the program does not read its input to the end
    written += static_cast<std::size_t>(n);
  }
}

// Appends what is there; false at the end.
bool read_some(int file, std::string& text) {
  std::array<char, 4096> buffer;
  const ssize_t n = read(file, buffer.data(), buffer.size());
  if (n > 0) text.append(buffer.data(), static_cast<std::size_t>(n));
  return n > 0;
}

void collect(const ProgramInput& input, pid_t child, Pipe& out, Pipe& err, ProgramRun& run) {
  bool interrupted = false;
  while (out.reader() >= 0 || err.reader() >= 0) {
    std::array<pollfd, 2> files = {pollfd{out.reader(), POLLIN, 0}, pollfd{err.reader(), POLLIN, 0}};
    poll(files.data(), files.size(), -1);
    if (files[0].revents != 0 && !read_some(out.reader(), run.out)) out.close_end(0);
    if (files[1].revents != 0 && !read_some(err.reader(), run.err)) err.close_end(0);
    if (input.close_after > 0 && run.out.size() >= input.close_after) out.close_end(0);
    if (input.interrupt_after > 0 && !interrupted && run.out.size() >= input.interrupt_after) {
      kill(child, SIGINT);
      interrupted = true;
    }
  }
}

}  // namespace

ProgramRun run_program(const ProgramInput& input) {
  Pipe in, out, err;
  const pid_t child = fork();
  if (child == 0) become_program(input, in, out, err);
  if (child < 0) throw std::runtime_error("cannot fork");
  in.close_end(0);
  out.close_end(1);
  err.close_end(1);
  signal(SIGPIPE, SIG_IGN);
  write_all(in.writer(), input.in);
  in.close_end(1);
  ProgramRun run;
  collect(input, child, out, err, run);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  run.peak_memory_bytes = static_cast<std::size_t>(usage.ru_maxrss) * 1024;
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

}  // namespace minfer::test
