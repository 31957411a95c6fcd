#include "behaviours/concurrency.hpp"
