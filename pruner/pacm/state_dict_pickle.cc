#include "pruner/pacm/state_dict_pickle.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "pruner/base/status_macros.h"

namespace pruner {
namespace {

// Those of networks take a few thousand bytes.
constexpr size_t kMaxBytes = size_t{1} << 16;

// More than any tensor has: what is read stays in proportion to the pickle.
constexpr size_t kMaxDimensions = 64;

// The machine's, so that a dict which holds itself, as pickles can make one, is
// freed like any other, and tuples may nest as deep as they like.
struct Object;
using Value = Object*;

struct Nothing {};
struct Mark {};
struct Tuple {
  std::vector<Value> items;
};
struct Dict {
  std::vector<std::pair<Value, Value>> items;
};
// A function or a class, by name.
struct Global {
  std::string name;
};
struct StorageKey {
  std::string type, key;
};

struct Object {
  std::variant<Nothing, Mark, int64_t, std::string, Tuple, Dict, Global,
               StorageKey, PickledTensor>
      what;
};

template <typename T>
T* As(Value value) {
  return std::get_if<T>(&value->what);
}

absl::Status Damaged() {
  return absl::InvalidArgumentError("its pickle is damaged");
}

absl::StatusOr<std::vector<int64_t>> Integers(Value value) {
  const auto* const tuple = As<Tuple>(value);
  if (tuple == nullptr || tuple->items.size() > kMaxDimensions)
    return Damaged();
  std::vector<int64_t> integers;
  for (const Value item : tuple->items) {
    const auto* const integer = As<int64_t>(item);
    if (integer == nullptr) return Damaged();
    integers.push_back(*integer);
  }
  return integers;
}

class Machine {
 public:
  explicit Machine(absl::string_view pickle) : rest_(pickle) {}

  // What the pickle makes; the machine's.
  absl::StatusOr<Value> Run() {
    for (;;) {
      ASSIGN_OR_RETURN(const int64_t code, Number(1));
      if (code == '.') break;
      RETURN_IF_ERROR(Do(static_cast<uint8_t>(code)));
    }
    return Pop();
  }

 private:
  // Little-endian.
  absl::StatusOr<int64_t> Number(size_t bytes) {
    if (rest_.size() < bytes) return Damaged();
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; ++i)
      number |= static_cast<uint64_t>(static_cast<uint8_t>(rest_[i])) << 8 * i;
    rest_.remove_prefix(bytes);
    return static_cast<int64_t>(number);
  }

  absl::StatusOr<std::string> Text(size_t length_bytes) {
    ASSIGN_OR_RETURN(const int64_t length, Number(length_bytes));
    if (rest_.size() < static_cast<size_t>(length)) return Damaged();
    std::string text(rest_.substr(0, static_cast<size_t>(length)));
    rest_.remove_prefix(static_cast<size_t>(length));
    return text;
  }

