// Times float32 sums under other constants of the canonical order: rows a tile, and how the planner may cut it.
// Evidence for order version 1, and for the planner's tuning rows. The lanes of a tile are a compile-time constant of
// the library: perf/order_sweep.sh builds this file once for each value, against a copy of the header.
//
//   order_sweep CSV [most_log2_n] [every: 1 for all sizes, 3 for every third]
//
// Columns: lanes,n,rows,tiles,policy,threads,unit_lanes,blocks,us,cub_us. Times are GPU microseconds a call in a CUDA
// graph.

#include <preduce/preduce.hpp>

#include <cub/device/device_reduce.cuh>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(cudaError_t status, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "order_sweep.cu:%d: %s\n", line, cudaGetErrorString(status));
  std::exit(1);
}
#define CHECK_CUDA(call) check(call, __LINE__)

__global__ void fill(float* values, std::int64_t n) {
  for (auto i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n; i += std::int64_t{gridDim.x} * blockDim.x)
    values[i] = static_cast<float>((static_cast<unsigned>(i) * 2654435761u) >> 9) / 8388608.0f - 0.5f;
}

cudaStream_t stream;
cudaEvent_t started, ended;

template <class Call>
double graph_microseconds(int calls, int repeats, Call&& call) {
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  call();
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < calls; ++i) call();
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  CHECK_CUDA(cudaGraphInstantiate(&ready, graph, 0));
  CHECK_CUDA(cudaGraphLaunch(ready, stream));
  std::vector<float> times;
  for (int i = 0; i < repeats; ++i) {
    CHECK_CUDA(cudaEventRecord(started, stream));
    CHECK_CUDA(cudaGraphLaunch(ready, stream));
    CHECK_CUDA(cudaEventRecord(ended, stream));
    CHECK_CUDA(cudaEventSynchronize(ended));
    float milliseconds = 0;
    CHECK_CUDA(cudaEventElapsedTime(&milliseconds, started, ended));
    times.push_back(milliseconds);
  }
  CHECK_CUDA(cudaGraphExecDestroy(ready));
  CHECK_CUDA(cudaGraphDestroy(graph));
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return times[static_cast<std::size_t>(repeats / 2)] * 1e3 / calls;
}

using source =
    preduce::detail::pointer_source<float, float, preduce::detail::convert_to<float>, preduce::detail::access::aligned>;
using finish_type = preduce::detail::grid_finish<preduce::plus<float>, float, float>;
using job = preduce::detail::grid_job<source, finish_type>;

