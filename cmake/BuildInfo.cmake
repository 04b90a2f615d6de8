# Writes a source that tells the commit it is built from. Run at every build, it touches the file only when that
# changes: cmake -DSOURCE=folder -DOUTPUT=file -P BuildInfo.cmake
find_package(Git QUIET)
set(commit "unknown")
set(number "0")
if(GIT_FOUND AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${SOURCE}" rev-parse --short=9 HEAD OUTPUT_VARIABLE found
                  RESULT_VARIABLE status ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${SOURCE}" rev-list --count HEAD OUTPUT_VARIABLE count
                  ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(status EQUAL 0)
    set(commit "${found}")
    set(number "${count}")
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT [=[
#include "cli/version.h"

namespace minfer::cli {

std::string build_commit() { return "@commit@"; }
int build_number() { return @number@; }

}  // namespace minfer::cli
]=] @ONLY)
