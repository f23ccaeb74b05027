// SPDX-License-Identifier: MIT
#include "escape.hpp"

#include <nlohmann/json.hpp>

namespace candor::cli {
namespace {

using nlohmann::json;

std::string dumped(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const auto valid = json::parse(dumped(text)).get<std::string>();
  for (const char c : valid) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string script_json(const json& value) {
  const std::string text = dumped(value);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "\\u0026";
        break;
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t characters) {
  // Bytes 10xxxxxx continue a code point of UTF-8.
  const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (starts(text[i]) && seen++ == characters) return std::string(text.substr(0, i)) + "…";
  return std::string(text);
}

}  // namespace candor::cli
