#include "behaviours/ladder.hpp"
