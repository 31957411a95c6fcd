// Compiled for no special instructions, with one object file for some and one for none: the bits must be the same,
// whichever of the files the linker takes shared code from.

#include "sums.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

PREDUCE_TEST_DECLARE(plain)
PREDUCE_TEST_DECLARE(special)

namespace {

/// Whether this machine has what a list such as "fma,avx512f" names. Ends the program where a name is unknown: the test
/// would otherwise be skipped for good.
bool runs(std::string needs) {
  for (char const* each = std::strtok(needs.data(), ","); each != nullptr; each = std::strtok(nullptr, ",")) {
    std::string const name = each;
    bool has = false;
    if (name == "fma")
      has = __builtin_cpu_supports("fma") != 0;
    else if (name == "avx2")
      has = __builtin_cpu_supports("avx2") != 0;
    else if (name == "avx512f")
      has = __builtin_cpu_supports("avx512f") != 0;
    else
      std::exit(2);
    if (!has) return false;
  }
  return true;
}

bool same(std::vector<double> const& a, std::vector<double> const& b, char const* what) {
  auto const expected = plain::totals({a, b});
  auto const got = special::totals({a, b});
  if (got.size() != expected.size() || expected.empty()) return false;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (got[i] == expected[i]) continue;
    std::printf("%s, n = %zu: total %zu has bits %llx, not %llx\n", what, a.size(), i,
                static_cast<unsigned long long>(got[i]), static_cast<unsigned long long>(expected[i]));
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (!runs(argv[1])) {
    std::printf("skipped: this machine cannot run code for %s\n", argv[1]);
    return 77;
  }
  bool good = true;
  for (std::size_t const n : std::initializer_list<std::size_t>{1, 5, 31, 33, 100, 127, 1000, 4095, 4096, 4097, 5000,
                                                                8193, 12345, 36865, 99999}) {
    std::vector<double> a(n), b(n);
    std::uint64_t state = n;
    for (std::size_t i = 0; i < n; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      a[i] = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
      b[i] = static_cast<double>(state >> 33) * 0x1p-31 + 0.25;
    }
    good = same(a, b, "dense") && good;
    // One lane's two elements alone, so that what is lost in it is not rounded away by the others.
    for (std::size_t const lane : std::initializer_list<std::size_t>{0, 7, 31, 100, 900, 4095}) {
      std::size_t const row = (n > 4096 + lane) ? (n - lane - 1) / 4096 : 0;
      if (row == 0) continue;
      a.assign(n, 0);
      b.assign(n, 0);
      a[lane] = -1;
      a[lane + 4096 * row] = 1 + 0x1p-20;
      b[lane] = 1.3;
      b[lane + 4096 * row] = 1.3;
      good = same(a, b, "two elements of a lane") && good;
    }
  }
  return good ? 0 : 1;
}
