// How messages follow each other on the socket between a MessageChild and its
// MessageParent: "PRM1", the length in 4 bytes, little-endian, the message.
#ifndef PRUNER_BASE_OS_MESSAGE_FRAMING_H_
#define PRUNER_BASE_OS_MESSAGE_FRAMING_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace pruner {

inline constexpr size_t kMaxMessageBytes = size_t{1} << 30;
inline constexpr size_t kMessageHeaderBytes = 8;

// The environment variable that tells a child the socket's descriptor.
inline constexpr char kMessageSocketVariable[] = "PRUNER_MESSAGE_SOCKET";

// The message with its header; InvalidArgument above kMaxMessageBytes.
absl::StatusOr<std::string> FrameMessage(absl::string_view message);

// Takes the first message off `received`, if it is there whole. DataLoss if the
// bytes are no message.
absl::StatusOr<std::optional<std::string>> TakeMessage(std::string& received);

}  // namespace pruner

#endif  // PRUNER_BASE_OS_MESSAGE_FRAMING_H_
