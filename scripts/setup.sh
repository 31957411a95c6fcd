# shellcheck shell=bash
# Sourced by the scripts here: finds or installs what a build needs, and tells what the machine has.
#
# install_missing "COMMAND-OR-HEADER:PACKAGE ..."   installs the packages behind what is missing
# require         "COMMAND-OR-HEADER:PACKAGE ..."   the same, and ends the script with a list of what is still missing
# find_cuda                                          sets NVCC, GPU_ARCHITECTURE and CUDA_OPTIONS (for CMake)
# say_left_out                                       prints what LEFT_OUT has gathered
# Headers end in .h or .hpp and are looked for where the compiler looks and under CMAKE_PREFIX_PATH.

# shellcheck disable=SC2034  # used by the scripts that source this one
LEFT_OUT=() CUDA_OPTIONS=()
export CXX=${CXX:-g++}

say() { printf '== %s\n' "$*"; }

has() {
  case $1 in
    *.h | *.hpp)
      local includes=() prefix
      for prefix in ${CMAKE_PREFIX_PATH:+${CMAKE_PREFIX_PATH//[:;]/ }}; do includes+=("-I$prefix/include"); done
      echo "#include <$1>" | "$CXX" -E -x c++ "${includes[@]}" - >/dev/null 2>&1
      ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

missing() {  # prints the pairs of $1 that are not there
  local pair
  for pair in $1; do has "${pair%%:*}" || echo "$pair"; done
}

install_missing() {
  local pairs packages sudo=()
  pairs=$(missing "$1")
  [[ -n $pairs ]] || return 0
  packages=$(sed 's/.*://' <<<"$pairs" | sort -u)
  command -v apt-get >/dev/null || return 0
  if [[ $(id -u) != 0 ]]; then
    sudo -n true 2>/dev/null || return 0
    sudo=(sudo -n)
  fi
  say "installing" $packages
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq </dev/null || true
  # One after the other: a package that this distribution does not have must not keep back the rest.
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $packages \
    </dev/null >/dev/null 2>&1 && return 0
  local package
  for package in $packages; do
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$package" \
      </dev/null >/dev/null 2>&1 || say "apt-get could not install $package"
  done
}

require() {
  install_missing "$1"
  local pairs pair
  pairs=$(missing "$1")
  [[ -n $pairs ]] || return 0
  {
    echo "missing on this machine, and apt-get may not or cannot install it:"
    for pair in $pairs; do echo "  ${pair%%:*}   (package ${pair##*:} on Debian and Ubuntu)"; done
    echo "install these, or name their prefix in CMAKE_PREFIX_PATH, and start again"
  } >&2
  return 1
}

require_cmake() {
  local version
  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9.]*\).*/\1/p')
  [[ $(printf '%s\n' 3.25 "$version" | sort -V | head -n 1) == 3.25 ]] && return 0
  echo "cmake 3.25 or newer is needed and this is $version: for example python3 -m pip install --user cmake" >&2
  return 1
}

find_cuda() {
  local candidate
  NVCC='' GPU_ARCHITECTURE='' CUDA_OPTIONS=(-DPREDUCE_CUDA=OFF)
  for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" "${CUDA_HOME:-/nowhere}/bin/nvcc" /usr/local/cuda/bin/nvcc; do
    if [[ -x $candidate ]]; then
      NVCC=$candidate
      break
    fi
  done
  if [[ -z $NVCC ]]; then
    LEFT_OUT+=("the CUDA build: no nvcc on PATH, in \$CUDACXX or in /usr/local/cuda/bin")
    return 0
  fi

  local folder status=0 answer
  folder=$(mktemp -d)
  cat >"$folder/probe.cu" <<'CUDA'
#include <cstdio>
int main() {
  int count = 0, major = 0, minor = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count == 0) status = cudaErrorNoDevice;
  if (status == cudaSuccess) status = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  if (status == cudaSuccess) status = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
  if (status == cudaSuccess) std::printf("%d%d\n", major, minor);
  else std::printf("%s\n", cudaGetErrorString(status));
  return status != cudaSuccess;
}
CUDA
  if "$NVCC" -o "$folder/probe" "$folder/probe.cu" >"$folder/log" 2>&1; then
    answer=$("$folder/probe") || status=$?
    if [[ $status == 0 ]]; then GPU_ARCHITECTURE=$answer; else LEFT_OUT+=("runs on a GPU: none is usable here ($answer)"); fi
    # For the GPU's own architecture, or for one that shows that everything compiles.
    CUDA_OPTIONS=(-DPREDUCE_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES="${GPU_ARCHITECTURE:-90}")
    [[ -n $GPU_ARCHITECTURE ]] || CUDA_OPTIONS+=(-DPREDUCE_CUDA_COMPILE_ONLY=ON)
    export CUDACXX=$NVCC
  else
    LEFT_OUT+=("the CUDA build: $NVCC does not compile: $(head -n 1 "$folder/log")")
    NVCC=''
  fi
  rm -rf "$folder"
}

say_left_out() {
  local reason
  for reason in "${LEFT_OUT[@]}"; do say "left out: $reason"; done
}
