// A program, not a test case: the library's own kernel bodies on the simulated machine, seen through a context that
// leaves out one thing they rely on. ThreadSanitizer must name each race, and `none` must pass in silence.

// faults: relaxed_ticket missing_barrier missing_barrier_before_reuse plain_announcement racy_result

#include <preduce/preduce.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using namespace preduce;

struct fault {
  bool relaxed_ticket = false;
  int barrier_left_out = -1;  // of those that a thread comes to, counted from 0
  bool plain_announcement = false;
  bool racy_result = false;
};

/// simt_context, less what the fault takes away.
class faulty_context : public simt::simt_context {
 public:
  faulty_context(simt::thread_state& self, fault const& planted) : simt_context(self), planted_(&planted) {}

  void sync_block() const {
    if (barriers_++ != planted_->barrier_left_out) simt_context::sync_block();
  }
  unsigned take_ticket(unsigned* counter, unsigned limit) const {
    return simt::increment_wrapping(counter, limit, !planted_->relaxed_ticket);
  }
  void store_relaxed(std::uint64_t* word, std::uint64_t value) const {
    if (planted_->plain_announcement)
      *word = value;
    else
      simt_context::store_relaxed(word, value);
  }

 private:
  fault const* planted_;
  mutable int barriers_ = 0;
};
static_assert(simt::context<faulty_context>);

template <class Body>
void run(plan const& made, Body const& body, fault const& planted) {
  struct pair {
    Body const& body;
    fault const& planted;
  } const both{body, planted};
  simt::launch({simt::engine::fibers, 1}, {made.blocks, made.threads, made.shared_bytes}, &both,
               [](void const* erased, simt::thread_state& self) {
                 auto const& [kernel, what] = *static_cast<pair const*>(erased);
                 kernel(faulty_context(self, what));
               });
}

/// Every thread adds its elements to the result, and nothing orders them: the kernel that is never offered.
struct racy_sum {
  float const* input;
  float* result;
  std::int64_t n;
  template <simt::context C>
  void operator()(C const& ctx) const {
    for (std::int64_t i = ctx.block_rank() * ctx.block_size() + ctx.thread_rank(); i < n;
         i += ctx.grid_size() * ctx.block_size())
      *result += input[i];
  }
};

}  // namespace

int main(int argc, char** argv) {
  char const* const name = argc > 1 ? argv[1] : "none";
  fault planted;
  if (std::strcmp(name, "relaxed_ticket") == 0)
    planted.relaxed_ticket = true;
  else if (std::strcmp(name, "missing_barrier") == 0)
    planted.barrier_left_out = 0;
  else if (std::strcmp(name, "missing_barrier_before_reuse") == 0)
    planted.barrier_left_out = 1;
  else if (std::strcmp(name, "plain_announcement") == 0)
    planted.plain_announcement = true;
  else if (std::strcmp(name, "racy_result") == 0)
    planted.racy_result = true;
  else if (std::strcmp(name, "none") != 0)
    return std::fprintf(stderr, "no fault is called %s\n", name), 2;

  std::int64_t const n = 100'003;  // several tiles, several units a block: slots are used again
  std::vector<float> input(n);
  for (std::int64_t i = 0; i < n; ++i) input[static_cast<std::size_t>(i)] = static_cast<float>(i % 17);
  float result = -1;

  if (planted.racy_result) {
    plan made;
    made.blocks = 2;
    made.threads = 64;
    run(made, racy_sum{input.data(), &result, n}, planted);
    return 0;
  }
  using finish = detail::grid_finish<plus<float>, float, float>;
  using job_type = detail::grid_job<detail::pointer_source<float, float>, finish>;
  float const expected = reduce(serial, input.data(), input.data() + n);
  auto const is_right = [&](char const* policy) {
    std::printf("%s: %g, expected %g\n", policy, static_cast<double>(result), static_cast<double>(expected));
    return result == expected;
  };

  bool const of_last_block = planted.relaxed_ticket || planted.barrier_left_out >= 0;
  if (!of_last_block) {
    auto const made = look_back.plan_for<float>(n, simulated_device_facts());
    if (made.algorithm != grid_algorithm::look_back) return std::fprintf(stderr, "not planned so\n"), 2;
    std::vector<std::uint64_t> words(made.workspace.announced / 8 + 1);
    auto* const announced = words.data() + reinterpret_cast<std::uintptr_t>(words.data()) / 8 % 2;  // aligned to 16
    job_type const job{{input.data(), {}}, {{}, {}, made.order, nullptr, &result, nullptr, 0}};
    for (int call = 0; call < 2; ++call) {
      run(made, detail::look_back_body<job_type>{job, announced}, planted);
      if (planted.plain_announcement) return 0;
      if (!is_right("look_back")) return 1;
      for (auto const word : words)
        if (word != 0) return std::fprintf(stderr, "a word is left raised\n"), 1;
      result = -1;
      std::reverse(input.begin(), input.end());  // the next call has other partials
    }
    std::reverse(input.begin(), input.end());
  }
  auto const made = last_block.plan_for<float>(n, simulated_device_facts());
  std::vector<float> partials(static_cast<std::size_t>(made.order.units) + 4);
  unsigned ticket = 0;
  auto* const aligned = reinterpret_cast<float*>((reinterpret_cast<std::uintptr_t>(partials.data()) + 15) / 16 * 16);
  job_type const job{{input.data(), {}}, {{}, {}, made.order, aligned, &result, nullptr, 0}};
  run(made, detail::last_block_body<job_type>{job, &ticket}, planted);
  if (of_last_block) return 0;
  return is_right("last_block") ? 0 : 1;
}
