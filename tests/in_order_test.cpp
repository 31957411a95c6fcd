#include "behaviours/in_order.hpp"
