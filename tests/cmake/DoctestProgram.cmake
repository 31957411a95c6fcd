# add_doctest_program(<name> <sources>...): a program of doctest cases.
function(add_doctest_program name)
  set(support ${PROJECT_SOURCE_DIR}/tests/main.cpp ${PROJECT_SOURCE_DIR}/tests/support/case_log.cpp)
  add_executable(${name} ${support} ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE preduce::preduce preduce_warnings doctest::doctest Threads::Threads)
endfunction()

# add_doctest_entry(<entry> <program> <filter>...): a CTest entry for the cases of program that pass doctest's filters.
# It leaves one line a case in <build>/cases/<entry>.tsv, from which scripts/test.sh counts.
function(add_doctest_entry entry program)
  add_test(NAME ${entry} COMMAND ${program} ${ARGN})
  set_tests_properties(${entry} PROPERTIES ENVIRONMENT PREDUCE_CASE_LOG=${PROJECT_BINARY_DIR}/cases/${entry}.tsv
                                           LABELS doctest)
endfunction()

# add_doctest_entries(<program> <sources>...): an entry <program>.<name> for each source NAME_test.cpp and its cases in
# behaviours/NAME.hpp, so that CTest runs several at once and says where a failure lies; and one for all other cases.
function(add_doctest_entries program)
  set(seen)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source FILENAME file)
    string(REGEX REPLACE "_test\\.cpp$" "" name ${file})
    add_doctest_entry(${program}.${name} ${program} --source-file=*/${file},*/behaviours/${name}.hpp)
    list(APPEND seen */${file} */behaviours/${name}.hpp)
  endforeach()
  list(JOIN seen "," seen)
  add_doctest_entry(${program}.other ${program} --source-file-exclude=${seen})
endfunction()
