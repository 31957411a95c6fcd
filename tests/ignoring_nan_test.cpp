#include "behaviours/ignoring_nan.hpp"
