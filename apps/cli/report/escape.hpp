// SPDX-License-Identifier: MIT
// Text from a table made harmless.  These two are the only ways a text gets into the page.  Bytes
// that are no UTF-8 become U+FFFD.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace candor::cli {

// For element content and quoted attributes.
[[nodiscard]] std::string escape_html(std::string_view text);

// For a <script type="application/json"> element: nothing in it can end the element or open a
// comment, since < > and & are written as \u escapes.
[[nodiscard]] std::string script_json(const nlohmann::json& value);

// At most `characters` code points; what was cut is marked by an ellipsis.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t characters);

}  // namespace candor::cli
