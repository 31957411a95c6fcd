#include "behaviours/special_values.hpp"
