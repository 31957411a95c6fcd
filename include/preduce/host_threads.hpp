#pragma once
// Runs tasks on all host threads. Compiled in src/host_threads.cpp: over OpenMP where it was built with it.

#include <preduce/config.hpp>

#include <cstdint>

namespace preduce::detail {

using host_task = void (*)(void* context, std::int64_t index);

/// Runs task(context, i) once for every i in [0, count), on the calling thread and up to max_threads - 1 others (0: as
/// many as host_thread_count() says), in no promised order. Returns when all have run, and whatever they wrote is then
/// seen by the caller. The first exception that leaves a task is rethrown here; tasks not yet begun are then left out.
/// May be called from inside a task and by several host threads at once.
PREDUCE_API void for_each_index(std::int64_t count, int max_threads, host_task, void* context);

/// How many host threads for_each_index uses; at least 1.
PREDUCE_API int host_thread_count() noexcept;

}  // namespace preduce::detail
