#include "halide_ext/runtime/claim_lines.h"

#include <stdint.h>

void PrunerClaimLines(void* memory, size_t bytes) {
#if defined(__x86_64__)
  const uintptr_t kLine = 64;
  const uintptr_t begin = ((uintptr_t)memory + kLine - 1) / kLine * kLine;
  const uintptr_t end = ((uintptr_t)memory + bytes) / kLine * kLine;
  if (begin >= end) return;
  void* place = (void*)begin;
  size_t left = end - begin;
  // The C library's memset takes other instructions for some sizes.
  __asm__ volatile("rep stosb" : "+D"(place), "+c"(left) : "a"(0) : "memory");
#else
  (void)memory;
  (void)bytes;
#endif
}
