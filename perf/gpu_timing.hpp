#pragma once
// Three ways to time a GPU reduction. Each sampler returns microseconds per call. `issue` puts one call on the stream.

#include "cuda_objects.hpp"

#include <chrono>
#include <utility>

namespace perf {

/// Captures what `issue` puts on the stream, `calls` times, into one graph. What the host spends on issuing then does
/// not show: only the GPU's own time a call.
class graph_sampler : pinned_to_scope {
 public:
  template <class Issue>
  graph_sampler(cudaStream_t stream, int calls, Issue&& issue) : stream_(stream), calls_(calls) {
    issue();  // whatever is allocated at a first call is allocated outside the capture
    check(cudaStreamSynchronize(stream), "running a call before its capture");
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "beginning a capture");
    try {
      for (int i = 0; i < calls; ++i) issue();
    } catch (...) {
      cudaStreamEndCapture(stream, &graph);  // the stream must be usable for the cases that follow
      if (graph != nullptr) cudaGraphDestroy(graph);
      cudaGetLastError();
      throw;
    }
    check(cudaStreamEndCapture(stream, &graph), "ending a capture");
    auto const status = cudaGraphInstantiate(&graph_, graph, 0);
    cudaGraphDestroy(graph);
    check(status, "instantiating a graph");
    check(cudaGraphUpload(graph_, stream), "uploading a graph");
  }
  ~graph_sampler() { cudaGraphExecDestroy(graph_); }

  double operator()() {
    start_.record(stream_);
    check(cudaGraphLaunch(graph_, stream_), "launching a graph");
    stop_.record(stream_);
    stop_.wait();
    return stop_.us_since(start_) / calls_;
  }

 private:
  cudaStream_t stream_;
  int calls_;
  cuda_event start_, stop_;
  cudaGraphExec_t graph_ = nullptr;
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
