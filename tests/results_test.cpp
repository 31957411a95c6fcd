#include "behaviours/results.hpp"
