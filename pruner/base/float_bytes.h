// Floats as files and messages have them: little-endian IEEE single precision.
#ifndef PRUNER_BASE_FLOAT_BYTES_H_
#define PRUNER_BASE_FLOAT_BYTES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace pruner {

std::string BytesOfFloats(absl::Span<const float> values);

// As many as are whole.
std::vector<float> FloatsOfBytes(absl::string_view bytes);

}  // namespace pruner

#endif  // PRUNER_BASE_FLOAT_BYTES_H_
