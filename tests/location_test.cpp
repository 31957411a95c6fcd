#include "behaviours/location.hpp"
