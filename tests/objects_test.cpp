#include "behaviours/objects.hpp"
