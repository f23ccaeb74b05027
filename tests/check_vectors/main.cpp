// SPDX-License-Identifier: MIT
// check_vectors PATH…: checks Candor against files of reference numbers, or folders of them
// (tests/oracle/README.md tells their schema).  One line per check with its largest deviation as a
// share of what the file allows.
//
// Exit status: 0 when all checks hold, 1 when one fails, 2 when a file cannot be read or
// understood.
#include "check_file.hpp"
#include "vector_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <vector>

namespace {

namespace fs = std::filesystem;
using check_vectors::Malformed;

std::vector<fs::path> files_at(const fs::path& path) {
  if (!fs::exists(path)) throw Malformed("there is no such file or folder");
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.is_regular_file() && entry.path().extension() == ".json")
      files.push_back(entry.path());
  }
  if (files.empty()) throw Malformed("the folder holds no .json file");
  std::sort(files.begin(), files.end());
  return files;
}

// Whether `body` ran through; if not, says why in one sentence.
template <class Body>
bool readable(const fs::path& path, Body body) {
  try {
    body();
    return true;
  } catch (const std::exception& error) {
    std::fflush(stdout);
    fmt::print(stderr, "check_vectors: {}: {}\n", path.string(), error.what());
    return false;
  }
}

int check_all(const std::vector<fs::path>& paths) {
  check_vectors::Counts counts;
  bool understood = true;
  for (const fs::path& path : paths) {
    std::vector<fs::path> files;
    understood &= readable(path, [&] { files = files_at(path); });
    for (const fs::path& file : files) {
      understood &= readable(file, [&] { check_vectors::check_file(file, counts); });
    }
  }
  fmt::print("{} passed, {} failed, {} not covered\n", counts.passed, counts.failed,
             counts.not_covered);
  if (!understood) return 2;
  return counts.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<fs::path> paths(argv + 1, argv + argc);
  if (paths.empty()) {
    fmt::print(stderr, "usage: check_vectors PATH…   files of reference numbers, or folders\n");
    return 2;
  }
  return check_all(paths);
}
