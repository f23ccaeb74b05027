// SPDX-License-Identifier: MIT
// Files out: whole or not at all.
#pragma once

#include <candor/data/dialect.hpp>

#include <string>
#include <string_view>

namespace candor {

// Writes a temporary file beside `path`, syncs it, renames it.  A link is followed, permissions
// of an existing file are kept.  Devices, pipes and open descriptors (/dev/stdout) are written to.
// Throws TableError saying why it could not.
void write_atomically(const std::string& path, std::string_view text);

// A cell as the dialect writes it: quoted where it must be or where `always` says so.
[[nodiscard]] std::string quote_cell(std::string_view value, const Dialect& dialect,
                                     bool always = false);

}  // namespace candor
