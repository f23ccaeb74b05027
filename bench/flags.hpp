// SPDX-License-Identifier: MIT
// The command line of a benchmark: --name value, --name a,b,c or --name alone.
#pragma once

#include <fmt/format.h>
#include <cstddef>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace candor::bench {

class Flags {
 public:
  // Throws for a flag that is not among `known`.
  Flags(int argc, char** argv, const std::set<std::string>& known) {
    for (int i = 1; i < argc; ++i) {
      const std::string name = argv[i];
      if (!known.contains(name))
        throw std::invalid_argument(name + " is not a flag of this program");
      const bool has_value = i + 1 < argc && std::string(argv[i + 1]).rfind("--", 0) != 0;
      given_[name] = has_value ? argv[++i] : "";
    }
  }

  [[nodiscard]] bool has(const std::string& name) const { return given_.contains(name); }

  [[nodiscard]] std::vector<std::string> words(const std::string& name,
                                               std::vector<std::string> otherwise) const {
    if (!has(name)) return otherwise;
    std::vector<std::string> found;
    std::istringstream text(given_.at(name));
    for (std::string word; std::getline(text, word, ',');) found.push_back(word);
    return found;
  }

  [[nodiscard]] std::vector<double> numbers(const std::string& name,
                                            std::vector<double> otherwise) const {
    if (!has(name)) return otherwise;
    std::vector<double> found;
    for (const std::string& word : words(name, {})) {
      std::size_t read = 0;
      found.push_back(std::stod(word, &read));
      if (read != word.size())
        throw std::invalid_argument(fmt::format("{} is {}: not a number", name, word));
    }
    return found;
  }

  [[nodiscard]] int count(const std::string& name, int otherwise) const {
    return has(name) ? static_cast<int>(numbers(name, {}).at(0)) : otherwise;
  }

 private:
  std::map<std::string, std::string> given_;
};

}  // namespace candor::bench
