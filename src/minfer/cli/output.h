// Results go to stdout, at once and checked; everything else goes to stderr, progress only to a terminal.
#pragma once

#include <string_view>

namespace minfer::cli {

// Writes and flushes. Throws minfer::Error when stdout cannot take it (a full disk).
void write_output(std::string_view text);
void flush_output();

// "error: MESSAGE" on stderr, in one line.
void print_error(std::string_view message);

bool stdout_is_terminal();
bool stderr_is_terminal();
// Replaces the current line of the terminal on stderr; an empty text clears it. Nothing where stderr is no terminal.
void show_progress(std::string_view text);

}  // namespace minfer::cli
