// A flatbuffer that came from outside, placed such that a reader who trusts it
// crashes where it leads behind its end, rather than read something else.
#ifndef HALIDE_EXT_RUNNER_GUARDED_FLATBUFFER_H_
#define HALIDE_EXT_RUNNER_GUARDED_FLATBUFFER_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace pruner {

class GuardedFlatbuffer {
 public:
  // A copy, for at least the four bytes of the offset to its root. Fewer than 8
  // bytes lie between its end and memory that must not be touched, which is as
  // large as the file may be: wherever the lost end of one that was cut off
  // would have been.
  static absl::StatusOr<GuardedFlatbuffer> Copy(absl::string_view bytes);

  GuardedFlatbuffer(GuardedFlatbuffer&& other) noexcept
      : bytes_(std::move(other.bytes_)),
        guard_(std::exchange(other.guard_, nullptr)) {}
  GuardedFlatbuffer& operator=(GuardedFlatbuffer&& other) = delete;
  ~GuardedFlatbuffer();

  // The same flatbuffer, with as many zeros between the root's offset and the
  // rest as move the end to where it should be. All other offsets are relative
  // to where they are stored.
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  GuardedFlatbuffer() = default;

  // What is guarded is part of the vector's memory, behind its elements: Halide
  // reads vectors, whose memory cannot be chosen.
  std::vector<uint8_t> bytes_;
  void* guard_ = nullptr;
};

}  // namespace pruner

#endif  // HALIDE_EXT_RUNNER_GUARDED_FLATBUFFER_H_
