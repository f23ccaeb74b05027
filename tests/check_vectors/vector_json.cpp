// SPDX-License-Identifier: MIT
#include "vector_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

namespace check_vectors {

using candor::Index;
using candor::Matrix;
using candor::Vector;

void Node::refuse(const std::string& requirement) const {
  std::string shown = json_->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (shown.size() > 40) shown = shown.substr(0, 37) + "...";
  throw Malformed(fmt::format("{} is {}: it must be {}", path_.empty() ? "the file" : path_, shown,
                              requirement));
}

Node Node::operator[](const std::string& key) const {
  const std::string path = path_.empty() ? key : path_ + "." + key;
  if (!json_->is_object()) refuse("an object");
  const auto found = json_->find(key);
  if (found == json_->end()) throw Malformed(fmt::format("{} is missing", path));
  return {*found, path};
}

std::vector<std::string> Node::keys() const {
  if (!json_->is_object()) refuse("an object");
  std::vector<std::string> keys;
  for (const auto& item : json_->items()) keys.push_back(item.key());
  return keys;
}

std::vector<Node> Node::items() const {
  if (!json_->is_array()) refuse("a list");
  std::vector<Node> items;
  for (const auto& item : *json_) {
    items.emplace_back(item, fmt::format("{}[{}]", path_, items.size()));
  }
  return items;
}

double Node::number() const {
  if (!json_->is_number()) refuse("a number");
  const double value = json_->get<double>();
  if (!std::isfinite(value)) refuse("finite");
  return value;
}

std::string Node::text() const {
  if (!json_->is_string()) refuse("text");
  return json_->get<std::string>();
}

bool Node::flag() const {
  if (!json_->is_boolean()) refuse("true or false");
  return json_->get<bool>();
}

Vector Node::vector() const {
  const std::vector<Node> entries = items();
  Vector values(static_cast<Index>(entries.size()));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    values[static_cast<Index>(i)] = entries[i].number();
  }
  return values;
}

Matrix Node::matrix() const {
  const std::vector<Node> rows = items();
  if (rows.empty()) refuse("a list of at least one row");
  const Index columns = rows.front().vector().size();
  if (columns == 0) rows.front().refuse("a list of at least one number");
  Matrix values(static_cast<Index>(rows.size()), columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Vector row = rows[i].vector();
    if (row.size() != columns) {
      rows[i].refuse(fmt::format("a list of {} numbers, as the first row is", columns));
    }
    values.row(static_cast<Index>(i)) = row.transpose();
  }
  return values;
}

nlohmann::ordered_json read_json(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw Malformed("the file cannot be opened");
  try {
    return nlohmann::ordered_json::parse(stream);
  } catch (const nlohmann::json::parse_error& error) {
    throw Malformed(
        fmt::format("the file is not JSON: it breaks off or errs at byte {}", error.byte));
  } catch (const nlohmann::json::exception&) {
    throw Malformed("the file is not JSON with numbers that a double can hold");
  }
}

}  // namespace check_vectors
