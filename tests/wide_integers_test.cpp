#include "behaviours/wide_integers.hpp"
