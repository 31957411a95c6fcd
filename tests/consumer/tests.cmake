# Installs this build, then builds and runs the consumer in every way that the machine allows.
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/consumer/prefix)
add_test(NAME consumer.install COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
set_tests_properties(consumer.install PROPERTIES FIXTURES_SETUP installed_package LABELS consumer)

set(launchers)
foreach(language CXX CUDA)
  if(CMAKE_${language}_COMPILER_LAUNCHER)
    list(APPEND launchers -DCMAKE_${language}_COMPILER_LAUNCHER=${CMAKE_${language}_COMPILER_LAUNCHER})
  endif()
endforeach()

function(add_consumer name)
  set(build ${CMAKE_CURRENT_BINARY_DIR}/consumer/${name})
  add_test(
    NAME consumer.${name}
    COMMAND
      ${CMAKE_CTEST_COMMAND} --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/consumer ${build} --build-generator
      ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM} --build-options -DCMAKE_BUILD_TYPE=Release
      ${launchers} ${ARGN} --test-command ${build}/consumer)
  set_tests_properties(consumer.${name} PROPERTIES LABELS consumer)
endfunction()

set(installed -DCMAKE_PREFIX_PATH=${prefix})
set(subdirectory -DCONSUMER_SUBDIRECTORY=${PROJECT_SOURCE_DIR} -DPREDUCE_CUDA=$<IF:$<BOOL:${PREDUCE_WITH_CUDA}>,ON,OFF>)
set(same_compiler -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER})

add_consumer(installed ${installed} ${same_compiler})
add_consumer(subdirectory ${subdirectory} ${same_compiler})
set(using_installed installed)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND PREDUCE_clang++)
  add_consumer(installed_clang ${installed} -DCMAKE_CXX_COMPILER=${PREDUCE_clang++})
  list(APPEND using_installed installed_clang)
endif()
if(CMAKE_CUDA_COMPILER_LOADED)
  set(cuda -DCONSUMER_CUDA=ON -DCMAKE_CUDA_COMPILER=${CMAKE_CUDA_COMPILER}
           -DCMAKE_CUDA_ARCHITECTURES=${PREDUCE_TEST_ARCHITECTURE})
  add_consumer(installed_cuda ${installed} ${same_compiler} ${cuda} -DCMAKE_CUDA_STANDARD=17)
  add_consumer(subdirectory_cuda ${subdirectory} ${same_compiler} ${cuda} -DCMAKE_CUDA_STANDARD=20)
  list(APPEND using_installed installed_cuda)
endif()
foreach(name IN LISTS using_installed)
  set_tests_properties(consumer.${name} PROPERTIES FIXTURES_REQUIRED installed_package)
endforeach()
