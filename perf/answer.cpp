#include "answer.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

namespace perf {
namespace {

template <class T>
void append(answer& to, void const* memory, std::int64_t offset) {
  T value;
  std::memcpy(&value, static_cast<char const*>(memory) + offset, sizeof value);
  to.numbers.push_back(static_cast<double>(value));
  to.bits += hex_bits(value);
}

void append_scalar(answer& to, element type, void const* memory, std::int64_t offset) {
  switch (type) {
    case element::f64:
      return append<double>(to, memory, offset);
    case element::i8:
      return append<std::int8_t>(to, memory, offset);
    case element::u8:
      return append<std::uint8_t>(to, memory, offset);
    case element::i16:
      return append<std::int16_t>(to, memory, offset);
    case element::i32:
      return append<std::int32_t>(to, memory, offset);
    case element::i64:
      return append<std::int64_t>(to, memory, offset);
    default:  // f16 and bf16 end in a float
      return append<float>(to, memory, offset);
  }
}

}  // namespace

answer decode(std::string from, operation op, element input, void const* result) {
  answer read{std::move(from), {}, {}};
  auto const type = accumulator(op, input);
  for (std::int64_t i = 0; i < components(op); ++i) append_scalar(read, type, result, i * scalar_bytes(type));
  if (op == operation::min_loc || op == operation::max_loc) append<std::int64_t>(read, result, 8);
  return read;
}

std::vector<double> tolerances(configuration const& what, std::vector<double> const& reference) {
  std::vector<double> allowed(reference.size(), 0);
  auto const type = accumulator(what.op, what.type);
  bool const rounds = type == element::f32 || type == element::f64;
  bool const chooses = what.op == operation::min || what.op == operation::max || what.op == operation::min_loc ||
                       what.op == operation::max_loc;
  if (!rounds || chooses) return allowed;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    // No value is negative, so a sum is the sum of its magnitudes; but for the shifts of `affine`, -1/2 an element.
    auto const magnitudes =
        what.op == operation::affine ? reference[i] + static_cast<double>(what.n) : std::abs(reference[i]);
    allowed[i] =
        type == element::f64 ? sum_tolerance<double>(what.n, magnitudes) : sum_tolerance<float>(what.n, magnitudes);
    if (what.op == operation::affine || what.op == operation::dot) allowed[i] *= 2;  // two roundings an element
  }
  return allowed;
}

std::string compare_with_reference(answer const& got, std::vector<double> const& reference,
                                   std::vector<double> const& allowed) {
  if (got.numbers.size() != reference.size()) return got.from + " gave another kind of result than the reference";
  for (std::size_t i = 0; i < reference.size(); ++i) {
    auto const off = std::abs(got.numbers[i] - reference[i]);
    if (off <= allowed[i]) continue;
    char text[200];
    std::snprintf(text, sizeof text, " gave %.17g, the reference is %.17g: off by %.3g, allowed %.3g", got.numbers[i],
                  reference[i], off, allowed[i]);
    return got.from + text;
  }
  return {};
}

std::string compare_bits(answer const& got, answer const& other) {
  if (got.bits == other.bits) return {};
  return got.from + " gave the bits " + got.bits + ", " + other.from + ' ' + other.bits;
}

}  // namespace perf