/// The order with `rows` rows a tile, cut into units of `unit_lanes`; units of 0 where that is no order (too many
/// partials).
preduce::grid_order order_with(std::int64_t n, std::int64_t rows, int unit_lanes) {
  preduce::grid_order order;
  order.rows = rows;
  order.tile_elements = rows * preduce::order_lanes;
  auto const tiles = static_cast<int>(preduce::detail::ceil_div(n, order.tile_elements));
  int const group_bits = std::countr_zero(static_cast<unsigned>(preduce::order_lanes / unit_lanes));
  if (group_bits > 0 && (tiles > preduce::order_partial_lanes || (tiles << group_bits) > 4096))
    return order.units = 0, order;
  order.group_bits = group_bits;
  order.last_tile = tiles - 1;
  order.tail_elements = n - order.last_tile * order.tile_elements;
  order.units = (order.last_tile << group_bits) +
                static_cast<int>(preduce::detail::ceil_div(
                    std::min<std::int64_t>(order.tail_elements, preduce::order_lanes), unit_lanes));
  bool const dealt = tiles > preduce::order_partial_lanes;
  order.partial_rows = dealt ? static_cast<int>(preduce::detail::ceil_div(tiles, preduce::order_partial_lanes)) : 1;
  order.partial_lane_bits =
      std::bit_width(static_cast<unsigned>((dealt ? preduce::order_partial_lanes : order.units) - 1));
  return order;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "order_sweep CSV [most_log2_n] [every]\n"), 2;
  std::FILE* const csv = std::fopen(argv[1], "w");
  if (csv == nullptr) return std::fprintf(stderr, "cannot write %s\n", argv[1]), 1;
  std::int64_t const most = std::int64_t{1} << (argc > 2 ? std::atoi(argv[2]) : 28);
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaEventCreate(&started));
  CHECK_CUDA(cudaEventCreate(&ended));
  auto const device = preduce::current_device_facts();
  float *data, *partials, *out;
  unsigned* ticket;
  CHECK_CUDA(cudaMalloc(&data, static_cast<std::size_t>(most) * sizeof(float)));
  CHECK_CUDA(cudaMalloc(&partials, 1 << 20));
  CHECK_CUDA(cudaMalloc(&out, sizeof(float)));
  CHECK_CUDA(cudaMalloc(&ticket, sizeof(unsigned)));
  CHECK_CUDA(cudaMemset(ticket, 0, sizeof(unsigned)));
  fill<<<2048, 512>>>(data, most);
  CHECK_CUDA(cudaDeviceSynchronize());
  std::size_t cub_bytes = 0;
  CHECK_CUDA(cub::DeviceReduce::Sum(nullptr, cub_bytes, data, out, most, stream));
  void* cub_storage;
  CHECK_CUDA(cudaMalloc(&cub_storage, cub_bytes));

  std::fprintf(csv, "lanes,n,rows,tiles,policy,threads,unit_lanes,blocks,us,cub_us\n");
  std::int64_t const sizes[] = {1000,    4096,     5000,    8192,    12000,     16384,   24000,     32768,   40000,
                                50000,   65536,    100000,  131072,  200000,    262144,  400000,    524288,  700000,
                                1000000, 1 << 20,  1500000, 1 << 21, 3000000,   1 << 22, 6000000,   1 << 23, 12000000,
                                1 << 24, 30000000, 1 << 25, 1 << 26, 100000000, 1 << 27, 200000000, 1 << 28};
  int const every = argc > 3 ? std::atoi(argv[3]) : 1;
  int position = 0;
  for (auto const n : sizes) {
    if (n > most || position++ % every != 0) continue;
    int const calls = n <= (1 << 20) ? 50 : n <= (1 << 24) ? 20 : 4;
    double const cub_us = graph_microseconds(calls, 9, [&] {
      std::size_t bytes = cub_bytes;
      CHECK_CUDA(cub::DeviceReduce::Sum(cub_storage, bytes, data, out, n, stream));
    });
    std::int64_t const all_rows = preduce::detail::ceil_div(n, preduce::order_lanes);
    std::vector<std::int64_t> rows_tried;
    for (std::int64_t rows = 1; rows <= 256; rows *= 2) {
      std::int64_t const tiles = preduce::detail::ceil_div(all_rows, rows);
      if (rows > 2 * all_rows || tiles > 16384 || (n >= (1 << 24) && tiles < 64)) continue;
      if (n <= (1 << 22) && rows > 32) continue;
      rows_tried.push_back(std::min(rows, all_rows));
    }
    rows_tried.erase(std::unique(rows_tried.begin(), rows_tried.end()), rows_tried.end());
    double best = 1e9;
    for (auto const rows : rows_tried) {
      for (int unit_lanes = 128; unit_lanes <= preduce::order_lanes; unit_lanes *= 2) {
        auto const order = order_with(n, rows, unit_lanes);
        if (order.units == 0 || (unit_lanes < 512 && n > (1 << 22))) continue;
        for (int threads : {32, 64, 128, 256, 512, 1024}) {
          if (threads > unit_lanes / 4 || threads * 32 < unit_lanes || (n >= (1 << 22) && threads < 128)) continue;
          std::vector<int> grids;
          for (int resident : {1024, 2048}) {
            int const blocks = static_cast<int>(std::min<std::int64_t>(
                order.units, std::int64_t{device.multiprocessors} * std::max(resident / threads, 1)));
            if (std::find(grids.begin(), grids.end(), blocks) == grids.end()) grids.push_back(blocks);
          }
          for (int const blocks : grids) {
            job const j{source{data, {}}, {{}, {}, order, partials, out, nullptr, 0}};
            std::size_t const shared = preduce::detail::slot_plan<float>::bytes + 16;
            preduce::detail::cuda_call const call(stream, {"order_sweep", n, "float"});
            int const finish = static_cast<int>(std::min<std::int64_t>(
                1024, preduce::detail::ceil_div(std::min<std::int64_t>(order.units, 4096), 128) * 32));
            double const two = graph_microseconds(calls, 5, [&] {
              if (order.units == 1) {
                call.launch(1, threads, shared, preduce::detail::fold_only_unit<job>{j});
              } else {
                call.launch(blocks, threads, shared, preduce::detail::two_pass_first<job>{j});
                call.launch(1, finish, shared, preduce::detail::two_pass_second<finish_type>{j.finish},
                            preduce::detail::launch_kind::overlaps_previous);
              }
            });
            best = std::min(best, two);
            std::fprintf(csv, "%d,%lld,%lld,%lld,two_pass,%d,%d,%d,%.3f,%.3f\n", preduce::order_lanes,
                         static_cast<long long>(n), static_cast<long long>(rows),
                         static_cast<long long>(preduce::detail::ceil_div(all_rows, rows)), threads, unit_lanes, blocks,
                         two, cub_us);
            if (order.units == 1) continue;
            double const last = graph_microseconds(calls, 5, [&] {
              call.launch(blocks, threads, shared, preduce::detail::last_block_body<job>{j, ticket});
            });
            std::fprintf(csv, "%d,%lld,%lld,%lld,last_block,%d,%d,%d,%.3f,%.3f\n", preduce::order_lanes,
                         static_cast<long long>(n), static_cast<long long>(rows),
                         static_cast<long long>(preduce::detail::ceil_div(all_rows, rows)), threads, unit_lanes, blocks,
                         last, cub_us);
          }
        }
      }
    }
    std::printf("lanes %d n %lld: cub %.2f us, best two_pass %.2f us, ratio %.3f\n", preduce::order_lanes,
                static_cast<long long>(n), cub_us, best, cub_us / best);
    std::fflush(stdout);
    std::fflush(csv);
  }
  std::fclose(csv);
  return 0;
}
