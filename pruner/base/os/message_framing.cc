#include "pruner/base/os/message_framing.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace pruner {
namespace {

constexpr absl::string_view kMagic = "PRM1";

}  // namespace

absl::StatusOr<std::string> FrameMessage(absl::string_view message) {
  if (message.size() > kMaxMessageBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("a message of ", message.size(),
                     " bytes is above the limit of ", kMaxMessageBytes));
  }
  std::string frame;
  frame.reserve(kMessageHeaderBytes + message.size());
  frame.append(kMagic);
  for (int shift = 0; shift < 32; shift += 8) {
    frame.push_back(static_cast<char>(message.size() >> shift));
  }
  frame.append(message);
  return frame;
}

absl::StatusOr<std::optional<std::string>> TakeMessage(std::string& received) {
  const absl::string_view start =
      absl::string_view(received).substr(0, kMagic.size());
  if (!absl::StartsWith(kMagic, start)) {
    return absl::DataLossError(
        absl::StrCat("received something that is no message: \"",
                     absl::CHexEscape(start), "\""));
  }
  if (received.size() < kMessageHeaderBytes) return std::nullopt;
  size_t size = 0;
  for (int i = 0; i < 4; ++i) {
    size |= static_cast<size_t>(static_cast<uint8_t>(received[4 + i]))
            << (8 * i);
  }
  if (size > kMaxMessageBytes) {
    return absl::DataLossError(absl::StrCat("received a message of ", size,
                                            " bytes, above the limit of ",
                                            kMaxMessageBytes));
  }
  if (received.size() < kMessageHeaderBytes + size) return std::nullopt;
  std::string message = received.substr(kMessageHeaderBytes, size);
  received.erase(0, kMessageHeaderBytes + size);
  return message;
}

}  // namespace pruner
