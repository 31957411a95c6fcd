#pragma once
// The machine as a CUDA kernel sees it: intrinsics and inline PTX, no heavy header. Members are __host__ __device__ so
// that kernel bodies can be; their host versions are never called.

#ifdef __CUDACC__

#  include <preduce/contexts/context.hpp>

#  include <cstring>
#  include <type_traits>

namespace preduce::simt::inline PREDUCE_ABI {

struct cuda_context {
  /// Whether the machine has these of its own. (Float additions in global memory take denormals for zero.)
  template <class V>
  static constexpr bool has_atomic_add = std::is_arithmetic_v<V> && (sizeof(V) == 4 || sizeof(V) == 8);
  template <class V>
  static constexpr bool has_atomic_min_max = std::is_integral_v<V> && (sizeof(V) == 4 || sizeof(V) == 8);

#  ifdef __CUDA_ARCH__
  /// The type that atomicMin and atomicMax take for V.
  template <class V>
  using native_integer = std::conditional_t<sizeof(V) == 4, std::conditional_t<std::is_signed_v<V>, int, unsigned>,
                                            std::conditional_t<std::is_signed_v<V>, long long, unsigned long long>>;

  [[nodiscard]] __device__ int thread_rank() const { return static_cast<int>(threadIdx.x); }
  [[nodiscard]] __device__ int block_size() const { return static_cast<int>(blockDim.x); }
  [[nodiscard]] __device__ int block_rank() const { return static_cast<int>(blockIdx.x); }
  [[nodiscard]] __device__ int grid_size() const { return static_cast<int>(gridDim.x); }

  __device__ void sync_block() const { __syncthreads(); }
  __device__ void sync_warp() const { __syncwarp(); }

  template <class T>
  [[nodiscard]] __device__ T* shared(std::size_t byte_offset) const {
    extern __shared__ __align__(64) unsigned char preduce_shared_memory[];
    return reinterpret_cast<T*>(preduce_shared_memory + byte_offset);
  }

  template <class V>
  [[nodiscard]] __device__ V shuffle_down(V const& value, int offset) const {
    return by_words(
        value, [offset](unsigned word) { return __shfl_down_sync(0xffffffffu, word, static_cast<unsigned>(offset)); });
  }
  template <class V>
  [[nodiscard]] __device__ V shuffle(V const& value, int source) const {
    return by_words(value, [source](unsigned word) { return __shfl_sync(0xffffffffu, word, source); });
  }

  [[nodiscard]] __device__ unsigned warp_sum(unsigned value) const {
#    if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(0xffffffffu, value);
#    else
    return simt::sum_by_shuffles(*this, value);
#    endif
  }
  template <class V>
  [[nodiscard]] __device__ V warp_min(V value) const {
#    if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(0xffffffffu, value);
#    else
    return simt::extreme_by_shuffles<-1>(*this, value);
#    endif
  }
  template <class V>
  [[nodiscard]] __device__ V warp_max(V value) const {
#    if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(0xffffffffu, value);
#    else
    return simt::extreme_by_shuffles<1>(*this, value);
#    endif
  }

  [[nodiscard]] __device__ bool all_of_warp(bool mine) const { return __all_sync(0xffffffffu, mine ? 1 : 0) != 0; }

  [[nodiscard]] __device__ raw16 load16(void const* memory) const {
    uint4 const loaded = *static_cast<uint4 const*>(memory);
    return {{loaded.x, loaded.y, loaded.z, loaded.w}};
  }
  [[nodiscard]] __device__ std::uint64_t load8(void const* memory) const {
    uint2 const loaded = *static_cast<uint2 const*>(memory);
    return (static_cast<std::uint64_t>(loaded.y) << 32) | loaded.x;
  }
  [[nodiscard]] __device__ std::uint32_t load2(void const* memory) const {
    return *static_cast<std::uint16_t const*>(memory);
  }
  [[nodiscard]] __device__ std::uint32_t load4(void const* memory) const {
    return *static_cast<std::uint32_t const*>(memory);
  }

  // The release half pairs with the acquire half of the blocks that draw later tickets: what this thread wrote, and
  // what its block wrote before a barrier, is visible to them.
  [[nodiscard]] __device__ unsigned take_ticket(unsigned* counter, unsigned limit) const {
    unsigned ticket;
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;" : "=r"(ticket) : "l"(counter), "r"(limit) : "memory");
    return ticket;
  }

