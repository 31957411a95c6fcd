#include "behaviours/alignment.hpp"
