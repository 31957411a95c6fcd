#include "behaviours/sizes.hpp"
