# Sourced by `run` and `test` in the repository's root: installs what is missing on Debian 12, configures and builds.
# Says on stderr what it does.

BUILD_PACKAGES=(cmake g++ libcli11-dev libfmt-dev libpcre2-dev libutf8proc-dev ninja-build nlohmann-json3-dev
                pkg-config)
TEST_PACKAGES=(clang-format-14 libgtest-dev python3)
CLANG_PACKAGES=(clang-16 clang-tidy-16 libclang-rt-16-dev)
QEMU_PACKAGES=(qemu-user)
# For the neon preset: the cross compiler, and what programs are linked with and run on.
ARM64_TOOLS=(g++-aarch64-linux-gnu qemu-user)
ARM64_LIBRARIES=(libcli11-dev libfmt9 libfmt-dev libgtest-dev libpcre2-8-0 libpcre2-dev libutf8proc2 libutf8proc-dev
                 nlohmann-json3-dev)

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }

# The packages of "$@" that are not installed, one a line.
missing_packages() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null) == "ii "* ]] || printf '%s\n' "$package"
  done
}

# need_packages PACKAGE...: installs those that are missing; touches neither apt nor the network when none is.
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system: expecting the equivalents of $*"
    return
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} == 0)) && return
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "neither root nor sudo: please install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing with apt: ${missing[*]}"
  "${as_root[@]}" apt-get -qq update </dev/null >&2 || say "apt-get update failed; trying with the lists at hand"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
    "${missing[@]}" </dev/null >&2 || fail "cannot install ${missing[*]}"
}

# need_arm64_libraries FOLDER PACKAGE...: unpacks packages for arm64 into FOLDER, unless they already are there. apt works
# on lists of its own below FOLDER: this machine's packages and architectures stay as they are.
need_arm64_libraries() {
  local folder=$1 package
  shift
  [[ -f $folder/packages && $(<"$folder/packages") == "$*" ]] && return
  command -v apt-get >/dev/null || fail "not a Debian system: $folder needs the arm64 packages $*"
  say "unpacking into $folder: $*"
  rm -rf "$folder"
  mkdir -p "$folder"
  local apt
  apt=$(realpath "$folder")/apt
  mkdir -p "$apt/lists/partial" "$apt/archives/partial"
  touch "$apt/status"
  local options=(-qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o "Dir::State=$apt"
                 -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt")
  apt-get "${options[@]}" update </dev/null >&2 || say "apt-get update failed; trying with the lists at hand"
  (cd "$apt/archives" && apt-get "${options[@]}" download "$@" </dev/null >&2) || fail "cannot download $*"
  for package in "$apt"/archives/*.deb; do dpkg-deb -x "$package" "$folder" || fail "cannot unpack $package"; done
  rm -rf "$apt"
  printf '%s' "$*" >"$folder/packages"
}

# configure PRESET NAME=VALUE...: configures build/PRESET unless it is already configured like this. (Ninja itself
# notices changed CMakeLists.)
configure() {
  local preset=$1 setting settings=()
  shift
  local cache="build/$preset/CMakeCache.txt" fresh=true
  [[ -f build/$preset/build.ninja && ! CMakePresets.json -nt build/$preset/build.ninja ]] || fresh=false
  for setting in "$@"; do
    settings+=("-D$setting")
    $fresh && ! grep -q "^${setting%%=*}:[A-Z]*=${setting#*=}\$" "$cache" && fresh=false
  done
  $fresh && return
  say "configuring build/$preset"
  mkdir -p "build/$preset"
  cmake --preset "$preset" "${settings[@]}" >"build/$preset/configure.log" 2>&1 </dev/null || {
    cat "build/$preset/configure.log" >&2
    fail "cannot configure build/$preset"
  }
}

# build PRESET TARGET...: builds targets; shows the output only where it fails.
build() {
  local preset=$1
  shift
  ninja -C "build/$preset" -j "$(nproc)" "$@" >"build/$preset/build.log" 2>&1 </dev/null || {
    grep -E -A 12 'FAILED|error:|warning:' "build/$preset/build.log" | head -n 80 >&2
    say "the build of build/$preset failed; its whole output is in build/$preset/build.log"
    return 1
  }
}
