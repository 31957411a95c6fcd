#include "behaviours/floating.hpp"
