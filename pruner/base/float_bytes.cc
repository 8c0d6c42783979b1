#include "pruner/base/float_bytes.h"

#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace pruner {

static_assert(std::endian::native == std::endian::little,
              "the bytes are taken as memory has them");

std::string BytesOfFloats(absl::Span<const float> values) {
  return std::string(reinterpret_cast<const char*>(values.data()),
                     values.size() * sizeof(float));
}

std::vector<float> FloatsOfBytes(absl::string_view bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  // memcpy takes no null pointer, not even for no bytes.
  if (values.empty()) return values;
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

}  // namespace pruner
