#pragma once
// Three ways to time a GPU reduction. Each sampler returns microseconds per call. `issue` puts one call on the stream.

#include "cuda_objects.hpp"

#include <chrono>
#include <utility>
#include <vector>

namespace perf {

/// Graphs of captured calls, which run back to back. What the host spends on issuing then does not show: only the GPU's
/// own time a call.
class graph_sampler : pinned_to_scope {
 public:
  explicit graph_sampler(cudaStream_t stream) : stream_(stream) {}
  ~graph_sampler() {
    for (auto* const graph : graphs_) cudaGraphExecDestroy(graph);
  }

  /// One more graph: what `issue` puts on the stream, `calls` times.
  template <class Issue>
  void capture(int calls, Issue&& issue) {
    issue();  // whatever is allocated at a first call is allocated outside the capture
    check(cudaStreamSynchronize(stream_), "running a call before its capture");
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "beginning a capture");
    try {
      for (int i = 0; i < calls; ++i) issue();
    } catch (...) {
      cudaStreamEndCapture(stream_, &graph);  // the stream must be usable for the cases that follow
      if (graph != nullptr) cudaGraphDestroy(graph);
      cudaGetLastError();
      throw;
    }
    check(cudaStreamEndCapture(stream_, &graph), "ending a capture");
    cudaGraphExec_t ready = nullptr;
    auto const status = cudaGraphInstantiate(&ready, graph, 0);
    cudaGraphDestroy(graph);
    check(status, "instantiating a graph");
    graphs_.push_back(ready);
    calls_ += calls;
    check(cudaGraphUpload(ready, stream_), "uploading a graph");
  }

  double operator()() {
    start_.record(stream_);
    for (auto* const graph : graphs_) check(cudaGraphLaunch(graph, stream_), "launching a graph");
    stop_.record(stream_);
    stop_.wait();
    return stop_.us_since(start_) / calls_;
  }

 private:
  cudaStream_t stream_;
  int calls_ = 0;
  cuda_event start_, stop_;
  std::vector<cudaGraphExec_t> graphs_;
};

/// Events around calls issued back to back: the GPU's time, or the host's where issuing takes longer than running.
template <class Issue>
class stream_sampler : pinned_to_scope {
 public:
  stream_sampler(cudaStream_t stream, int calls, Issue issue)
      : stream_(stream), calls_(calls), issue_(std::move(issue)) {}

  double operator()() {
    check(cudaStreamSynchronize(stream_), "waiting for the stream");
    start_.record(stream_);
    for (int i = 0; i < calls_; ++i) issue_();
    stop_.record(stream_);
    stop_.wait();
    return stop_.us_since(start_) / calls_;
  }

 private:
  cudaStream_t stream_;
  int calls_;
  Issue issue_;
  cuda_event start_, stop_;
};

/// Wall time of calls that each return when the scalar is on the host.
template <class Call>
class scalar_sampler : pinned_to_scope {
 public:
  scalar_sampler(cudaStream_t stream, int calls, Call call) : stream_(stream), calls_(calls), call_(std::move(call)) {}

  double operator()() {
    using clock = std::chrono::steady_clock;
    check(cudaStreamSynchronize(stream_), "waiting for the stream");
    auto const start = clock::now();
    for (int i = 0; i < calls_; ++i) call_();
    return std::chrono::duration<double, std::micro>(clock::now() - start).count() / calls_;
  }

 private:
  cudaStream_t stream_;
  int calls_;
  Call call_;
};

}  // namespace perf
