// Values, indices and the forms of a call on the GPU.
#include "../behaviours/empty.hpp"
#include "../behaviours/forms.hpp"
#include "../behaviours/indices.hpp"
#include "../behaviours/special_values.hpp"
