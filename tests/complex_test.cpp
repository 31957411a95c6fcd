#include "behaviours/complex.hpp"
