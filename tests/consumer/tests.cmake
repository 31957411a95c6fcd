# Installs this build, and one with a shared library; then builds and runs the consumer in every way that the machine allows.
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/consumer/prefix)
add_test(NAME consumer.install COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
set_tests_properties(consumer.install PROPERTIES FIXTURES_SETUP installed_package LABELS consumer)

set(launchers)
foreach(language CXX CUDA)
  if(CMAKE_${language}_COMPILER_LAUNCHER)
    list(APPEND launchers -DCMAKE_${language}_COMPILER_LAUNCHER=${CMAKE_${language}_COMPILER_LAUNCHER})
  endif()
endforeach()
set(build_and_test ${CMAKE_CTEST_COMMAND} --build-and-test)
set(how --build-generator ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM})
set(options --build-options -DCMAKE_BUILD_TYPE=Release ${launchers})

# add_consumer(<name> <package> <options>...): <package> is the fixture that installs what the consumer finds, or NONE.
function(add_consumer name package)
  set(build ${CMAKE_CURRENT_BINARY_DIR}/consumer/${name})
  add_test(NAME consumer.${name} COMMAND ${build_and_test} ${CMAKE_CURRENT_SOURCE_DIR}/consumer ${build} ${how} ${options}
                                         ${ARGN} --test-command ${build}/consumer)
  set_tests_properties(consumer.${name} PROPERTIES LABELS consumer)
  if(NOT package STREQUAL "NONE")
    set_tests_properties(consumer.${name} PROPERTIES FIXTURES_REQUIRED ${package})
  endif()
endfunction()

set(with_cuda -DPREDUCE_CUDA=$<IF:$<BOOL:${PREDUCE_WITH_CUDA}>,ON,OFF>)
set(installed -DCMAKE_PREFIX_PATH=${prefix})
set(subdirectory -DCONSUMER_SUBDIRECTORY=${PROJECT_SOURCE_DIR} ${with_cuda})
set(same_compiler -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER})
if(CMAKE_CUDA_COMPILER_LOADED)
  set(cuda -DCONSUMER_CUDA=ON -DCMAKE_CUDA_COMPILER=${CMAKE_CUDA_COMPILER}
           -DCMAKE_CUDA_ARCHITECTURES=${PREDUCE_TEST_ARCHITECTURE})
endif()

add_consumer(installed installed_package ${installed} ${same_compiler})
add_consumer(subdirectory NONE ${subdirectory} ${same_compiler})
add_consumer(fetched NONE -DFETCHCONTENT_SOURCE_DIR_PREDUCE=${PROJECT_SOURCE_DIR} ${with_cuda} ${same_compiler})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND PREDUCE_clang++)
  add_consumer(installed_clang installed_package ${installed} -DCMAKE_CXX_COMPILER=${PREDUCE_clang++})
endif()
if(CMAKE_CUDA_COMPILER_LOADED)
  add_consumer(installed_cuda installed_package ${installed} ${same_compiler} ${cuda} -DCMAKE_CUDA_STANDARD=17)
  add_consumer(subdirectory_cuda NONE ${subdirectory} ${same_compiler} ${cuda} -DCMAKE_CUDA_STANDARD=20)
endif()

# A version that this one does not promise to be is refused.
foreach(version 0.0 0.2 1.0)
  add_test(NAME consumer.refused_${version}
           COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_SOURCE_DIR}/consumer -B
                   ${CMAKE_CURRENT_BINARY_DIR}/consumer/refused_${version} -G ${CMAKE_GENERATOR} ${installed} ${same_compiler}
                   -DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM} -DCONSUMER_VERSION=${version})
  set_tests_properties(
    consumer.refused_${version}
    PROPERTIES FIXTURES_REQUIRED installed_package LABELS consumer PASS_REGULAR_EXPRESSION
               "compatible[ \n]+with[ \n]+requested[ \n]+version[ \n]+\"${version}\"")
endforeach()

# A shared library, found by the loader rather than through a path in the program. every_call.cpp links what every call
# needs of it; the program hides what it can.
set(shared_prefix ${CMAKE_CURRENT_BINARY_DIR}/consumer/shared_prefix)
add_test(
  NAME consumer.install_shared
  COMMAND ${build_and_test} ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/consumer/shared_build ${how} --build-target
          install ${options} ${same_compiler} ${with_cuda} -DPREDUCE_SHARED=ON -DPREDUCE_TESTS=OFF -DPREDUCE_EXAMPLES=OFF
          -DPREDUCE_BENCHMARKS=OFF -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_INSTALL_PREFIX=${shared_prefix})
set_tests_properties(consumer.install_shared PROPERTIES FIXTURES_SETUP shared_package LABELS consumer)
set(shared -DCMAKE_PREFIX_PATH=${shared_prefix} ${same_compiler} -DCMAKE_SKIP_RPATH=ON
           -DCMAKE_CXX_VISIBILITY_PRESET=hidden -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON)
add_consumer(shared shared_package ${shared} -DCONSUMER_SOURCES=${PROJECT_SOURCE_DIR}/tests/user_flags/every_call.cpp)
set(shared_consumers consumer.shared)
set(library_path "LD_LIBRARY_PATH=path_list_prepend:${shared_prefix}/lib")
if(PREDUCE_WITH_CUDA)
  list(APPEND library_path "LD_LIBRARY_PATH=path_list_append:${CUDAToolkit_LIBRARY_DIR}")
endif()
if(CMAKE_CUDA_COMPILER_LOADED)
  add_consumer(shared_cuda shared_package ${shared} ${cuda})
  list(APPEND shared_consumers consumer.shared_cuda)
endif()
set_tests_properties(${shared_consumers} PROPERTIES ENVIRONMENT_MODIFICATION "${library_path}")
