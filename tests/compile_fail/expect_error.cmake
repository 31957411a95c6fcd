# cmake -DCOMMAND=<compiler;flags> -DSOURCE=<file> -P expect_error.cmake
# Passes if the compiler refuses SOURCE with exactly one error, the sentence on its first line, and accepts it with
# -DCORRECTED.
file(STRINGS ${SOURCE} sentence LIMIT_COUNT 1)
string(REGEX REPLACE "^// error: " "" sentence "${sentence}")

execute_process(COMMAND ${COMMAND} -DCORRECTED ${SOURCE} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "refused without the mistake:\n${text}")
endif()

execute_process(COMMAND ${COMMAND} ${SOURCE} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(status EQUAL 0)
  message(FATAL_ERROR "compiled in spite of the mistake")
endif()
string(FIND "${text}" "${sentence}" found)
if(found EQUAL -1)
  message(FATAL_ERROR "expected: ${sentence}\nprinted:\n${text}")
endif()

string(REGEX MATCHALL "error( #[0-9]+)?: " errors "${text}")
list(LENGTH errors count)
if(count GREATER 1 AND NOT sentence MATCHES "^calling")  # that sentence is nvcc's own, and comes twice
  message(FATAL_ERROR "${count} errors instead of one sentence:\n${text}")
endif()
