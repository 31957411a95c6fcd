#pragma once
// The two sides of a measurement, ready to be timed: our call and those it is compared with, over the same data.

#include "configuration.hpp"
#include "pairs.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf {

class contender {
 public:
  contender() = default;
  contender(contender const&) = delete;
  contender& operator=(contender const&) = delete;
  virtual ~contender() = default;
  /// Takes one sample: microseconds a call.
  virtual double sample() = 0;
};

/// Any sampler `double operator()()` as a contender. Samplers stay where they are made.
template <class Sampler>
class sampled : public contender {
 public:
  template <class... Arguments>
  explicit sampled(Arguments&&... arguments) : sampler_(std::forward<Arguments>(arguments)...) {}
  double sample() override { return sampler_(); }

 private:
  Sampler sampler_;
};

struct rival {
  baseline_kind kind;
  std::string version;
  std::unique_ptr<contender> side;
};

struct contest {
  std::unique_ptr<contender> ours;
  std::vector<rival> rivals;  ///< none: a time, and no claim
};

/// A configuration that this machine or this build cannot measure: what() says why.
struct left_out : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace perf
