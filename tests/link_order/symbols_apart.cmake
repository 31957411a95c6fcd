# cmake -DNM=<nm> -DOBJECTS=<a.o;b.o> -P symbols_apart.cmake
# Fails if both objects define a weak symbol that preduce instantiated for a type of the user's.
cmake_minimum_required(VERSION 3.25)  # policies: empty list elements, IN_LIST

foreach(object IN LISTS OBJECTS)
  execute_process(COMMAND ${NM} -C --defined-only ${object} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "," text "${text}")
  string(REPLACE "[" "(" text "${text}")  # an open bracket would glue list elements together
  string(REPLACE "]" ")" text "${text}")
  string(REPLACE "\n" ";" lines "${text}")
  list(FILTER lines INCLUDE REGEX " [VWu] ")
  list(FILTER lines INCLUDE REGEX "preduce::.*link_order::")
  list(TRANSFORM lines REPLACE "^.* [VWu] " "")
  if(NOT lines)
    message(FATAL_ERROR "no instantiation found in ${object}: does this test still look for the right names?")
  endif()
  foreach(line IN LISTS lines)
    if(line IN_LIST seen)
      message(SEND_ERROR "in both objects: ${line}")
    endif()
  endforeach()
  list(APPEND seen ${lines})
endforeach()
