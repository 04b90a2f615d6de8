# The CUDA toolchain, included where MINFER_CUDA is ON. Finds nvcc, a host compiler that it takes, and the GPU
# architectures that it can make code for.
#
#   MINFER_CUDA_ARCHITECTURES  "all" (every one the toolkit knows, and PTX of the highest), "native" (the GPUs of this
#                              machine) or CMake's list ("90a-real")
#   MINFER_CUDA_CCBIN          host compiler for nvcc; empty: CMake's C++ compiler, or an older one where nvcc rejects it

set(MINFER_CUDA_ARCHITECTURES "all" CACHE STRING "GPU architectures: all, native, or a list such as 90a-real;120-real")
set(MINFER_CUDA_CCBIN "" CACHE STRING "Host compiler for nvcc; empty: one that it accepts")

set(hints ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda /opt/cuda)
find_program(MINFER_NVCC nvcc HINTS ${hints} PATH_SUFFIXES bin)
if(NOT MINFER_NVCC)
  message(FATAL_ERROR "MINFER_CUDA is ON, but there is no nvcc: looked on PATH and in bin of $CUDA_HOME "
                      "(\"$ENV{CUDA_HOME}\"), $CUDA_PATH (\"$ENV{CUDA_PATH}\"), /usr/local/cuda and /opt/cuda. "
                      "Install the CUDA toolkit, or set CUDA_HOME to its folder.")
endif()
set(CMAKE_CUDA_COMPILER "${MINFER_NVCC}")

# The runtime is linked statically: the program then needs the driver only, and starts without one.
option(MINFER_CUDA_STATIC "Link the CUDA runtime statically" ON)

# minfer_find_cuda_library(NAME): an error where the toolkit's development files are not complete. CMake looks for the
# shared runtime in any case.
get_filename_component(toolkit "${MINFER_NVCC}" REALPATH)
get_filename_component(toolkit "${toolkit}/../.." ABSOLUTE)
function(minfer_find_cuda_library name)
  find_library(MINFER_${name} ${name} HINTS "${toolkit}" ${hints}
               PATH_SUFFIXES lib64 targets/x86_64-linux/lib targets/sbsa-linux/lib)
  if(NOT MINFER_${name})
    message(FATAL_ERROR "MINFER_CUDA is ON and ${MINFER_NVCC} is there, but no lib${name}: looked in lib64 and targets of "
                        "${toolkit}, $CUDA_HOME (\"$ENV{CUDA_HOME}\"), /usr/local/cuda, /opt/cuda and the system's "
                        "folders. Install the development files of the CUDA runtime (MINFER_CUDA_STATIC is "
                        "${MINFER_CUDA_STATIC}).")
  endif()
endfunction()
minfer_find_cuda_library(cudart)
if(MINFER_CUDA_STATIC)
  minfer_find_cuda_library(cudart_static)
endif()

