// Tables in plain text.
#ifndef PRUNER_BASE_TEXT_TABLE_H_
#define PRUNER_BASE_TEXT_TABLE_H_

#include <string>
#include <vector>

namespace pruner {

// Columns as wide as their widest cell:
//
//   task        trials     time
//   ----------  ------  -------
//   conv2d_3x3     128  17.4 ms
class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kRight;
  };

  explicit Table(std::vector<Column> columns);

  // One cell of UTF-8 text without line breaks for each column.
  void AddRow(std::vector<std::string> cells);

  // The title line, a rule and the rows, each with its line break and without
  // spaces at its end.
  std::string ToString() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace pruner

#endif  // PRUNER_BASE_TEXT_TABLE_H_
