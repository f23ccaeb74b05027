// SPDX-License-Identifier: MIT
#include <apps/cli/config.hpp>

#include <apps/cli/bounded_json.hpp>
#include <apps/cli/exit_code.hpp>
#include <apps/cli/option_words.hpp>

#include <candor/covariance/nearest_name.hpp>
#include <candor/data/source.hpp>
#include <candor/data/wording.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <sstream>

namespace candor::cli {
namespace {

struct Setting {
  std::string command;  // empty: every command that knows the key
  std::string key;      // empty: a section begins
  std::vector<std::string> values;
};

std::string scalar(const nlohmann::json& value, const std::string& path, const std::string& key) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  throw InvalidInput(path + ": " + shown(key) +
                     " must be a text, a number, true or false, or a list of these");
}

void collect(const nlohmann::json& object, const std::string& command, const std::string& path,
             std::vector<Setting>& settings) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object() && command.empty()) {
      collect(value, key, path, settings);
      continue;
    }
    Setting setting{command, key, {}};
    if (value.is_array()) {
      for (const auto& item : value) setting.values.push_back(scalar(item, path, key));
    } else {
      setting.values.push_back(scalar(value, path, key));
    }
    settings.push_back(std::move(setting));
  }
}

std::vector<Setting> from_json(const std::string& text, const std::string& path) {
  const auto document = parse_bounded(text, path);
  if (!document.is_object()) throw InvalidInput(path + " is not a JSON object of options");
  std::vector<Setting> settings;
  collect(document, "", path, settings);
  return settings;
}

// The parser takes a text that does not end for one that ends with its line.
void check_quotes(const std::string& text, const std::string& path) {
  int line = 1;
  char open = '\0';  // the quotation mark of the text we are in
  bool comment = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '\n';
    if (c == '\n') {
      if (open != '\0') {
        throw InvalidInput(
            fmt::format("{}: line {}: a text is not closed: put {} at its end", path, line, open));
      }
      comment = false;
      ++line;
    } else if (open == '"' && c == '\\') {
      ++i;
    } else if (open != '\0') {
      if (c == open) open = '\0';
    } else if (!comment) {
      comment = c == '#';
      if (c == '"' || c == '\'') open = c;
    }
  }
}

std::vector<Setting> from_toml(const std::string& text, const std::string& path) {
  check_quotes(text, path);
  std::istringstream stream(text);
  std::vector<Setting> settings;
  try {
    for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(stream)) {
      if (item.name == "--") continue;  // a section ends
      const std::string key = item.name == "++" ? "" : item.name;
      settings.push_back({item.parents.empty() ? "" : item.parents.front(), key, item.inputs});
    }
  } catch (const CLI::Error& error) {
    throw InvalidInput(path + " cannot be read as TOML: " + error.what());
  }
  return settings;
}

std::vector<Setting> read_settings(const std::string& path) {
  Source source = read_source(path);
  if (source.byte_order_mark) source.text.erase(0, 3);
  const auto first = source.text.find_first_not_of(" \t\r\n");
  const bool json = (first != std::string::npos && source.text[first] == '{') ||
                    nlohmann::json::accept(source.text);
  return json ? from_json(source.text, path) : from_toml(source.text, path);
}

std::optional<std::string> config_path(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--") break;
    if (arguments[i] == "--config" && i + 1 < arguments.size()) return arguments[i + 1];
    if (arguments[i].starts_with("--config=")) return arguments[i].substr(9);
  }
  return std::nullopt;
}

bool is_given(const CLI::Option& option, const std::vector<std::string>& arguments) {
  return std::ranges::any_of(arguments, [&](const std::string& argument) {
    const std::string name = argument.substr(0, argument.find('='));
    return (name.starts_with("--") && option.check_lname(name.substr(2))) ||
           (argument.size() > 1 && argument[0] == '-' && argument[1] != '-' &&
            option.check_sname(argument.substr(1, 1)));
  });
}

