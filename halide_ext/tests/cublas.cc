#include "halide_ext/tests/cublas.h"

#include <dlfcn.h>

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "halide_ext/build/cuda_driver.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

absl::Status FromResult(int result, const char* function) {
  if (result == 0) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(function, " returns ", result));
}

struct Functions {
  int (*create)(void**);
  int (*destroy)(void*);
  int (*set_math_mode)(void*, int);
  int (*gemm)(void*, int, int, int, int, int, const float*, const float*, int,
              const float*, int, const float*, float*, int);
  int (*allocate)(uint64_t*, size_t);
  int (*free)(uint64_t);
  int (*fill)(uint64_t, unsigned int, size_t);
};

template <typename Function>
absl::Status Find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  if (function != nullptr) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("there is no function ", name));
}

absl::StatusOr<Functions> Load() {
  void* cublas = nullptr;
  for (const char* name :
       {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"}) {
    if (cublas == nullptr) cublas = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  void* cuda = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (cublas == nullptr || cuda == nullptr) {
    return absl::UnavailableError("cuBLAS cannot be loaded");
  }
  Functions f;
  RETURN_IF_ERROR(Find(cublas, "cublasCreate_v2", f.create));
  RETURN_IF_ERROR(Find(cublas, "cublasDestroy_v2", f.destroy));
  RETURN_IF_ERROR(Find(cublas, "cublasSetMathMode", f.set_math_mode));
  RETURN_IF_ERROR(Find(cublas, "cublasSgemm_v2", f.gemm));
  RETURN_IF_ERROR(Find(cuda, "cuMemAlloc_v2", f.allocate));
  RETURN_IF_ERROR(Find(cuda, "cuMemFree_v2", f.free));
  RETURN_IF_ERROR(Find(cuda, "cuMemsetD32_v2", f.fill));
  return f;
}

// With the driver's context in place.
class Multiplication {
 public:
  Multiplication(const Functions& functions, int n) : f_(functions), n_(n) {}
  Multiplication(const Multiplication&) = delete;
  Multiplication& operator=(const Multiplication&) = delete;

  absl::Status Prepare() {
    RETURN_IF_ERROR(FromResult(f_.create(&handle_), "cublasCreate"));
    constexpr int kDefaultMath = 0;  // TF32 has a mode of its own
    RETURN_IF_ERROR(FromResult(f_.set_math_mode(handle_, kDefaultMath),
                               "cublasSetMathMode"));
    const size_t elements = static_cast<size_t>(n_) * n_;
    for (uint64_t& matrix : matrices_) {
      RETURN_IF_ERROR(FromResult(f_.allocate(&matrix, elements * sizeof(float)),
                                 "cuMemAlloc"));
      constexpr unsigned int kOne = 0x3F800000;  // 1.0f
      RETURN_IF_ERROR(
          FromResult(f_.fill(matrix, kOne, elements), "cuMemsetD32"));
    }
    return Run();
  }

  absl::Status Run() {
    const float one = 1, zero = 0;
    constexpr int kNotTransposed = 0;
    return FromResult(
        f_.gemm(handle_, kNotTransposed, kNotTransposed, n_, n_, n_, &one,
                Matrix(0), n_, Matrix(1), n_, &zero, Matrix(2), n_),
        "cublasSgemm");
  }

  absl::Status Release() {
    for (const uint64_t matrix : matrices_)
      RETURN_IF_ERROR(FromResult(f_.free(matrix), "cuMemFree"));
    return FromResult(f_.destroy(handle_), "cublasDestroy");
  }

 private:
  float* Matrix(int i) const {
    return reinterpret_cast<float*>(static_cast<uintptr_t>(matrices_[i]));
  }

  const Functions& f_;
  const int n_;
  void* handle_ = nullptr;
  uint64_t matrices_[3] = {};
};

}  // namespace

absl::StatusOr<double> CublasGemmSeconds(int n, int runs) {
  const absl::StatusOr<CudaDriver>& driver = CudaDriver::Get();
  RETURN_IF_ERROR(driver.status());
  ASSIGN_OR_RETURN(const Functions functions, Load());
  Multiplication multiplication(functions, n);
  RETURN_IF_ERROR(
      driver->SecondsOf([&] { return multiplication.Prepare(); }).status());
  ASSIGN_OR_RETURN(const double seconds,
                   driver->SecondsOf([&]() -> absl::Status {
                     for (int i = 0; i < runs; ++i)
                       RETURN_IF_ERROR(multiplication.Run());
                     return absl::OkStatus();
                   }));
  RETURN_IF_ERROR(
      driver->SecondsOf([&] { return multiplication.Release(); }).status());
  return seconds / runs;
}

}  // namespace pruner
