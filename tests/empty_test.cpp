#include "behaviours/empty.hpp"
