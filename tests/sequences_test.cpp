#include "behaviours/sequences.hpp"
