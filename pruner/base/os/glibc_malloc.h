// When glibc's malloc takes memory from the system and gives it back (its
// manual, "Malloc Tunable Parameters"), in bytes.
#ifndef PRUNER_BASE_OS_GLIBC_MALLOC_H_
#define PRUNER_BASE_OS_GLIBC_MALLOC_H_

#include <cstdint>

namespace pruner::glibc {

// Larger blocks are mappings of their own, until one as large has been freed
// (M_MMAP_THRESHOLD), and always if they are larger than the most.
inline constexpr int64_t kLeastMapped = int64_t{128} << 10;
inline constexpr int64_t kMostKept = int64_t{32} << 20;
// What is free at the end of the heap is given back once it is so much
// (M_TRIM_THRESHOLD): so many times the largest mapping that was freed, if one
// was; but for a rest, which a heap that grows takes in addition (M_TOP_PAD).
inline constexpr int64_t kLeastGivenBack = int64_t{128} << 10;
inline constexpr int64_t kTimesLargest = 2;
inline constexpr int64_t kRest = int64_t{128} << 10;

inline constexpr int64_t kPage = int64_t{4} << 10;

}  // namespace pruner::glibc

#endif  // PRUNER_BASE_OS_GLIBC_MALLOC_H_
