// SPDX-License-Identifier: MIT
#include <candor/model/cost.hpp>

#include <algorithm>
#include <fstream>
#include <string>

namespace candor {
namespace {

// The number in a file that holds one; nothing for a file that is not there or says "max".
std::optional<double> number_in(const std::string& path) {
  std::ifstream file(path);
  double value = 0.0;
  if (!(file >> value)) return std::nullopt;
  return value;
}

// What the kernel thinks can be had without swapping.
std::optional<double> available_to_all() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  double kilobytes = 0.0;
  for (std::string line; file >> name >> kilobytes && std::getline(file, line);) {
    if (name == "MemAvailable:") return 1024.0 * kilobytes;
  }
  return std::nullopt;
}

// What a container's limit leaves.
std::optional<double> left_in_group(const std::string& limit_file, const std::string& usage_file) {
  const auto limit = number_in(limit_file), usage = number_in(usage_file);
  if (!limit || !usage) return std::nullopt;
  return std::max(0.0, *limit - *usage);
}

}  // namespace

std::optional<double> available_bytes() {
  std::optional<double> least = available_to_all();
  const std::string root = "/sys/fs/cgroup/";
  for (const auto& left : {left_in_group(root + "memory.max", root + "memory.current"),
                           left_in_group(root + "memory/memory.limit_in_bytes",
                                         root + "memory/memory.usage_in_bytes")}) {
    if (left) least = std::min(least.value_or(*left), *left);
  }
  return least;
}

}  // namespace candor
