// SPDX-License-Identifier: MIT
// Internal: the words error messages are made of.
#pragma once

#include <candor/data/table.hpp>
#include <candor/linalg/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace candor {

// A value in double quotes, control characters spelled out, long ones cut: safe on a terminal.
[[nodiscard]] std::string shown(std::string_view value);

// Each of them shown.
[[nodiscard]] std::vector<std::string> all_shown(const std::vector<std::string>& values);

// As a shell reads it back: within single quotes.
[[nodiscard]] std::string in_shell_quotes(std::string_view word);
// Without them where a shell needs none.
[[nodiscard]] std::string as_shell_word(std::string_view word);

// "1 row", "3 rows".
[[nodiscard]] std::string counted(Index count, std::string_view noun);

// "a, b and c"; after `most` of them "a, b, c and 7 more".
[[nodiscard]] std::string listed(const std::vector<std::string>& items, std::size_t most = 5);

// "table.csv: line 12, column "age"".
[[nodiscard]] std::string place(const Table& table, Index row, Index column);

// The known name nearest to `name` by edits, case aside; empty where none is near.
[[nodiscard]] std::string nearest_name_of(std::string_view name,
                                          const std::vector<std::string>& known);

// ASCII letters only: column names and flags need no more.
[[nodiscard]] std::string lower_case(std::string_view text);
// The first letter a capital, to begin a sentence with.
[[nodiscard]] std::string capitalised(std::string text);

}  // namespace candor
