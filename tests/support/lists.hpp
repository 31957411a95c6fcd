#pragma once
// The policies that behaviour tests walk. A new policy joins by its line here.
//
// In a .cpp file: the host policies, and the GPU policies on the simulated machine. In a .cu file: the GPU policies on
// the GPU.

#include "device.hpp"
#include "memory.hpp"
#include "seed.hpp"
#include "sizes.hpp"

#include <preduce/preduce.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace lists {

/// What a test needs to know about a policy.
struct entry {
  std::string name;
  memory::place place = memory::place::host;
  sizes::pace pace = sizes::pace::fast;
  bool plain = false;  ///< no options: one entry a policy, for what does not depend on the launch
};

namespace detail {

inline std::string with_block(char const* policy, int threads) {
  return std::string(policy) + ", block_size " + std::to_string(threads);
}

#ifdef __CUDACC__
template <class Policy, class Visit>
void visit_gpu(Policy const& policy, Visit&& visit) {
  visit(policy, entry{policy.name(), memory::place::gpu, sizes::pace::fast, true});
  for (int const threads : {32, 64, 96, 160, 256, 512, 992, 1024}) {
    visit(policy.block_size(threads), entry{with_block(policy.name(), threads), memory::place::gpu});
  }
  visit(policy.blocks(3), entry{std::string(policy.name()) + ", 3 blocks", memory::place::gpu});
  for (int const lanes : {32, 256, 4096}) {
    visit(policy.unit_lanes(lanes),
          entry{std::string(policy.name()) + ", unit_lanes " + std::to_string(lanes), memory::place::gpu});
  }
}
#endif

template <class Policy, class Visit>
void visit_simulated(Policy const& policy, Visit&& visit) {
  auto const host = memory::place::host;
  std::string const name = policy.name();
  visit(policy.on(preduce::simt_host), entry{name + " on simt_host", host, sizes::pace::launch, true});
  auto const fibers = preduce::simt_host.fibers(sample::seed());
  for (int const threads : {32, 96, 256}) {
    if (device::built_with_sanitizer && threads != 96) continue;
    visit(policy.block_size(threads).on(fibers),
          entry{with_block(policy.name(), threads) + ", on fibers", host, sizes::pace::launch});
  }
  visit(policy.block_size(64).blocks(2).unit_lanes(256).on(fibers),
        entry{name + ", unit_lanes 256, 2 blocks, on fibers", host, sizes::pace::launch});
  visit(policy.unit_lanes(4096).on(fibers), entry{name + ", unit_lanes 4096, on fibers", host, sizes::pace::launch});
  // ThreadSanitizer looks at the kernels on fibers: reproducibly, and ten times faster.
  if (device::built_with_thread_sanitizer) return;
  visit(policy.block_size(96).on(preduce::simt_host.threads()),
        entry{with_block(policy.name(), 96) + ", on threads", host, sizes::pace::crawl});
}

/// A policy whose kernels the lists of others look at already.
template <class Policy, class Visit>
void visit_simulated_few(Policy const& policy, Visit&& visit) {
  auto const host = memory::place::host;
  std::string const name = policy.name();
  visit(policy.on(preduce::simt_host), entry{name + " on simt_host", host, sizes::pace::launch, true});
  if constexpr (requires { policy.block_size(96); }) {
    auto const fibers = preduce::simt_host.fibers(sample::seed());
    visit(policy.block_size(96).on(fibers),
          entry{with_block(policy.name(), 96) + ", on fibers", host, sizes::pace::launch});
    if (device::built_with_thread_sanitizer) return;
    visit(policy.block_size(96).on(preduce::simt_host.threads()),
          entry{with_block(policy.name(), 96) + ", on threads", host, sizes::pace::crawl});
  }
}

template <class Visit>
void visit_host(Visit&& visit) {
  auto const host = memory::place::host;
  visit(preduce::serial, entry{"serial", host, sizes::pace::fast, true});
  visit(preduce::openmp, entry{"openmp", host, sizes::pace::fast, true});
  visit(preduce::openmp.threads(1), entry{"openmp, 1 thread", host});
  visit(preduce::openmp.threads(3), entry{"openmp, 3 threads", host});
  visit(preduce::automatic, entry{"automatic", host, sizes::pace::fast, true});
}

}  // namespace detail

