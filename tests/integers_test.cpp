#include "behaviours/integers.hpp"
