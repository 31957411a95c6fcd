#pragma once
// From a body, `into(policy, offset)` and `value(policy, offset)`, to a gpu_call under a policy named at run time.

#include "ours.hpp"

#include <preduce/preduce.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace perf::ours {

template <class Body, class Policy>
class our_call : public gpu_call {
 public:
  our_call(Body body, Policy policy) : body_(std::move(body)), policy_(policy) {}

  cudaError_t issue(std::int64_t offset) override {
    body_.into(policy_, offset);
    return cudaSuccess;
  }
  cudaError_t to_host(std::int64_t offset, void* result) override {
    auto const value = body_.value(policy_, offset);
    std::memcpy(result, &value, sizeof value);
    return cudaSuccess;
  }

 private:
  Body body_;
  Policy policy_;
};

template <class Body, class Policy>
std::unique_ptr<gpu_call> under(Policy const& policy, Body body) {
  auto const on_stream = policy.on(body.on.stream);
  return std::make_unique<our_call<Body, std::remove_const_t<decltype(on_stream)>>>(std::move(body), on_stream);
}

/// The choice of a user who names no policy, and the policy that its bits are compared with.
template <class Body>
std::unique_ptr<gpu_call> under_two(std::string const& policy, Body body) {
  if (policy == preduce::automatic.name()) return under(preduce::automatic, std::move(body));
  if (policy == preduce::two_pass.name()) return under(preduce::two_pass, std::move(body));
  return nullptr;
}

/// All GPU policies of the canonical order that keep the whole GPU busy.
template <class Body>
std::unique_ptr<gpu_call> under_any(std::string const& policy, Body body) {
  if (policy == preduce::last_block.name()) return under(preduce::last_block, std::move(body));
  if (policy == preduce::look_back.name()) return under(preduce::look_back, std::move(body));
  if (policy == preduce::grid_sync.name()) return under(preduce::grid_sync, std::move(body));
  return under_two(policy, std::move(body));
}

/// n values of T in memory, combined in Acc.
template <class T, class Acc, class Op = preduce::plus<Acc>>
struct sequence {
  gpu_operands on;
  Acc init{};
  Op op{};

  [[nodiscard]] T const* first(std::int64_t offset) const { return static_cast<T const*>(on.data) + offset; }
  template <class Policy>
  void into(Policy const& policy, std::int64_t offset) const {
    preduce::reduce_into(policy, first(offset), first(offset) + on.n, static_cast<Acc*>(on.result), init, op);
  }
  template <class Policy>
  Acc value(Policy const& policy, std::int64_t offset) const {
    return preduce::reduce(policy, first(offset), first(offset) + on.n, init, op);
  }
};

inline bool in_memory(configuration const& what) {
  return what.from == source::pointer || what.from == source::pointer_1;
}

}  // namespace perf::ours
