// Slots of device memory. Nothing is allocated after warm-up: a running stream keeps its slot, a destroyed graph gives
// its slots back for the next capture. A slot belongs to the context that it was allocated in, and goes with it.

#include <preduce/workspace.hpp>

#if PREDUCE_WITH_CUDA

#  include <preduce/shape.hpp>

#  include "driver.hpp"
#  include "status.hpp"

#  include <algorithm>
#  include <atomic>
#  include <bit>
#  include <map>
#  include <memory>
#  include <mutex>
#  include <tuple>
#  include <utility>
#  include <vector>

namespace preduce::detail {
namespace {

constexpr std::size_t header_bytes = 256;  // the ticket, the barrier 128 bytes behind it, and the others' alignment
constexpr workspace_size running_size{static_cast<std::size_t>(order_max_tiles) * 16, most_announced_bytes};
constexpr workspace_size least_captured_size{4096, 512};  // announced: only where there are any
constexpr std::size_t most_streams = 256;                 // beyond, slots of streams that may be gone are looked for

struct device_slot {
  unsigned long long context = 0;  // whose memory it is
  workspace_size size;
  void* memory = nullptr;          // header, partials, announced words
  std::vector<void*> outgrown;     // may still be in use by earlier launches; freed when the slot rests
  cudaEvent_t last_use = nullptr;  // recorded at the end of each call once many streams are known
  std::mutex held;

  [[nodiscard]] unsigned* ticket() const { return static_cast<unsigned*>(memory); }
  [[nodiscard]] void* partials() const { return after(header_bytes); }
  [[nodiscard]] std::uint64_t* announced() const {
    return static_cast<std::uint64_t*>(after(header_bytes + size.partials));
  }
  [[nodiscard]] bool holds(workspace_size const& wanted) const {
    return size.partials >= wanted.partials && size.announced >= wanted.announced;
  }

 private:
  [[nodiscard]] void* after(std::size_t bytes) const { return static_cast<unsigned char*>(memory) + bytes; }
};

workspace_size larger(workspace_size const& a, workspace_size const& b) {
  return {std::max(a.partials, b.partials), std::max(a.announced, b.announced)};
}

/// A size that suffices, of which there are few.
workspace_size rounded(workspace_size const& wanted, workspace_size const& least) {
  auto const enough = larger(wanted, least);
  return {std::bit_ceil(enough.partials), std::bit_ceil(enough.announced)};
}

/// Memory with a ticket and announced words of zero. Waits for nothing but its own memset.
void* allocate(workspace_size const& size, call_context const& about) {
  relaxed_capture const relaxed;
  void* memory = nullptr;
  check(cudaMalloc(&memory, header_bytes + size.announced + size.partials), about, "allocating workspace");
  cudaStream_t own = nullptr;
  check(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking), about, "preparing workspace");
  auto* const announced = static_cast<unsigned char*>(memory) + header_bytes + size.partials;
  auto status = cudaMemsetAsync(memory, 0, header_bytes, own);
  if (status == cudaSuccess && size.announced > 0) status = cudaMemsetAsync(announced, 0, size.announced, own);
  if (status == cudaSuccess) status = cudaStreamSynchronize(own);
  (void)cudaStreamDestroy(own);
  check(status, about, "preparing workspace");
  return memory;
}

/// A capture and one of its streams, by handle: a stream that is capturing has no id to ask for, and lives as long as
/// the capture goes on. Calls that one stream captures run one after another at every replay.
using capture_key = std::pair<unsigned long long, cudaStream_t>;

class slot_pool {
 public:
  /// The stream is named by its id, which no other of the process ever has.
  device_slot& running(unsigned long long stream, workspace_size const& wanted, call_context const& about) {
    std::unique_ptr<device_slot>* slot = nullptr;
    {
      std::scoped_lock const lock(mutex_);
      slot = &running_[stream];
      if (!*slot) *slot = rested(about);
      (*slot)->held.lock();  // held by nobody for longer than a call's launches
    }
    auto& found = **slot;
    if (!found.holds(wanted)) {
      try {
        auto const size = rounded(wanted, running_size);
        auto* const larger = allocate(size, about);
        if (found.memory != nullptr) found.outgrown.push_back(found.memory);
        found.memory = larger;
        found.size = size;
      } catch (...) {
        found.held.unlock();
        throw;
      }
    }
    return found;
  }

  /// The slot that earlier calls of this stream's capture use, which the stream orders; else null. (One that is used
  /// again stays in the second-level cache: a slot for each of a hundred captured calls cost them 0.1 us each.)
  device_slot* of_capture(capture_key const& key) {
    std::scoped_lock const lock(mutex_);
    auto const found = capturing_.find(key);
    return found != capturing_.end() ? found->second : nullptr;
  }

  void remember(capture_key const& key, device_slot& slot) {
    std::scoped_lock const lock(mutex_);
    capturing_[key] = &slot;
  }

  device_slot& captured(workspace_size const& wanted, call_context const& about) {
    auto const context = current_context();
    auto size = rounded(wanted, least_captured_size);
    if (wanted.announced == 0) size.announced = 0;
    {
      std::scoped_lock const lock(mutex_);
      auto& idle = idle_[{context, size.partials, size.announced}];
      if (!idle.empty()) {
        auto* const slot = idle.back();
        idle.pop_back();
        return *slot;
      }
    }
    auto fresh = std::make_unique<device_slot>();
    fresh->context = context;
    fresh->size = size;
    fresh->memory = allocate(size, about);
    std::scoped_lock const lock(mutex_);
    captured_.push_back(std::move(fresh));
    return *captured_.back();
  }

