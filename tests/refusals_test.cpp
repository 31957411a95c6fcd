#include "behaviours/refusals.hpp"
