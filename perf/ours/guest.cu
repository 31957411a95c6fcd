// float32 from somewhere else than a plain pointer: functors, and Thrust's containers and iterators.
#include "../operations.hpp"
#include "call.cuh"

#include <preduce/thrust.hpp>

#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/zip_iterator.h>

#include <memory>

namespace perf::ours {
namespace {

template <class Functor>
struct by_functor {
  gpu_operands on;

  [[nodiscard]] Functor functor(std::int64_t offset) const {
    auto const* const a = static_cast<float const*>(on.data) + offset;
    if constexpr (std::is_same_v<Functor, element_of>)
      return {a};
    else
      return {a, static_cast<float const*>(on.other) + offset};
  }
  template <class Policy>
  void into(Policy const& policy, std::int64_t offset) const {
    preduce::parallel_reduce(policy, on.n, functor(offset), static_cast<float*>(on.result));
  }
  template <class Policy>
  float value(Policy const& policy, std::int64_t offset) const {
    return preduce::parallel_reduce(policy, on.n, functor(offset));
  }
};

/// First(offset) gives the iterator where the sequence begins.
template <class First>
struct by_iterator {
  gpu_operands on;
  First first;

  template <class Policy>
  void into(Policy const& policy, std::int64_t offset) const {
    preduce::reduce_into(policy, first(offset), first(offset) + on.n, static_cast<float*>(on.result), 0.0F);
  }
  template <class Policy>
  float value(Policy const& policy, std::int64_t offset) const {
    return preduce::reduce(policy, first(offset), first(offset) + on.n, 0.0F);
  }
};

struct from_device_ptr {
  float const* data;
  auto operator()(std::int64_t offset) const { return thrust::device_pointer_cast(data + offset); }
};

/// Its own copy of the data, shared by the copies of the call.
struct from_device_vector {
  std::shared_ptr<thrust::device_vector<float> const> vector;
  auto operator()(std::int64_t offset) const { return vector->begin() + offset; }
};

struct product_of_pair {
  PREDUCE_FUNCTION float operator()(thrust::tuple<float, float> const& pair) const {
    return thrust::get<0>(pair) * thrust::get<1>(pair);
  }
};

struct zipped_dot {
  gpu_operands on;

  [[nodiscard]] auto first(std::int64_t offset) const {
    return thrust::make_zip_iterator(static_cast<float const*>(on.data) + offset,
                                     static_cast<float const*>(on.other) + offset);
  }
  template <class Policy>
  void into(Policy const& policy, std::int64_t offset) const {
    preduce::transform_reduce_into(policy, first(offset), first(offset) + on.n, static_cast<float*>(on.result),
                                   product_of_pair{}, 0.0F, preduce::plus<float>{});
  }
  template <class Policy>
  float value(Policy const& policy, std::int64_t offset) const {
    return preduce::transform_reduce(policy, first(offset), first(offset) + on.n, product_of_pair{}, 0.0F,
                                     preduce::plus<float>{});
  }
};

std::unique_ptr<gpu_call> from_vector(std::string const& policy, gpu_operands const& on) {
  auto const first = thrust::device_pointer_cast(static_cast<float const*>(on.data));
  auto const vector = std::make_shared<thrust::device_vector<float>>(first, first + on.n);
  return under_two(policy, by_iterator<from_device_vector>{on, {vector}});
}

}  // namespace

std::unique_ptr<gpu_call> make_guest(configuration const& what, gpu_operands const& on) {
  if (what.type != element::f32) return nullptr;
  if (what.op == operation::dot && what.from == source::functor)
    return under_two(what.policy, by_functor<product_of_two>{on});
  if (what.op == operation::dot && what.from == source::zip) return under_two(what.policy, zipped_dot{on});
  if (what.op != operation::sum) return nullptr;
  switch (what.from) {
    case source::functor:
      return under_two(what.policy, by_functor<element_of>{on});
    case source::device_ptr:
      return under_two(what.policy, by_iterator<from_device_ptr>{on, {static_cast<float const*>(on.data)}});
    case source::device_vector:
      return from_vector(what.policy, on);
    default:
      return nullptr;
  }
}

}  // namespace perf::ours
