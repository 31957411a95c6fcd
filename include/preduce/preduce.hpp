#pragma once
// Everything but guests: the call, the reducers, the policies. Include the parts instead where compile time matters.

#include <preduce/automatic.hpp>
#include <preduce/errors.hpp>
#include <preduce/ignoring_nan.hpp>
#include <preduce/ladder.hpp>
#include <preduce/last_block.hpp>
#include <preduce/location.hpp>
#include <preduce/logic.hpp>
#include <preduce/look_back.hpp>
#include <preduce/monoids.hpp>
#include <preduce/openmp.hpp>
#include <preduce/parallel_reduce.hpp>
#include <preduce/plan.hpp>
#include <preduce/range.hpp>
#include <preduce/reduce.hpp>
#include <preduce/reducers.hpp>
#include <preduce/serial.hpp>
#include <preduce/shape.hpp>
#include <preduce/two_pass.hpp>
