# Finds the CUDA toolkit: sets PREDUCE_WITH_CUDA, and enables language CUDA in a top-level build. The library itself has
# no .cu file: its compiled part calls the runtime from C++, so a project that adds preduce as a subdirectory decides
# alone whether it uses language CUDA, and for which architectures: there only the toolkit's runtime is looked for.

set(PREDUCE_WITH_CUDA OFF)
if(PREDUCE_CUDA STREQUAL "AUTO" OR PREDUCE_CUDA)
  if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    # CMake looks for nvcc on PATH only; the toolkit's own installer does not put it there.
    find_program(PREDUCE_NVCC nvcc HINTS ${CUDAToolkit_ROOT} ENV CUDAToolkit_ROOT ENV CUDA_PATH ENV CUDA_HOME
                 PATHS /usr/local/cuda PATH_SUFFIXES bin DOC "nvcc, used where CMAKE_CUDA_COMPILER is not set")
    mark_as_advanced(PREDUCE_NVCC)
    if(PREDUCE_NVCC)
      set(CMAKE_CUDA_COMPILER ${PREDUCE_NVCC})
    endif()
  endif()

  if(PROJECT_IS_TOP_LEVEL)
    include(CheckLanguage)
    check_language(CUDA)
  endif()
  if(CMAKE_CUDA_COMPILER OR NOT PROJECT_IS_TOP_LEVEL)
    find_package(CUDAToolkit 12.6)
    set(PREDUCE_WITH_CUDA ${CUDAToolkit_FOUND})
  endif()

  if(NOT PREDUCE_WITH_CUDA AND NOT PREDUCE_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "PREDUCE_CUDA is ON, but no CUDA toolkit 12.6 or newer was found: "
                        "put nvcc on PATH, set CUDACXX, or configure with -DPREDUCE_CUDA=OFF")
  endif()
endif()

if(PREDUCE_WITH_CUDA AND PROJECT_IS_TOP_LEVEL)
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    set(CMAKE_CUDA_ARCHITECTURES 75 80 90 120)  # before enable_language, which would fix one
  endif()
  enable_language(CUDA)
endif()

if(PREDUCE_WITH_CUDA)
  message(STATUS "preduce: CUDA ${CUDAToolkit_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "preduce: no CUDA; the GPU policies run on the simulated machine")
endif()

# What a .cu file that uses preduce must be compiled with. As generator expressions, they wait for the user's language.
function(preduce_cuda_usage target)
  if("cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
    target_compile_features(${target} PUBLIC cuda_std_20)
  else()  # CMake 3.25 does not know that nvcc speaks C++20
    target_compile_options(${target} PUBLIC $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-std=c++20>)
  endif()
  target_compile_options(${target} PUBLIC $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--extended-lambda>)
endfunction()
