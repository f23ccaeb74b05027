// SPDX-License-Identifier: MIT
#include <apps/cli/table_options.hpp>

#include <apps/cli/exit_code.hpp>
#include <apps/cli/option_group.hpp>

#include <candor/data/wording.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace candor::cli {
namespace {

std::optional<char> delimiter_from(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() == 1) return text.front();
  throw UsageError("--delimiter is '" + text + "': it must be one character, or the word tab");
}

// One value per occurrence, several where they are separated by commas.
void add_list(CLI::App& command, const std::string& name, std::vector<std::string>& values,
              const std::string& help, const std::string& type) {
  command.add_option(name, values, help)->type_name(type)->delimiter(',')->allow_extra_args(false);
}

}  // namespace

void add_reading_options(CLI::App& command, ReadingOptions& options, bool table_is_required) {
  const OptionGroup group(command, "Table");
  command
      .add_option("table", options.path,
                  "The table: CSV, TSV, ARFF or LIBSVM, also gzipped; - is standard input")
      ->type_name("TABLE")
      ->required(table_is_required);
  add_list(command, "--na", options.na,
           "Words that mean a missing cell, besides NA, ? and the like", "WORD,...");
  command.add_flag("--na-only", options.na_only,
                   "Only empty cells and the words of --na are missing (and those a model was "
                   "trained with)");
  command
      .add_option("--delimiter", options.delimiter,
                  "Between cells: , ; | or tab (found out if not given)")
      ->type_name("CHAR");
  CLI::Option* header = command.add_flag("--header", options.header,
                                         "The first line is names, whatever it looks like");
  command
      .add_flag("--no-header", options.no_header,
                "The first line is data; columns are column_1, column_2, ...")
      ->excludes(header);
}

void add_column_options(CLI::App& command, ColumnOptions& options) {
  const OptionGroup group(command, "Columns");
  command
      .add_option("--label", options.label,
                  "Column that holds the labels, by name or number (required)")
      ->type_name("COLUMN");
  command.add_option("--id", options.id, "Column that names the rows; shown, not learned from")
      ->type_name("COLUMN");
  add_list(command, "--ignore", options.ignore, "Columns that are not learned from", "COLUMN,...");
  add_list(command, "--categorical", options.categorical,
           "Columns of numbers that are codes, not quantities", "COLUMN,...");
  add_list(command, "--use", options.use,
           "Columns to learn from though they look like ids or copies of the label", "COLUMN,...");
  command
      .add_option("--trusted", options.trusted, "Column that says which labels are surely right")
      ->type_name("COLUMN");
  command.add_option("--weight", options.weight, "Column that says how often each row counts")
      ->type_name("COLUMN");
}

Table read(const ReadingOptions& options) {
  ReadOptions read;
  read.delimiter = delimiter_from(options.delimiter);
  if (options.header) read.header = true;
  if (options.no_header) read.header = false;
  read.needs_label = options.needs_label;
  read.missing = {.words = options.na, .only_these = options.na_only};
  return read_table(options.path, read);
}

std::string as_arguments(const ReadingOptions& options) {
  std::string text;
  // A word may begin like an option: it is joined to its own.
  for (const std::string& word : options.na) text += ' ' + as_shell_word("--na=" + word);
  if (options.na_only) text += " --na-only";
  if (!options.delimiter.empty()) text += ' ' + as_shell_word("--delimiter=" + options.delimiter);
  if (options.header) text += " --header";
  if (options.no_header) text += " --no-header";
  return text;
}

SchemaOptions schema_options(const ColumnOptions& options, const Table& table) {
  for (const std::string& ignored : options.ignore) {
    const Index column = find_column(table, ignored, "--ignore");
    for (const std::string& used : options.use) {
      if (find_column(table, used, "--use") == column) {
        throw UsageError(fmt::format("--ignore and --use both name column {}: leave one out",
                                     shown(table.name(column))));
      }
    }
  }
  return {.label = options.label,
          .id = options.id,
          .trusted = options.trusted,
          .weight = options.weight,
          .ignore = options.ignore,
          .categorical = options.categorical,
          .use = options.use};
}

void require_label(const ColumnOptions& options, const Table& table) {
  if (options.label) return;
  constexpr std::array<std::string_view, 7> usual{"label", "class", "target", "y",
                                                  "Label", "Class", "Species"};
  const auto likely = std::ranges::find_if(
      usual, [&](std::string_view name) { return table.find(name).has_value(); });
  const std::string hint =
      likely == usual.end() ? std::string() : fmt::format(" (perhaps --label {})", *likely);
  throw UsageError(
      fmt::format("say which column holds the labels with --label{}; {} has the columns {}", hint,
                  table.source(), listed(all_shown(table.names()), 12)));
}

std::string base_name(const std::string& path) {
  return path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
}

}  // namespace candor::cli
