// What a worker sends is taken apart in the same way however it arrives.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/log/check.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "pruner/base/os/message_framing.h"

namespace pruner {
namespace {

// The messages in `bytes`, which come in so many pieces; in the end "damaged"
// or what is left.
std::vector<std::string> Messages(absl::string_view bytes, size_t pieces) {
  std::vector<std::string> messages;
  std::string received;
  const size_t size = bytes.size() / pieces + 1;
  while (true) {
    absl::StrAppend(&received, bytes.substr(0, size));
    const bool is_last = bytes.size() <= size;
    bytes.remove_prefix(is_last ? bytes.size() : size);
    while (true) {
      auto message = TakeMessage(received);
      if (!message.ok()) {
        messages.emplace_back("damaged");
        return messages;
      }
      if (!*message) break;
      messages.push_back(**message);
    }
    if (is_last) break;
  }
  messages.push_back(absl::StrCat("left: ", received));
  return messages;
}

void Check(absl::string_view bytes) {
  const std::vector<std::string> messages = Messages(bytes, 1);
  CHECK(Messages(bytes, 3) == messages);
  CHECK(Messages(bytes, bytes.size() + 1) == messages);
  // And what was sent is what arrives.
  const auto sent = FrameMessage(bytes);
  CHECK_OK(sent);
  const std::vector<std::string> arrived = Messages(*sent, 2);
  CHECK_EQ(arrived.size(), size_t{2});
  CHECK_EQ(arrived[0], bytes);
}

}  // namespace
}  // namespace pruner

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  pruner::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
