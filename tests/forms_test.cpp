#include "behaviours/forms.hpp"
