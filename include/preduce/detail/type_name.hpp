#pragma once
// The name of a type, for messages.

#include <preduce/config.hpp>

#include <cstddef>

namespace preduce::detail::inline PREDUCE_ABI {

template <class T>
struct type_text {
  static constexpr char const* whole() { return __PRETTY_FUNCTION__; }
  // "... [with T = float]" from g++, "... [T = float]" from clang: what stands between "T = " and the end or a ';'.
  static constexpr auto make() {
    struct text {
      char characters[96] = {};
    } name;
    auto const* at = whole();
    while (*at != '\0' && !(at[0] == 'T' && at[1] == ' ' && at[2] == '=' && at[3] == ' ')) ++at;
    if (*at != '\0') at += 4;
    std::size_t length = 0;
    while (*at != '\0' && *at != ';' && length + 1 < sizeof(name.characters)) name.characters[length++] = *at++;
    if (length > 0 && name.characters[length - 1] == ']') name.characters[length - 1] = '\0';
    return name;
  }
  static constexpr auto value = make();
};

template <class T>
constexpr char const* type_name() {
  return type_text<T>::value.characters;
}

}  // namespace preduce::detail::inline PREDUCE_ABI
