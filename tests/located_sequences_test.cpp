#include "behaviours/located_sequences.hpp"
