// SPDX-License-Identifier: MIT
#include <candor/data/quoting.hpp>
#include <candor/data/table_error.hpp>
#include <candor/data/write.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

namespace candor {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, std::string_view what, int error) {
  throw TableError(fmt::format("{}: {}: {}", path, what, std::strerror(error)));
}

void write_all(int descriptor, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse(path, "cannot be written", errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// An open file that is closed in any case.
class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

  void write(std::string_view text, const std::string& path) const {
    write_all(descriptor_, text, path);
  }

  void close(const std::string& path) {
    if (::close(std::exchange(descriptor_, -1)) != 0) refuse(path, "cannot be written", errno);
  }

 private:
  int descriptor_;
};

// A file that is gone unless it was kept.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path path) : path_(std::move(path)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    if (!kept_) fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  void keep() { kept_ = true; }

 private:
  fs::path path_;
  bool kept_ = false;
};

// A terminal, a pipe or /dev/null is written to, not replaced.
void write_in_place(const std::string& path, std::string_view text) {
  const OpenFile file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.descriptor() < 0) refuse(path, "cannot be opened for writing", errno);
  file.write(text, path);
}

// What the program was given to write to: opened by name, a file would be written from its start.
std::optional<int> open_descriptor(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  int descriptor = 0;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const char* const end = path.data() + path.size();
    const auto [rest, error] = std::from_chars(path.data() + folder.size(), end, descriptor);
    if (error == std::errc() && rest == end) return descriptor;
  }
  return std::nullopt;
}

// Where a chain of links leads, though nothing may be there yet.
fs::path followed(fs::path target) {
  constexpr int most_links = 40;  // as the kernel has it
  std::error_code error;
  for (int link = 0; fs::is_symlink(target, error); ++link) {
    if (link == most_links) throw TableError(target.string() + ": this link leads in a circle");
    target = target.parent_path() / fs::read_symlink(target, error);
  }
  return target;
}

std::pair<int, fs::path> create_beside(const fs::path& target, const std::string& path) {
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  for (int attempt = 0; attempt < 100; ++attempt) {
    const fs::path candidate = folder / fmt::format(".candor.{}.{}.tmp", ::getpid(), attempt);
    // Mode 0666 is narrowed by the user's umask, as for any new file.
    const int descriptor = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return {descriptor, candidate};
    if (errno != EEXIST) refuse(path, "no file can be written in its folder", errno);
  }
  refuse(path, "no temporary file can be made beside it", EEXIST);
}

// The rename itself must survive a power cut too; a folder that cannot be synced is no reason to
// fail.
void sync_folder(const fs::path& target) {
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const OpenFile opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.descriptor() >= 0) ::fsync(opened.descriptor());
}

void replace_file(const fs::path& target, const std::string& path, std::string_view text,
                  std::optional<mode_t> mode) {
  const auto [descriptor, temporary] = create_beside(target, path);
  OpenFile file(descriptor);
  TemporaryFile guard(temporary);
  file.write(text, path);
  if (mode && ::fchmod(file.descriptor(), *mode) != 0)
    refuse(path, "its permissions cannot be kept", errno);
  if (::fsync(file.descriptor()) != 0) refuse(path, "cannot be written", errno);
  file.close(path);
  if (std::rename(temporary.c_str(), target.c_str()) != 0)
    refuse(path, "cannot be replaced", errno);
  guard.keep();
  sync_folder(target);
}

}  // namespace

void write_atomically(const std::string& path, std::string_view text) {
  if (path.empty()) throw TableError("the file to write has an empty name");
  if (const std::optional<int> descriptor = open_descriptor(path)) {
    return write_all(*descriptor, text, path);
  }
  const fs::path target = followed(path);
  struct stat status {};
  if (::stat(target.c_str(), &status) != 0) return replace_file(target, path, text, std::nullopt);
  if (S_ISDIR(status.st_mode))
    throw TableError(fmt::format("{}: this is a folder: name a file in it", path));
  if (!S_ISREG(status.st_mode)) return write_in_place(path, text);
  // Renaming over a write-protected file would work; the protection was meant.
  if (::access(target.c_str(), W_OK) != 0) refuse(path, "cannot be written", errno);
  replace_file(target, path, text, status.st_mode & 07777U);
}

std::string quote_cell(std::string_view value, const Dialect& dialect, bool always) {
  const bool backslash = dialect.escape == QuoteEscape::backslash;
  std::string special = "\r\n";
  special += {dialect.delimiter, dialect.quote};
  if (backslash) special += " \t{}%\\\"";
  // A quote character matters only at the front; quoting any cell that holds one is simpler and
  // right.
  const bool needed = value.find_first_of(special) != std::string_view::npos ||
                      trim(value).size() != value.size() || (backslash && value.empty());
  if (dialect.quote == '\0' || !(always || needed)) return std::string(value);
  std::string out(1, dialect.quote);
  for (const char c : value) {
    if (backslash && c == '\n')
      out += "\\n";
    else if (backslash && c == '\r')
      out += "\\r";
    else if (backslash && (c == '\'' || c == '"' || c == '\\'))
      out += {'\\', c};
    else if (!backslash && c == dialect.quote)
      out += {c, c};
    else
      out += c;
  }
  return out + dialect.quote;
}

}  // namespace candor
