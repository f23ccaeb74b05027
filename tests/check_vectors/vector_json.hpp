// SPDX-License-Identifier: MIT
// Reading a reference vector without trusting it: every value knows where it stands in the file,
// and a missing key or a wrong type is reported by that place.
#pragma once

#include <candor/linalg/types.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace check_vectors {

// The file is not a reference vector: the message says where and what is wrong.
class Malformed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A value inside a file, and its path from the file's root ("expected.cases[2].hyp").
class Node {
 public:
  Node(const nlohmann::ordered_json& json, std::string path)
      : json_(&json), path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool is_object() const { return json_->is_object(); }
  [[nodiscard]] bool is_number() const { return json_->is_number(); }
  [[nodiscard]] bool has(const std::string& key) const {
    return json_->is_object() && json_->contains(key);
  }

  [[nodiscard]] Node operator[](const std::string& key) const;  // Malformed when it is not there
  [[nodiscard]] std::vector<std::string> keys() const;          // in the file's order
  [[nodiscard]] std::vector<Node> items() const;                // of a list

  [[nodiscard]] double number() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool flag() const;
  [[nodiscard]] candor::Vector vector() const;
  [[nodiscard]] candor::Matrix matrix() const;  // a list of rows of equal length

  [[noreturn]] void refuse(const std::string& requirement) const;

 private:
  const nlohmann::ordered_json* json_;
  std::string path_;
};

[[nodiscard]] nlohmann::ordered_json read_json(const std::filesystem::path& file);

}  // namespace check_vectors