  // Pairs with the host's acquire load of the flag.
  __device__ void publish_flag(std::uint64_t* flag, std::uint64_t value) const {
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(flag), "l"(value) : "memory");
  }

  __device__ void store_relaxed(std::uint64_t* word, std::uint64_t value) const {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
  }
  [[nodiscard]] __device__ word_pair load_relaxed_pair(std::uint64_t const* words) const {
    word_pair pair;
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(pair.first), "=l"(pair.second)
                 : "l"(words)
                 : "memory");
    return pair;
  }
  __device__ void pause() const {}

  // Block 0 adds what the others leave to 2^31, so that the top bit turns when all have arrived, and the other bits are
  // as before: the counter is ready for the next barrier of any grid. Release and acquire as in take_ticket.
  __device__ void sync_grid(unsigned* counter) const {
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned const mine = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
      unsigned before, now;
      asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(counter), "r"(mine) : "memory");
      do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(counter) : "memory");
      } while (((before ^ now) & 0x80000000u) == 0);
    }
    __syncthreads();
  }

  [[nodiscard]] __device__ unsigned compare_exchange(unsigned* word, unsigned expected, unsigned desired) const {
    return atomicCAS(word, expected, desired);
  }
  [[nodiscard]] __device__ std::uint64_t compare_exchange(std::uint64_t* word, std::uint64_t expected,
                                                          std::uint64_t desired) const {
    return atomicCAS(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(expected),
                     static_cast<unsigned long long>(desired));
  }
  [[nodiscard]] __device__ raw16 compare_exchange(raw16* word, raw16 const& expected, raw16 const& desired) const {
    raw16 found = expected;
#    if __CUDA_ARCH__ >= 900
    asm volatile(
        "{ .reg .b64 l, h; .reg .b128 e, d, f;\n\t"
        "mov.b64 l, {%4, %5}; mov.b64 h, {%6, %7}; mov.b128 e, {l, h};\n\t"
        "mov.b64 l, {%8, %9}; mov.b64 h, {%10, %11}; mov.b128 d, {l, h};\n\t"
        "atom.relaxed.gpu.global.cas.b128 f, [%12], e, d;\n\t"
        "mov.b128 {l, h}, f; mov.b64 {%0, %1}, l; mov.b64 {%2, %3}, h; }"
        : "=r"(found.words[0]), "=r"(found.words[1]), "=r"(found.words[2]), "=r"(found.words[3])
        : "r"(expected.words[0]), "r"(expected.words[1]), "r"(expected.words[2]), "r"(expected.words[3]),
          "r"(desired.words[0]), "r"(desired.words[1]), "r"(desired.words[2]), "r"(desired.words[3]), "l"(word)
        : "memory");
#    else
    (void)word, (void)desired;
    __trap();  // refused before launch
#    endif
    return found;
  }

  template <class V>
  __device__ void atomic_add(V* cell, V value) const {
    if constexpr (!std::is_integral_v<V>)
      atomicAdd(cell, value);
    else if constexpr (sizeof(V) == 8)
      atomicAdd(reinterpret_cast<unsigned long long*>(cell), static_cast<unsigned long long>(value));
    else
      atomicAdd(reinterpret_cast<unsigned*>(cell), static_cast<unsigned>(value));
  }
  template <class V>
  __device__ void atomic_min(V* cell, V value) const {
    atomicMin(reinterpret_cast<native_integer<V>*>(cell), static_cast<native_integer<V>>(value));
  }
  template <class V>
  __device__ void atomic_max(V* cell, V value) const {
    atomicMax(reinterpret_cast<native_integer<V>*>(cell), static_cast<native_integer<V>>(value));
  }

  __device__ void wait_for_previous_kernel() const {
#    if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#    endif
  }
  __device__ void release_next_kernel() const {
#    if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#    endif
  }
  // A parameter's first read misses the constant cache, which costs nothing before a wait. Lines are 64 bytes; ptxas
  // drops a load unless something depends on it, even if that does nothing.
  template <class P>
  __device__ void touch_parameters(P const& parameters) const {
    auto const* const words = reinterpret_cast<unsigned const*>(&parameters);
#    pragma unroll
    for (std::size_t w = 0; w < sizeof(P) / sizeof(unsigned); w += 16)
      asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 0x7a7a7a7a; @p nanosleep.u32 0; }" ::"r"(words[w]));
  }

 private:
  // Objects cross as whole 4-byte words, the last one padded.
  template <class V, class Exchange>
  [[nodiscard]] static __device__ V by_words(V value, Exchange exchange) {
    constexpr int words = static_cast<int>((sizeof(V) + 3) / 4);
    unsigned raw[words];
    raw[words - 1] = 0;
    memcpy(raw, &value, sizeof(V));
    if constexpr (words <= 16) {
#    pragma unroll
      for (int w = 0; w < words; ++w) raw[w] = exchange(raw[w]);
    } else {
#    pragma unroll 1
      for (int w = 0; w < words; ++w) raw[w] = exchange(raw[w]);
    }
    memcpy(&value, raw, sizeof(V));
    return value;
  }
