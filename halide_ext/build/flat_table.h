// Reading a flatbuffer, which is what Halide serializes to, without knowing its
// schema and without trusting its bytes: what is not there, or lies out of
// bounds, is no value.
//
// A table is found at the root offset (the first four bytes) or at another
// offset from where that is stored. It begins with the distance back to its
// list of fields, which says where in the table each field is stored; fields
// that hold strings, vectors and tables are offsets forward.
#ifndef HALIDE_EXT_BUILD_FLAT_TABLE_H_
#define HALIDE_EXT_BUILD_FLAT_TABLE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"

namespace pruner {

// Valid for as long as the bytes are. Fields are numbered as in the schema, a
// union counting as two: its type, then itself.
class FlatTable {
 public:
  static std::optional<FlatTable> Root(absl::string_view bytes);

  std::optional<absl::string_view> String(int field) const;
  std::optional<std::vector<absl::string_view>> Strings(int field) const;
  // Their own fields may still be out of bounds.
  std::optional<std::vector<FlatTable>> Tables(int field) const;

 private:
  FlatTable(absl::string_view bytes, uint64_t position, uint64_t fields,
            uint64_t fields_end)
      : bytes_(bytes),
        position_(position),
        fields_(fields),
        fields_end_(fields_end) {}

  static std::optional<FlatTable> At(absl::string_view bytes,
                                     uint64_t position);
  // Where the object of a field is.
  std::optional<uint64_t> Find(int field) const;
  // Where the objects of a vector of offsets are.
  std::optional<std::vector<uint64_t>> FindAll(int field) const;

  absl::string_view bytes_;
  uint64_t position_;
  uint64_t fields_, fields_end_;  // where the field list's entries are
};

}  // namespace pruner

#endif  // HALIDE_EXT_BUILD_FLAT_TABLE_H_
