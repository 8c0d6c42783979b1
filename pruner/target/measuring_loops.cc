#include "pruner/target/measuring_loops.h"

#include <cstdint>

#include "absl/log/check.h"
#include "absl/types/span.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pruner {
namespace {

// Latency times pipes is at most 10 on current cores; 12 chains and two
// constants fit into 16 registers, so that nothing is spilled.
constexpr int kChains = 12;

// The loops are opaque calls: a compiler that saw the arguments could fold
// them.
#define PRUNER_MEASURING_LOOP __attribute__((noinline))

// GCC's and Clang's portable vectors: SSE2 on x86-64, NEON on AArch64.
typedef float Vector128 __attribute__((vector_size(16)));

template <int chains>
PRUNER_MEASURING_LOOP float FmaGeneric(int64_t rounds, float half, float one) {
  const Vector128 factor = {half, half, half, half};
  const Vector128 addend = {one, one, one, one};
  Vector128 x[chains];
#pragma GCC unroll 16
  for (int i = 0; i < chains; ++i) x[i] = Vector128{} + static_cast<float>(i);
  for (; rounds > 0; --rounds) {
#pragma GCC unroll 16
    for (int i = 0; i < chains; ++i) x[i] = x[i] * factor + addend;
  }
  Vector128 sum = {};
#pragma GCC unroll 16
  for (int i = 0; i < chains; ++i) sum += x[i];
  return sum[0] + sum[1] + sum[2] + sum[3];
}

PRUNER_MEASURING_LOOP void TriadGeneric(float* a, const float* b,
                                        const float* c, int64_t size,
                                        float scale) {
  const Vector128 factor = {scale, scale, scale, scale};
  for (int64_t i = 0; i < size; i += 4) {
    *reinterpret_cast<Vector128*>(a + i) =
        *reinterpret_cast<const Vector128*>(b + i) +
        factor * *reinterpret_cast<const Vector128*>(c + i);
  }
}

#if defined(__x86_64__)

template <int chains>
__attribute__((target("avx2,fma"))) PRUNER_MEASURING_LOOP float FmaAvx2(
    int64_t rounds, float half, float one) {
  const __m256 factor = _mm256_set1_ps(half);
  const __m256 addend = _mm256_set1_ps(one);
  __m256 x[chains];
#pragma GCC unroll 16
  for (int i = 0; i < chains; ++i) x[i] = _mm256_set1_ps(static_cast<float>(i));
  for (; rounds > 0; --rounds) {
#pragma GCC unroll 16
    for (int i = 0; i < chains; ++i) {
      x[i] = _mm256_fmadd_ps(x[i], factor, addend);
    }
  }
  __m256 sum = _mm256_setzero_ps();
#pragma GCC unroll 16
  for (int i = 0; i < chains; ++i) sum = _mm256_add_ps(sum, x[i]);
  float lanes[8];
  _mm256_storeu_ps(lanes, sum);
  float total = 0;
  for (const float lane : lanes) total += lane;
  return total;
}

__attribute__((target("avx2,fma"))) PRUNER_MEASURING_LOOP void TriadAvx2(
    float* a, const float* b, const float* c, int64_t size, float scale) {
  const __m256 factor = _mm256_set1_ps(scale);
  for (int64_t i = 0; i < size; i += 8) {
    _mm256_store_ps(a + i, _mm256_fmadd_ps(factor, _mm256_load_ps(c + i),
                                           _mm256_load_ps(b + i)));
  }
}

template <int chains>
__attribute__((target("avx512f"))) PRUNER_MEASURING_LOOP float FmaAvx512(
    int64_t rounds, float half, float one) {
  const __m512 factor = _mm512_set1_ps(half);
  const __m512 addend = _mm512_set1_ps(one);
  __m512 x[chains];
#pragma GCC unroll 16
  for (int i = 0; i < chains; ++i) x[i] = _mm512_set1_ps(static_cast<float>(i));
  for (; rounds > 0; --rounds) {
#pragma GCC unroll 16
    for (int i = 0; i < chains; ++i) {
      x[i] = _mm512_fmadd_ps(x[i], factor, addend);
    }
  }
  __m512 sum = _mm512_setzero_ps();
#pragma GCC unroll 16
  for (int i = 0; i < chains; ++i) sum = _mm512_add_ps(sum, x[i]);
  float lanes[16];
  _mm512_storeu_ps(lanes, sum);
  float total = 0;
  for (const float lane : lanes) total += lane;
  return total;
}

__attribute__((target("avx512f"))) PRUNER_MEASURING_LOOP void TriadAvx512(
    float* a, const float* b, const float* c, int64_t size, float scale) {
  const __m512 factor = _mm512_set1_ps(scale);
  for (int64_t i = 0; i < size; i += 16) {
    _mm512_store_ps(a + i, _mm512_fmadd_ps(factor, _mm512_load_ps(c + i),
                                           _mm512_load_ps(b + i)));
  }
}

#endif  // defined(__x86_64__)

#undef PRUNER_MEASURING_LOOP

template <int chains>
float RunChains(VectorIsa isa, int64_t rounds) {
  constexpr float kHalf = 0.5F;
  constexpr float kOne = 1.0F;
#if defined(__x86_64__)
  if (isa == VectorIsa::kAvx512) return FmaAvx512<chains>(rounds, kHalf, kOne);
  if (isa == VectorIsa::kAvx2) return FmaAvx2<chains>(rounds, kHalf, kOne);
#endif
  CHECK(isa == VectorIsa::kGeneric);
  return FmaGeneric<chains>(rounds, kHalf, kOne);
}

}  // namespace

VectorIsa WidestVectorIsa() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return VectorIsa::kAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return VectorIsa::kAvx2;
  }
#endif
  return VectorIsa::kGeneric;
}

float RunFmaLoop(VectorIsa isa, FmaChains chains, int64_t rounds) {
  return chains == FmaChains::kThroughput ? RunChains<kChains>(isa, rounds)
                                          : RunChains<1>(isa, rounds);
}

int64_t FmaLoopLanes(VectorIsa isa, FmaChains chains) {
  const int64_t lanes = isa == VectorIsa::kAvx512 ? 16
                        : isa == VectorIsa::kAvx2 ? 8
                                                  : 4;
  return chains == FmaChains::kThroughput ? lanes * kChains : lanes;
}

void RunTriadLoop(VectorIsa isa, absl::Span<FloatLine> a,
                  absl::Span<const FloatLine> b, absl::Span<const FloatLine> c,
                  float scale) {
  CHECK(a.size() == b.size() && a.size() == c.size());
  if (a.empty()) return;
  float* out = a.front().values;
  const float* first = b.front().values;
  const float* second = c.front().values;
  const int64_t size = static_cast<int64_t>(a.size()) * 16;
#if defined(__x86_64__)
  if (isa == VectorIsa::kAvx512) {
    return TriadAvx512(out, first, second, size, scale);
  }
  if (isa == VectorIsa::kAvx2) {
    return TriadAvx2(out, first, second, size, scale);
  }
#endif
  CHECK(isa == VectorIsa::kGeneric);
  TriadGeneric(out, first, second, size, scale);
}

}  // namespace pruner