# minfer_nvcc_accepts(RESULT COMPILER): whether nvcc compiles a trivial unit with this host compiler. What it says is
# left in the variable nvcc_says.
function(minfer_nvcc_accepts result compiler)
  set(probe "${CMAKE_BINARY_DIR}/cuda_host_probe.cu")
  file(WRITE "${probe}" "#include <cstdint>\n__global__ void probe(std::int32_t* x) { *x = 1; }\n")
  execute_process(COMMAND "${MINFER_NVCC}" -ccbin "${compiler}" -std=c++20 -c "${probe}" -o "${probe}.o"
                  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  set(nvcc_says "${said}" PARENT_SCOPE)
  if(status EQUAL 0)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

if(NOT CMAKE_CUDA_HOST_COMPILER)
  set(candidates "${MINFER_CUDA_CCBIN}")
  if(NOT candidates)
    set(candidates "${CMAKE_CXX_COMPILER}" g++-14 g++-13 g++-12 g++-11)
  endif()
  foreach(candidate IN LISTS candidates)
    minfer_nvcc_accepts(accepted "${candidate}")
    if(accepted)
      set(CMAKE_CUDA_HOST_COMPILER "${candidate}" CACHE STRING "Host compiler for nvcc")
      break()
    endif()
  endforeach()
  if(NOT CMAKE_CUDA_HOST_COMPILER)
    list(JOIN candidates ", " tried)
    message(FATAL_ERROR "${MINFER_NVCC} takes none of these host compilers: ${tried}. "
                        "Name one that it does with -DMINFER_CUDA_CCBIN=... Of the last one it says:\n${nvcc_says}")
  endif()
  message(STATUS "Host compiler for nvcc: ${CMAKE_CUDA_HOST_COMPILER}")
endif()

if(MINFER_CUDA_ARCHITECTURES STREQUAL "all")
  execute_process(COMMAND "${MINFER_NVCC}" --list-gpu-code OUTPUT_VARIABLE codes OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCHALL "sm_[0-9]+" codes "${codes}")
  list(TRANSFORM codes REPLACE "sm_" "")
  list(SORT codes COMPARE NATURAL)
  list(GET codes -1 highest)
  list(TRANSFORM codes APPEND "-real")
  set(CMAKE_CUDA_ARCHITECTURES ${codes} "${highest}-virtual")
elseif(MINFER_CUDA_ARCHITECTURES STREQUAL "native")
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE capabilities ERROR_VARIABLE capabilities RESULT_VARIABLE status)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]" codes "${capabilities}")
  if(NOT status EQUAL 0 OR NOT codes)
    message(FATAL_ERROR "MINFER_CUDA_ARCHITECTURES is native, but nvidia-smi names no GPU of this machine "
                        "(${status}${capabilities}). Name the architectures, such as 90a-real, or build all.")
  endif()
  list(REMOVE_DUPLICATES codes)
  list(TRANSFORM codes REPLACE "\\." "")
  list(TRANSFORM codes APPEND "-real")
  set(CMAKE_CUDA_ARCHITECTURES ${codes})
else()
  set(CMAKE_CUDA_ARCHITECTURES "${MINFER_CUDA_ARCHITECTURES}")
endif()
# 9.0 gets the code that only Hopper runs: wgmma, register reallocation.
list(TRANSFORM CMAKE_CUDA_ARCHITECTURES REPLACE "^90$" "90a")
list(TRANSFORM CMAKE_CUDA_ARCHITECTURES REPLACE "^90-" "90a-")
message(STATUS "GPU architectures: ${CMAKE_CUDA_ARCHITECTURES}")

if(CCACHE_PROGRAM)
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()
enable_language(CUDA)
# CMake 3.25 does not know this of nvcc; later ones do.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
set(CMAKE_CUDA_FLAGS_RELEASE "-O3")
find_package(CUDAToolkit REQUIRED)

if(MINFER_CUDA_STATIC)
  set(MINFER_CUDART CUDA::cudart_static)
else()
  set(MINFER_CUDART CUDA::cudart)
endif()

# minfer_cuda_kernels(NAME SOURCES file.cu... [OPTIONS option...]): the kernels of a folder, as library
# minfer_cuda_NAME_kernels. Their units see plain headers only, so that they compile fast.
function(minfer_cuda_kernels name)
  cmake_parse_arguments(ARG "" "" "SOURCES;OPTIONS" ${ARGN})
  set(target minfer_cuda_${name}_kernels)
  add_library(${target} STATIC ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}/include" "${CMAKE_SOURCE_DIR}/src/minfer")
  target_compile_options(${target} PRIVATE --expt-relaxed-constexpr -lineinfo -Wno-deprecated-gpu-targets
                                           -Xcompiler=-Wall,-Wextra ${ARG_OPTIONS})
  if(MINFER_WERROR)
    target_compile_options(${target} PRIVATE -Werror=all-warnings)
  endif()
  set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY None)
  # Linked, but nothing of its compile options, which nvcc does not know.
  target_link_libraries(${target} PRIVATE $<LINK_ONLY:minfer_cuda_device>)
endfunction()
