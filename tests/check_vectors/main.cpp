// SPDX-License-Identifier: MIT
// check_vectors PATH…: checks Candor against files of reference numbers, or folders of them
// (tests/oracle/README.md tells their schema).  One line per check with its largest deviation as a
// share of what the file allows.
//
// Exit status: 0 when all checks hold, 1 when one fails, 2 when a file cannot be read or
// understood, or the report not written.
#include "check_file.hpp"
#include "vector_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

namespace fs = std::filesystem;
using check_vectors::Malformed;

constexpr std::string_view usage =
    "usage: check_vectors PATH…   files of reference numbers, or folders of them\n"
    "\n"
    "  check_vectors tests/oracle\n"
    "  check_vectors tests/oracle/ep_probit.json\n"
    "\n"
    "Exit status: 0 all checks hold, 1 one fails, 2 a file cannot be read or the report written.\n";

// A pipe would be waited for, and a link that leads nowhere or in a circle cannot be opened.
void require_regular(const fs::path& file) {
  std::error_code error;
  if (fs::is_regular_file(file, error)) return;
  throw Malformed(error ? "it cannot be opened: " + error.message() : "it is not a regular file");
}

std::vector<fs::path> files_at(const fs::path& path) {
  std::error_code error;
  if (fs::status(path, error).type() == fs::file_type::not_found)
    throw Malformed("there is no such file or folder");
  if (!fs::is_directory(path, error)) return {path};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
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
      understood &= readable(file, [&] {
        require_regular(file);
        check_vectors::check_file(file, counts);
      });
    }
  }
  fmt::print("{} passed, {} failed, {} not covered\n", counts.passed, counts.failed,
             counts.not_covered);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    fmt::print(stderr, "check_vectors: the report cannot be written\n");
    return 2;
  }
  if (!understood) return 2;
  return counts.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<fs::path> paths(argv + 1, argv + argc);
  if (paths.empty()) {
    fmt::print(stderr, "{}", usage);
    return 2;
  }
  if (paths.front() == "--help") {
    fmt::print("{}", usage);
    return 0;
  }
  return check_all(paths);
}
