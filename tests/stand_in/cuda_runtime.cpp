// Stands in for the CUDA runtime where there is no GPU: what the workspace pool calls, on host memory, with every
// call's work ended at once. Streams are numbers; the capture is number 7.

#include "cuda_runtime.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace stand_in {
namespace {
std::vector<std::pair<cudaHostFn_t, void*>> owned_by_graphs;
}
void destroy_graphs() {
  for (auto const& [destroy, owned] : std::exchange(owned_by_graphs, {})) destroy(owned);
}
}  // namespace stand_in

extern "C" {
cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = std::malloc(bytes);
  if (bytes <= 65536) std::memset(*memory, 0x4b, bytes);  // captured calls' slots: not zero by luck
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t) {
  std::memset(memory, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = nullptr;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
#if CUDART_VERSION >= 12050
static CUresult stream_id(CUstream stream, unsigned long long* id) {
  *id = reinterpret_cast<std::uintptr_t>(stream);
  return CUDA_SUCCESS;
}
static CUresult context_id(CUcontext, unsigned long long* id) {
  *id = stand_in::context;
  return CUDA_SUCCESS;
}
/// Of the driver's functions there are two; the runtime's own have to do for the others.
cudaError_t cudaGetDriverEntryPointByVersion(char const* name, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  *function = std::strcmp(name, "cuStreamGetId") == 0 ? reinterpret_cast<void*>(stream_id)
              : std::strcmp(name, "cuCtxGetId") == 0  ? reinterpret_cast<void*>(context_id)
                                                      : nullptr;
  *result = *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
#endif
#if CUDART_VERSION >= 12050
cudaError_t cudaStreamGetId(cudaStream_t, unsigned long long*) {
  return cudaErrorNotSupported;  // the driver is asked
}
#else
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  *id = reinterpret_cast<std::uintptr_t>(stream);
  return cudaSuccess;
}
#endif
#if CUDART_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, cudaGraphNode_t const**, cudaGraphEdgeData const**,
                                     std::size_t*) {
#else
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, cudaGraphNode_t const**, std::size_t*) {
#endif
  *status = cudaStreamCaptureStatusActive;
  *id = 7;
  *graph = nullptr;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) {
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  static char const any_event = 0;
  *event = reinterpret_cast<cudaEvent_t>(const_cast<char*>(&any_event));
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t) {
  return cudaSuccess;
}
cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* owned, cudaHostFn_t destroy, unsigned, unsigned) {
  *object = nullptr;
  stand_in::owned_by_graphs.emplace_back(destroy, owned);
  return cudaSuccess;
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t, cudaUserObject_t, unsigned, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
char const* cudaGetErrorName(cudaError_t) {
  return "";
}
char const* cudaGetErrorString(cudaError_t) {
  return "";
}
}