// InvalidInput unless some command knows the key, there where it stands.
void check_known(const Setting& setting, const CLI::App& app, const std::string& path) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!setting.command.empty() && command->get_name() != setting.command) continue;
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back(name);
    }
  }
  if (known.empty()) throw InvalidInput(path + ": there is no command " + shown(setting.command));
  if (setting.key.empty() || std::ranges::find(known, setting.key) != known.end()) return;
  const auto nearest =
      nearest_name(setting.key, std::vector<std::string_view>(known.begin(), known.end()));
  throw InvalidInput(fmt::format("{}: no option is called {}{}", path, shown(setting.key),
                                 nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""));
}

// InvalidInput where the option's own check refuses the value: the command line is not to blame.
void check_value(const std::string& key, const std::string& value, CLI::Option& option,
                 const std::string& path) {
  const char between = option.get_delimiter();
  for (const std::string& part :
       between == '\0' ? std::vector{value} : CLI::detail::split(value, between)) {
    std::string refusal;
    try {
      refusal = (*option.get_validator(0))(part);
      if (!refusal.empty()) {
        refusal = fmt::format("{} is {}: it must be one of {}", key, shown(part),
                              fmt::join(words_of(option), ", "));
      }
    } catch (const CLI::OptionNotFound&) {
      return;  // anything goes
    } catch (const UsageError& error) {
      refusal = error.what();
    }
    if (!refusal.empty()) throw InvalidInput(path + ": " + refusal);
  }
}

void append(const Setting& setting, CLI::Option& option, const std::string& path,
            std::vector<std::string>& out) {
  const std::string name = "--" + setting.key;
  if (option.get_items_expected_max() == 0) {  // a flag
    const std::string value = setting.values.size() == 1 ? setting.values.front() : "a list";
    if (value != "true" && value != "false") {
      throw InvalidInput(
          fmt::format("{}: {} is {}: it must be true or false", path, setting.key, shown(value)));
    }
    if (value == "true") out.push_back(name);
    return;
  }
  for (const std::string& value : setting.values) {
    if (value.empty()) {
      throw InvalidInput(
          fmt::format("{}: {} is empty: give it a value, or leave it out", path, setting.key));
    }
    check_value(setting.key, value, option, path);
    out.push_back(fmt::format("{}={}", name, value));
  }
}

}  // namespace

void add_config(CLI::App& command) {
  command.add_option("--config", "Options from a TOML or JSON file; the command line wins")
      ->type_name("FILE");
}

std::vector<std::string> with_config(const std::vector<std::string>& arguments, CLI::App& app) {
  const std::optional<std::string> path = config_path(arguments);
  if (!path || arguments.empty()) return arguments;
  const std::vector<CLI::App*> commands = app.get_subcommands({});
  const auto found = std::ranges::find(commands, arguments.front(), &CLI::App::get_name);
  if (found == commands.end()) return arguments;
  CLI::App* command = *found;
  std::vector<std::string> all{arguments.front()};
  const std::vector<Setting> settings = read_settings(*path);
  for (const Setting& setting : settings) {
    check_known(setting, app, *path);
    if (!setting.command.empty() && setting.command != command->get_name()) continue;
    const bool overruled =
        setting.command.empty() && std::ranges::any_of(settings, [&](const Setting& other) {
          return other.command == command->get_name() && other.key == setting.key;
        });
    if (overruled) continue;
    CLI::Option* option = command->get_option_no_throw("--" + setting.key);
    if (option == nullptr) continue;
    std::vector<std::string> words;  // a bad value is refused even where the command line wins
    append(setting, *option, *path, words);
    const auto wins = [&](const CLI::Option* other) { return is_given(*other, arguments); };
    if (wins(option) || std::ranges::any_of(option->get_excludes(), wins)) continue;
    all.insert(all.end(), words.begin(), words.end());
  }
  all.insert(all.end(), arguments.begin() + 1, arguments.end());
  return all;
}

}  // namespace candor::cli
