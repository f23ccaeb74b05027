// SPDX-License-Identifier: MIT
// Which cells hold nothing.  An empty cell always does; beyond that a list of words decides, the
// usual ones and the user's, compared exactly after trimming.  Placeholders such as -999 are never
// guessed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace candor {

class MissingWords {
 public:
  MissingWords();  // the default list
  explicit MissingWords(std::vector<std::string> words);

  [[nodiscard]] bool contains(std::string_view trimmed_cell) const;
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

 private:
  std::vector<std::string> words_;  // sorted
  std::size_t longest_ = 0;
};

// ? . NA N/A n/a #N/A <NA> NaN nan NAN -nan null NULL Null None
[[nodiscard]] std::vector<std::string> default_missing_words();

// What the user has said about them.
struct MissingWish {
  std::vector<std::string> words = {};
  bool only_these = false;  // not the usual ones
};
[[nodiscard]] MissingWords missing_words(const MissingWish& wish, std::vector<std::string> usual);

}  // namespace candor
