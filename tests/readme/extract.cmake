# cmake -DREADME=<file> -DMARKER=<line> -DFRAME=<file> -DOUTPUT=<file> -P extract.cmake
# Writes the block of code that follows MARKER, inside FRAME if one is given.
cmake_minimum_required(VERSION 3.25)  # else @block@ in this file is a variable
file(READ ${README} text)
string(FIND "${text}" "${MARKER}" start)
string(SUBSTRING "${text}" ${start} -1 text)
string(FIND "${text}" "```cpp\n" start)
math(EXPR start "${start} + 7")
string(SUBSTRING "${text}" ${start} -1 text)
string(FIND "${text}" "\n```" length)
string(SUBSTRING "${text}" 0 ${length} block)
if(FRAME)
  file(READ ${FRAME} frame)
  string(REPLACE "@block@" "${block}" block "${frame}")
endif()
file(WRITE ${OUTPUT} "${block}\n")
