#include "behaviours/logic.hpp"