#  else
  [[nodiscard]] PREDUCE_FUNCTION int thread_rank() const { return 0; }
  [[nodiscard]] PREDUCE_FUNCTION int block_size() const { return warp_threads; }
  [[nodiscard]] PREDUCE_FUNCTION int block_rank() const { return 0; }
  [[nodiscard]] PREDUCE_FUNCTION int grid_size() const { return 1; }
  PREDUCE_FUNCTION void sync_block() const {}
  PREDUCE_FUNCTION void sync_warp() const {}
  template <class T>
  [[nodiscard]] PREDUCE_FUNCTION T* shared(std::size_t) const {
    return nullptr;
  }
  template <class V>
  [[nodiscard]] PREDUCE_FUNCTION V shuffle_down(V const& value, int) const {
    return value;
  }
  template <class V>
  [[nodiscard]] PREDUCE_FUNCTION V shuffle(V const& value, int) const {
    return value;
  }
  [[nodiscard]] PREDUCE_FUNCTION unsigned warp_sum(unsigned value) const { return value; }
  template <class V>
  [[nodiscard]] PREDUCE_FUNCTION V warp_min(V value) const {
    return value;
  }
  template <class V>
  [[nodiscard]] PREDUCE_FUNCTION V warp_max(V value) const {
    return value;
  }
  [[nodiscard]] PREDUCE_FUNCTION bool all_of_warp(bool mine) const { return mine; }
  [[nodiscard]] PREDUCE_FUNCTION raw16 load16(void const*) const { return {}; }
  [[nodiscard]] PREDUCE_FUNCTION std::uint64_t load8(void const*) const { return 0; }
  [[nodiscard]] PREDUCE_FUNCTION std::uint32_t load4(void const*) const { return 0; }
  [[nodiscard]] PREDUCE_FUNCTION std::uint32_t load2(void const*) const { return 0; }
  [[nodiscard]] PREDUCE_FUNCTION unsigned take_ticket(unsigned*, unsigned) const { return 0; }
  PREDUCE_FUNCTION void publish_flag(std::uint64_t*, std::uint64_t) const {}
  PREDUCE_FUNCTION void store_relaxed(std::uint64_t*, std::uint64_t) const {}
  [[nodiscard]] PREDUCE_FUNCTION word_pair load_relaxed_pair(std::uint64_t const*) const { return {}; }
  PREDUCE_FUNCTION void pause() const {}
  PREDUCE_FUNCTION void sync_grid(unsigned*) const {}
  template <class Word>
  [[nodiscard]] PREDUCE_FUNCTION Word compare_exchange(Word*, Word const& expected, Word const&) const {
    return expected;
  }
  template <class V>
  PREDUCE_FUNCTION void atomic_add(V*, V) const {}
  template <class V>
  PREDUCE_FUNCTION void atomic_min(V*, V) const {}
  template <class V>
  PREDUCE_FUNCTION void atomic_max(V*, V) const {}
  PREDUCE_FUNCTION void wait_for_previous_kernel() const {}
  PREDUCE_FUNCTION void release_next_kernel() const {}
  template <class P>
  PREDUCE_FUNCTION void touch_parameters(P const&) const {}
#  endif
};
static_assert(context<cuda_context>);

}  // namespace preduce::simt::inline PREDUCE_ABI

#endif
