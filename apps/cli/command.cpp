// SPDX-License-Identifier: MIT
#include <apps/cli/command.hpp>

#include <candor/data/write.hpp>

#include <stdexcept>

namespace candor::cli {

void deliver(const std::string& text, const std::string& path, const Streams& streams) {
  if (!path.empty() && path != "-") {
    write_atomically(path, text);
    return;
  }
  streams.out << text << std::flush;
  if (!streams.out) throw std::runtime_error("standard output cannot be written");
}

}  // namespace candor::cli
