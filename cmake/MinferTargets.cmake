# Common settings, and the two functions that every folder uses: minfer_library and minfer_test.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# Assertions of ours are in every build (MINFER_CHECK), so Release needs no NDEBUG juggling.
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
if(MINFER_SANITIZE)
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")  # reports name lines; the rest of the debug information is half the build
else()
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # A precompiled header is kept by its content, not by the time when it was made.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_PROGRAM}")
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)

add_library(minfer_options INTERFACE)
target_compile_options(minfer_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast
                                                -Werror=return-type -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(minfer_options INTERFACE -Wno-restrict)  # false reports on std::string: GCC bug 105651
endif()
if(MINFER_WERROR)
  target_compile_options(minfer_options INTERFACE -Werror)
endif()
# One arithmetic: no contraction, no fast math, anywhere (ARCHITECTURE.md). The baseline every binary runs on:
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(minfer_options INTERFACE -march=x86-64-v2)
endif()
# Of the units for AVX-512 with VNNI (src/minfer/backends/cpu/simd/avx512).
set(MINFER_AVX512_OPTIONS -mavx2 -mfma -mf16c -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vnni
                          -mprefer-vector-width=512)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False reports on the operands that AVX-512 intrinsics leave undefined: GCC bug 105593.
  list(APPEND MINFER_AVX512_OPTIONS -Wno-uninitialized -Wno-maybe-uninitialized)
endif()
# Of the tiers of NEON beyond ARMv8.0, which needs no options (src/minfer/backends/cpu/simd/neon).
set(MINFER_DOTPROD_OPTIONS -march=armv8.2-a+dotprod)
set(MINFER_I8MM_OPTIONS -march=armv8.2-a+dotprod+i8mm)
if(MINFER_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC's own manual: with sanitizers these report what cannot happen.
  target_compile_options(minfer_options INTERFACE -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized)
endif()
if(MINFER_SANITIZE)
  target_compile_options(minfer_options INTERFACE -fsanitize=${MINFER_SANITIZE} -fno-omit-frame-pointer
                                                  -fno-sanitize-recover=all)
  target_link_options(minfer_options INTERFACE -fsanitize=${MINFER_SANITIZE})
endif()
target_include_directories(minfer_options INTERFACE "${CMAKE_SOURCE_DIR}/include" "${CMAKE_SOURCE_DIR}/src/minfer")
target_link_libraries(minfer_options INTERFACE fmt::fmt Threads::Threads)

# minfer_library(NAME SOURCES file... [LINK target...]): one static library a folder, called minfer_NAME.
function(minfer_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(minfer_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(minfer_${name} PUBLIC minfer_options ${ARG_LINK})
endfunction()

# minfer_test(NAME SOURCES file... [LINK target...] [LABELS fast|slow|bits|gpu ...] [TIMEOUT seconds]): a GoogleTest binary.
# A run writes its results to test-results/NAME.xml in the build folder (tools/test_report.py reads them).
function(minfer_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(test_${name} ${ARG_SOURCES})
  target_link_libraries(test_${name} PRIVATE minfer_test_support ${ARG_LINK})
  target_precompile_headers(test_${name} REUSE_FROM minfer_test_headers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(test_${name} PRIVATE -fpch-preprocess)  # for ccache
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # False reports on std::string, hidden only where its header is not precompiled.
      target_compile_options(test_${name} PRIVATE -Wno-stringop-overflow -Wno-array-bounds)
    endif()
  endif()
  add_test(NAME ${name} COMMAND test_${name})
  if(NOT ARG_LABELS)
    set(ARG_LABELS fast)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  if(MINFER_SANITIZE OR CMAKE_CROSSCOMPILING)
    math(EXPR ARG_TIMEOUT "4 * ${ARG_TIMEOUT}")
  endif()
  set(environment "GTEST_OUTPUT=xml:${CMAKE_BINARY_DIR}/test-results/${name}.xml")
  if(NOT "gpu" IN_LIST ARG_LABELS)
    # What a test expects of the CPU it expects on machines with a GPU too.
    list(APPEND environment "MINFER_DISABLE_CUDA=1")
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${environment}")
endfunction()