  absl::StatusOr<std::string> Line() {
    const size_t end = rest_.find('\n');
    if (end == absl::string_view::npos) return Damaged();
    std::string line(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return line;
  }

  template <typename T>
  absl::Status Push(T value) {
    stack_.push_back(&objects_.emplace_back(Object{std::move(value)}));
    return absl::OkStatus();
  }

  absl::StatusOr<Value> Pop() {
    if (stack_.empty()) return Damaged();
    const Value value = stack_.back();
    stack_.pop_back();
    return value;
  }

  // The last `count` values, in order.
  absl::StatusOr<std::vector<Value>> PopLast(size_t count) {
    if (stack_.size() < count) return Damaged();
    const auto first = stack_.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<Value> values(first, stack_.end());
    stack_.erase(first, stack_.end());
    return values;
  }

  absl::StatusOr<std::vector<Value>> PopToMark() {
    size_t count = 0;
    while (count < stack_.size() &&
           As<Mark>(stack_[stack_.size() - 1 - count]) == nullptr)
      ++count;
    ASSIGN_OR_RETURN(std::vector<Value> values, PopLast(count));
    RETURN_IF_ERROR(Pop().status());
    return values;
  }

  absl::Status PushTuple(absl::StatusOr<std::vector<Value>> items) {
    RETURN_IF_ERROR(items.status());
    return Push(Tuple{*std::move(items)});
  }

  // Into the dict that is on top.
  absl::Status SetItems(absl::StatusOr<std::vector<Value>> items) {
    RETURN_IF_ERROR(items.status());
    if (stack_.empty() || items->size() % 2 != 0) return Damaged();
    auto* const dict = As<Dict>(stack_.back());
    if (dict == nullptr) return Damaged();
    for (size_t i = 0; i < items->size(); i += 2)
      dict->items.emplace_back((*items)[i], (*items)[i + 1]);
    return absl::OkStatus();
  }

  absl::Status Put(absl::StatusOr<int64_t> place) {
    RETURN_IF_ERROR(place.status());
    if (stack_.empty()) return Damaged();
    memo_[*place] = stack_.back();
    return absl::OkStatus();
  }

  absl::Status Get(absl::StatusOr<int64_t> place) {
    RETURN_IF_ERROR(place.status());
    const auto found = memo_.find(*place);
    if (found == memo_.end()) return Damaged();
    stack_.push_back(found->second);
    return absl::OkStatus();
  }

  absl::Status PushGlobal() {
    ASSIGN_OR_RETURN(const std::string module, Line());
    ASSIGN_OR_RETURN(const std::string name, Line());
    return Push(Global{absl::StrCat(module, ".", name)});
  }

  // ("storage", its class, key, device, elements).
  absl::Status PushStorage() {
    ASSIGN_OR_RETURN(const Value id, Pop());
    const auto* const tuple = As<Tuple>(id);
    if (tuple == nullptr || tuple->items.size() != 5) return Damaged();
    const auto* const type = As<Global>(tuple->items[1]);
    const auto* const key = As<std::string>(tuple->items[2]);
    if (type == nullptr || key == nullptr) return Damaged();
    absl::string_view name = type->name;
    if (!absl::ConsumePrefix(&name, "torch.") ||
        !absl::EndsWith(name, "Storage")) {
      return Refused(type->name);
    }
    return Push(StorageKey{.type = std::string(name), .key = *key});
  }

  // Calls a function: one of two.
  absl::Status Reduce() {
    ASSIGN_OR_RETURN(const Value arguments, Pop());
    ASSIGN_OR_RETURN(const Value function, Pop());
    const auto* const given = As<Tuple>(arguments);
    const auto* const global = As<Global>(function);
    if (given == nullptr || global == nullptr) return Damaged();
    if (global->name == "collections.OrderedDict") return Push(Dict());
    if (global->name == "torch._utils._rebuild_tensor_v2")
      return PushTensor(given->items);
    return Refused(global->name);
  }

  // Of storage, offset, shape, strides and what does not matter here.
  absl::Status PushTensor(const std::vector<Value>& arguments) {
    if (arguments.size() < 4) return Damaged();
    const auto* const storage = As<StorageKey>(arguments[0]);
    const auto* const offset = As<int64_t>(arguments[1]);
    if (storage == nullptr || offset == nullptr) return Damaged();
    PickledTensor tensor = {
        .type = storage->type, .storage = storage->key, .offset = *offset};
    ASSIGN_OR_RETURN(tensor.shape, Integers(arguments[2]));
    ASSIGN_OR_RETURN(tensor.strides, Integers(arguments[3]));
    return Push(std::move(tensor));
  }

  static absl::Status Refused(absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("it holds more than tensors: it asks for ", what));
  }

  template <typename T>
  absl::Status PushRead(absl::StatusOr<T> value) {
    RETURN_IF_ERROR(value.status());
    return Push(*std::move(value));
  }

  absl::Status Do(uint8_t code) {
    switch (code) {
      case 0x80:  // protocol
        return Number(1).status();
      case '(':
        return Push(Mark());
      case 'N':
      case 0x88:  // true
      case 0x89:  // false
        return Push(Nothing());
      case 'K':
        return PushRead(Number(1));
      case 'M':
        return PushRead(Number(2));
      case 'J':
        return PushRead(Number(4));
      case 'X':
        return PushRead(Text(4));
      case 0x8c:
        return PushRead(Text(1));
      case ')':
        return Push(Tuple());
      case '}':
        return Push(Dict());
      case 't':
        return PushTuple(PopToMark());
      case 0x85:
      case 0x86:
      case 0x87:
        return PushTuple(PopLast(code - 0x84));
      case 's':
        return SetItems(PopLast(2));
      case 'u':
        return SetItems(PopToMark());
      case 'q':
        return Put(Number(1));
      case 'r':
        return Put(Number(4));
      case 'h':
        return Get(Number(1));
      case 'j':
        return Get(Number(4));
      case 'c':
        return PushGlobal();
      case 'Q':
        return PushStorage();
      case 'R':
        return Reduce();
      case 'b':  // attributes of a dict, which say nothing of its tensors
        return Pop().status();
      default:
        return Refused(absl::StrFormat("operation %#x", code));
    }
  }

  absl::string_view rest_;
  std::deque<Object> objects_;  // all that were made; they stay where they are
  std::vector<Value> stack_;
  std::map<int64_t, Value> memo_;
};

}  // namespace

absl::StatusOr<std::map<std::string, PickledTensor>> ReadStateDictPickle(
    absl::string_view pickle) {
  if (pickle.size() > kMaxBytes) return Damaged();
  Machine machine(pickle);
  ASSIGN_OR_RETURN(const Value value, machine.Run());
  const auto* const dict = As<Dict>(value);
  if (dict == nullptr) return absl::InvalidArgumentError("it is no state_dict");
  std::map<std::string, PickledTensor> tensors;
  for (const auto& [key, item] : dict->items) {
    const auto* const name = As<std::string>(key);
    const auto* const tensor = As<PickledTensor>(item);
    if (name == nullptr || tensor == nullptr) {
      return absl::InvalidArgumentError(
          "it is no state_dict: it has more than tensors by name");
    }
    tensors.emplace(*name, *tensor);
  }
  return tensors;
}

}  // namespace pruner
