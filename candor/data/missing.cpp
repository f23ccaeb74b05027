// SPDX-License-Identifier: MIT
#include <candor/data/missing.hpp>

#include <algorithm>
#include <utility>

namespace candor {

std::vector<std::string> default_missing_words() {
  return {"#N/A", "-nan", ".",    "<NA>", "?",   "N/A", "NA",  "NAN",
          "NULL", "NaN",  "None", "Null", "n/a", "nan", "null"};
}

MissingWords::MissingWords() : MissingWords(default_missing_words()) {}

MissingWords::MissingWords(std::vector<std::string> words) : words_(std::move(words)) {
  std::sort(words_.begin(), words_.end());
  for (const std::string& word : words_) longest_ = std::max(longest_, word.size());
}

bool MissingWords::contains(std::string_view trimmed_cell) const {
  if (trimmed_cell.empty()) return true;
  return trimmed_cell.size() <= longest_ &&
         std::binary_search(words_.begin(), words_.end(), trimmed_cell);
}

MissingWords missing_words(const MissingWish& wish, std::vector<std::string> usual) {
  std::vector<std::string> words = wish.only_these ? std::vector<std::string>{} : std::move(usual);
  words.insert(words.end(), wish.words.begin(), wish.words.end());
  return MissingWords(std::move(words));
}

}  // namespace candor
