// SPDX-License-Identifier: MIT
// Internal: is this text UTF-8?
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace candor {

// Offset of the first byte that is not part of valid UTF-8 (surrogates and overlong forms are
// not), or npos.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);

// Throws TableError naming the encoding the text seems to have and the iconv line that converts it.
void check_text_encoding(std::string_view text, const std::string& name, bool compressed);

}  // namespace candor
