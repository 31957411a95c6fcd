# Flags of preduce's own build; nothing here is exported.

add_library(preduce_warnings INTERFACE)
set(warnings -Wall -Wextra -Wshadow -Wconversion)
if(PREDUCE_WERROR)
  list(APPEND warnings -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND warnings -Wno-restrict)  # false in std::string's operator+: gcc.gnu.org/PR105651
endif()
list(JOIN warnings "," host_pass_warnings)
target_compile_options(
  preduce_warnings
  INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>"
    "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=${host_pass_warnings};-Xcudafe=--display_error_number>"
    "$<$<AND:$<BOOL:${PREDUCE_WERROR}>,$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>>:-Werror=all-warnings>")

add_library(preduce_sanitizers INTERFACE)
if(PREDUCE_SANITIZE)
  set(sanitize -fsanitize=${PREDUCE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # The library at -O1, tests at -O0: clang++ takes four times as long to compile an instrumented test at -O1, and what a test
  # costs is mostly the simulated machine, which is the library's.
  set(level "$<IF:$<STREQUAL:$<TARGET_PROPERTY:NAME>,preduce>,-O1,-O0>")
  target_compile_options(preduce_sanitizers INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${sanitize};${level};-g1>")
  target_link_options(preduce_sanitizers INTERFACE ${sanitize})
endif()

# A shuffle must not order memory, or ThreadSanitizer would miss a forgotten __syncwarp: the exchange of values is not
# instrumented, and must not become a call of memcpy, which ThreadSanitizer intercepts.
function(preduce_uninstrumented source)
  set_source_files_properties(
    ${source} PROPERTIES COMPILE_OPTIONS
    "-fno-sanitize=thread;-fno-builtin;$<$<CXX_COMPILER_ID:GNU>:-fno-tree-loop-distribute-patterns>")
endfunction()