/// Calls visit(policy, entry) for every policy and configuration.
template <class Visit>
void for_each_policy(Visit&& visit) {
#ifdef __CUDACC__
  detail::visit_gpu(preduce::two_pass, visit);
  detail::visit_gpu(preduce::look_back, visit);
  visit(preduce::automatic, entry{"automatic", memory::place::gpu, sizes::pace::fast, true});
#  ifndef PREDUCE_TEST_FEW_POLICIES
  detail::visit_gpu(preduce::last_block, visit);
  detail::visit_gpu(preduce::grid_sync, visit);
  visit(preduce::single_thread, entry{"single_thread", memory::place::gpu, sizes::pace::launch, true});
#  endif
#else
  detail::visit_host(visit);
  detail::visit_simulated(preduce::two_pass, visit);
  detail::visit_simulated(preduce::look_back, visit);
  detail::visit_simulated_few(preduce::last_block, visit);
  detail::visit_simulated_few(preduce::grid_sync, visit);
  if constexpr (!device::built_with_sanitizer) {  // the kernels of others, picked: a launch is enough
    visit(preduce::automatic.on(preduce::simt_host.fibers(sample::seed())).block_size(64),
          entry{"automatic, block_size 64, on fibers", memory::place::host, sizes::pace::launch});
  }
  if constexpr (!device::built_with_thread_sanitizer)  // one thread races with nobody
    detail::visit_simulated_few(preduce::single_thread, visit);
#endif
}

/// Calls visit(policy, entry) for every rung of the ladder that combines in an order of its own.
template <class Visit>
void for_each_rung(Visit&& visit) {
  preduce::ladder::for_each_rung([&](auto const& rung, char const*) {
    using policy = std::remove_cvref_t<decltype(rung)>;
    if constexpr (policy::algorithm == preduce::grid_algorithm::classic) {
#ifdef __CUDACC__
      visit(rung, entry{rung.name(), memory::place::gpu, sizes::pace::fast, true});
#else
      visit(rung.on(preduce::simt_host.fibers(sample::seed())),
            entry{std::string(rung.name()) + " on fibers", memory::place::host, sizes::pace::launch, true});
#endif
    }
  });
}

/// Whether a policy takes part in what a launch's options cannot change: slow ones once, without options.
inline bool covers(entry const& about) {
  return about.plain || about.pace == sizes::pace::fast;
}

/// Sizes for a policy of the list.
inline std::vector<std::int64_t> boundary_sizes(entry const& about) {
  return sizes::boundaries(about.pace);
}
inline std::vector<std::int64_t> few_sizes(entry const& about) {
  return sizes::few(about.pace);
}

/// The same, where covers() says so.
inline std::vector<std::int64_t> boundary_sizes_once(entry const& about) {
  return covers(about) ? boundary_sizes(about) : std::vector<std::int64_t>{};
}
inline std::vector<std::int64_t> few_sizes_once(entry const& about) {
  return covers(about) ? few_sizes(about) : std::vector<std::int64_t>{};
}

/// Every n up to 3000 where covers() says so, and boundaries.
inline std::vector<std::int64_t> every_size(entry const& about) {
  return covers(about) ? sizes::every(about.pace) : boundary_sizes(about);
}

/// Calls visit(policy, entry) once for every policy: for behaviours that do not depend on the launch.
template <class Visit>
void for_each_plain_policy(Visit&& visit) {
  for_each_policy([&](auto const& policy, entry const& about) {
    if (about.plain) visit(policy, about);
  });
}

}  // namespace lists
