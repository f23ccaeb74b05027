// SPDX-License-Identifier: MIT
#include <apps/cli/command.hpp>

#include <candor/data/write.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

namespace candor::cli {
namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& path) { return !path.empty() && path != "-"; }

fs::path resolved(const std::string& path) {
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
}

// A terminal or /dev/null may well be read and written at once.
bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  if (fs::exists(a, ignored) && fs::exists(b, ignored))
    return fs::is_regular_file(a, ignored) && fs::equivalent(a, b, ignored);
  return resolved(a) == resolved(b);
}

void check_writable(const Destination& destination) {
  if (destination.path.starts_with("/dev/") || destination.path.starts_with("/proc/")) return;
  const auto refuse = [&](const std::string& why) {
    throw InvalidInput(
        fmt::format("{} {} cannot be written: {}", destination.option, destination.path, why));
  };
  std::error_code ignored;
  const fs::path target = resolved(destination.path);
  if (fs::is_directory(target, ignored)) refuse("this is a folder; name a file in it");
  const bool exists = fs::exists(target, ignored);
  if (exists && ::access(target.c_str(), W_OK) != 0) refuse("it is write-protected");
  if (exists && !fs::is_regular_file(target, ignored)) return;  // a device is not replaced
  const fs::path folder = target.parent_path();
  if (!fs::is_directory(folder, ignored))
    refuse(fmt::format("there is no folder {}; make it first", folder.string()));
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    refuse(fmt::format("no file can be made in the folder {}", folder.string()));
}

}  // namespace

void deliver(const std::string& text, const std::string& path, const Streams& streams) {
  if (!path.empty() && path != "-") {
    write_atomically(path, text);
    return;
  }
  streams.out << text << std::flush;
  if (!streams.out) throw std::runtime_error("standard output cannot be written");
}

void require_file(std::string_view option, const std::string& path) {
  if (path != "-") return;
  throw UsageError(
      fmt::format("{} is -, and this does not go to standard output: name a file", option));
}

void check_destinations(const std::vector<Destination>& destinations,
                        const std::vector<std::string>& inputs, std::string_view advice) {
  std::vector<std::string> taken = inputs;
  for (const Destination& destination : destinations) {
    if (!is_file(destination.path)) continue;
    for (const std::string& other : taken) {
      if (is_file(other) && same_file(destination.path, other)) {
        throw UsageError(fmt::format("{} would write over {}, which is needed as well: {}",
                                     destination.option, other, advice));
      }
    }
    check_writable(destination);
    taken.push_back(destination.path);
  }
}

}  // namespace candor::cli
