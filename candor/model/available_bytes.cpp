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

// The number after a name at the start of a line.
std::optional<double> number_named(const std::string& wanted, const std::string& path) {
  std::ifstream file(path);
  std::string name;
  double value = 0.0;
  for (std::string rest; file >> name >> value && std::getline(file, rest);) {
    if (name == wanted) return value;
  }
  return std::nullopt;
}

// What a container's limit leaves.  Pages of files that nobody has looked at lately count as used,
// and are given back when memory is wanted.
struct Group {
  const char *limit, *usage, *statistics, *reclaimable;
};
constexpr Group groups[] = {{"memory.max", "memory.current", "memory.stat", "inactive_file"},
                            {"memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes",
                             "memory/memory.stat", "total_inactive_file"}};

std::optional<double> left_in(const Group& group, const std::string& folder) {
  const auto limit = number_in(folder + group.limit), usage = number_in(folder + group.usage);
  if (!limit || !usage) return std::nullopt;
  const double files = number_named(group.reclaimable, folder + group.statistics).value_or(0.0);
  return std::clamp(*limit - *usage + files, 0.0, *limit);
}

}  // namespace

std::optional<double> available_bytes(const std::string& root) {
  std::optional<double> least;
  // What the kernel thinks can be had without swapping.
  if (const auto kilobytes = number_named("MemAvailable:", root + "proc/meminfo")) {
    least = 1024.0 * *kilobytes;
  }
  for (const Group& group : groups) {
    if (const auto left = left_in(group, root + "sys/fs/cgroup/")) {
      least = std::min(least.value_or(*left), *left);
    }
  }
  return least;
}

}  // namespace candor
