#pragma once
// The version, for the preprocessor. CMakeLists.txt reads it from here.

#define PREDUCE_VERSION_MAJOR 0
#define PREDUCE_VERSION_MINOR 1
#define PREDUCE_VERSION_PATCH 0

/// One number to compare: 100 for 0.1.0, 10203 for 1.2.3.
#define PREDUCE_VERSION (PREDUCE_VERSION_MAJOR * 10000 + PREDUCE_VERSION_MINOR * 100 + PREDUCE_VERSION_PATCH)
