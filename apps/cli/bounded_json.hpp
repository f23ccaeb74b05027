// SPDX-License-Identifier: MIT
// JSON that somebody else wrote: what is copied and written level by level must not be deep enough
// to use up the stack.
#pragma once

#include <candor/linalg/errors.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>

namespace candor::cli {

// A discarded value where `text` is not JSON; InvalidInput beginning with `place` where it is
// nested too deeply.
inline nlohmann::json parse_bounded(const std::string& text, const std::string& place) {
  constexpr int most_levels = 32;
  const auto refuse_deep = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    if (depth > most_levels) {
      throw InvalidInput(fmt::format("{} nests JSON more than {} levels deep: no file of ours does",
                                     place, most_levels));
    }
    return true;
  };
  return nlohmann::json::parse(text, refuse_deep, false);
}

}  // namespace candor::cli