  /// The end of a call: from here on the slot is the next call's of its stream. Takes no lock: running() waits for
  /// `held` with the pool's own.
  void release(device_slot& slot, cudaStream_t stream) {
    if (crowded_.load(std::memory_order_relaxed)) {  // an event a call is worth it only where slots must be found again
      if (slot.last_use == nullptr && cudaEventCreateWithFlags(&slot.last_use, cudaEventDisableTiming) != cudaSuccess)
        slot.last_use = nullptr;
      if (slot.last_use != nullptr) (void)cudaEventRecord(slot.last_use, stream);
    }
    slot.held.unlock();
  }

  void give_back(device_slot& slot) {
    std::scoped_lock const lock(mutex_);
    std::erase_if(capturing_, [&](auto const& entry) { return entry.second == &slot; });
    idle_[{slot.context, slot.size.partials, slot.size.announced}].push_back(&slot);
  }

 private:
  /// A slot for a new stream: a fresh one, or where many streams have come and gone, one whose last call has ended.
  /// Waits for nothing, and so disturbs neither other calls nor anybody's capture.
  std::unique_ptr<device_slot> rested(call_context const& about) {
    auto const context = current_context();
    if (running_.size() > most_streams) {
      crowded_.store(true, std::memory_order_relaxed);
      relaxed_capture const relaxed;
      for (auto entry = running_.begin(); entry != running_.end(); ++entry) {
        auto& slot = entry->second;
        if (!slot || slot->context != context || !slot->held.try_lock()) continue;
        bool const ended = slot->last_use != nullptr && cudaEventQuery(slot->last_use) == cudaSuccess;
        if (!ended) (void)cudaGetLastError();  // "not ready" is this query's own
        slot->held.unlock();
        if (!ended) continue;
        for (auto* memory : slot->outgrown) (void)cudaFree(memory);
        slot->outgrown.clear();
        auto found = std::move(slot);
        running_.erase(entry);
        return found;
      }
    }
    auto fresh = std::make_unique<device_slot>();
    fresh->context = context;
    fresh->memory = allocate(running_size, about);
    fresh->size = running_size;
    return fresh;
  }

  std::mutex mutex_;
  std::atomic<bool> crowded_ = false;
  std::map<unsigned long long, std::unique_ptr<device_slot>> running_;
  std::map<std::tuple<unsigned long long, std::size_t, std::size_t>, std::vector<device_slot*>> idle_;  // context, size
  std::map<capture_key, device_slot*> capturing_;
  std::vector<std::unique_ptr<device_slot>> captured_;
};

/// Never destroyed: a graph may give its slot back while the process ends.
slot_pool& pool() {
  static auto* const the_pool = new slot_pool;
  return *the_pool;
}

void CUDART_CB give_back_slot(void* slot) {
  pool().give_back(*static_cast<device_slot*>(slot));
}

struct capture {
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
};

capture capture_of(cudaStream_t stream, call_context const& about) {
  cudaStreamCaptureStatus status{};
  capture found;
#  if CUDART_VERSION >= 13000
  auto const answer = cudaStreamGetCaptureInfo(stream, &status, &found.id, &found.graph, nullptr, nullptr, nullptr);
#  else
  auto const answer = cudaStreamGetCaptureInfo_v2(stream, &status, &found.id, &found.graph, nullptr, nullptr);
#  endif
  check(answer, about, "asking for a capture");
  return found;
}

/// The stream's own slot, held for this call. By id: a new stream may have the handle of one that is gone.
device_slot& slot_of_stream(cudaStream_t stream, workspace_size const& wanted, call_context const& about) {
  unsigned long long id = 0;
  auto const ask = driver().stream_id;
  if (ask == nullptr || ask(stream, &id) != CUDA_SUCCESS)
    check(cudaStreamGetId(stream, &id), about, "asking for a stream's id");
  return pool().running(id, wanted, about);
}

/// A slot that the captured graph owns from now on.
device_slot& slot_for_capture(cudaStream_t stream, workspace_size const& wanted, call_context const& about) {
  auto const [id, graph] = capture_of(stream, about);
  // The per-thread stream has one handle for many streams, so its calls share nothing.
  bool const shared = stream != cudaStreamPerThread;
  auto* const known = shared ? pool().of_capture({id, stream}) : nullptr;
  if (known != nullptr && known->holds(wanted)) return *known;
  // One that takes another's place holds what that one did, too: calls of two kinds in turn would else ask for ever
  // new.
  auto& slot = pool().captured(known != nullptr ? larger(known->size, wanted) : wanted, about);
  cudaUserObject_t owner = nullptr;
  if (auto const status = cudaUserObjectCreate(&owner, &slot, give_back_slot, 1, cudaUserObjectNoDestructorSync);
      status != cudaSuccess) {
    pool().give_back(slot);
    check(status, about, "tying workspace to a graph");
  }
  if (auto const status = cudaGraphRetainUserObject(graph, owner, 1, cudaGraphUserObjectMove); status != cudaSuccess) {
    (void)cudaUserObjectRelease(owner, 1);  // gives the slot back
    check(status, about, "tying workspace to a graph");
  }
  if (shared) pool().remember({id, stream}, slot);
  return slot;
}

}  // namespace

workspace_lease::workspace_lease(cudaStream_t stream, stream_state state, workspace_size const& wanted,
                                 call_context const& about)
    : stream_(stream) {
  if (wanted.none()) return;
  bool const running = state == stream_state::running;
  auto& slot = running ? slot_of_stream(stream, wanted, about) : slot_for_capture(stream, wanted, about);
  if (running) slot_ = &slot;
  partials_ = slot.partials();
  announced_ = slot.announced();
  ticket_ = slot.ticket();
}

workspace_lease::~workspace_lease() {
  if (slot_ != nullptr) pool().release(*static_cast<device_slot*>(slot_), stream_);
}

}  // namespace preduce::detail

#endif
