#include "behaviours/indices.hpp"
