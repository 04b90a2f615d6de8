// Results go to stdout, at once and checked; everything else goes to stderr, progress only to a terminal.
#pragma once

#include <string_view>

namespace minfer::cli {

// Where the program was started with standard streams closed, puts something into their place on which every
// use fails:
// else the next file that is opened would take the number, and be written to as stdout or stderr. Call it first.
void reserve_standard_streams() noexcept;

// Writes and flushes. Throws minfer::Error when stdout cannot take it (a full disk).
void write_output(std::string_view text);
void flush_output();

// Lines on stderr: "error: MESSAGE", "warning: MESSAGE", or a note, which may have several. Control characters
// and bytes that are not UTF-8 (names in a file) are escaped. Nothing on stderr ever fails: results do not depend
// on who reads it.
void print_error(std::string_view message) noexcept;
void print_warning(std::string_view message) noexcept;
void print_note(std::string_view message) noexcept;
// Text of our own as it is, such as a table.
void print_diagnostics(std::string_view text) noexcept;

bool stdout_is_terminal();
bool stderr_is_terminal();
// Replaces the current line of the terminal on stderr; an empty text clears it. Nothing where stderr is no
// terminal.
void show_progress(std::string_view text);

}  // namespace minfer::cli
