// SPDX-License-Identifier: MIT
#include <apps/cli/config.hpp>

#include <candor/covariance/nearest_name.hpp>
#include <candor/data/source.hpp>
#include <candor/linalg/errors.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <sstream>

namespace candor::cli {
namespace {

struct Setting {
  std::string command;  // empty: every command that knows the key
  std::string key;
  std::vector<std::string> values;
};

std::string scalar(const nlohmann::json& value, const std::string& path, const std::string& key) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  throw InvalidInput(path + ": " + key +
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
  const auto document = nlohmann::json::parse(text, nullptr, false);
  if (!document.is_object()) throw InvalidInput(path + " is not a JSON object of options");
  std::vector<Setting> settings;
  collect(document, "", path, settings);
  return settings;
}

std::vector<Setting> from_toml(const std::string& text, const std::string& path) {
  std::istringstream stream(text);
  std::vector<Setting> settings;
  try {
    for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(stream)) {
      if (item.name == "++" || item.name == "--") continue;  // a section begins, ends
      settings.push_back(
          {item.parents.empty() ? "" : item.parents.front(), item.name, item.inputs});
    }
  } catch (const CLI::Error& error) {
    throw InvalidInput(path + " cannot be read as TOML: " + error.what());
  }
  return settings;
}

std::vector<Setting> read_settings(const std::string& path) {
  const std::string text = read_source(path).text;
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string::npos && text[first] == '{';
  return json ? from_json(text, path) : from_toml(text, path);
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
  if (known.empty()) throw InvalidInput(path + ": there is no command '" + setting.command + "'");
  if (std::ranges::find(known, setting.key) != known.end()) return;
  const auto nearest =
      nearest_name(setting.key, std::vector<std::string_view>(known.begin(), known.end()));
  throw InvalidInput(fmt::format("{}: no option is called '{}'{}", path, setting.key,
                                 nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""));
}

void append(const Setting& setting, const CLI::Option& option, std::vector<std::string>& out) {
  const std::string name = "--" + setting.key;
  if (option.get_items_expected_max() == 0) {  // a flag
    if (setting.values == std::vector<std::string>{"true"}) out.push_back(name);
    return;
  }
  for (const std::string& value : setting.values) out.push_back(fmt::format("{}={}", name, value));
}

}  // namespace

void add_config(CLI::App& command) {
  command.add_option("--config", "Options from a TOML or JSON file; the command line wins")
      ->type_name("FILE");
}

std::vector<std::string> with_config(const std::vector<std::string>& arguments,
                                     const CLI::App& app) {
  const std::optional<std::string> path = config_path(arguments);
  if (!path || arguments.empty()) return arguments;
  const std::vector<const CLI::App*> commands = app.get_subcommands({});
  const auto found = std::ranges::find(commands, arguments.front(), &CLI::App::get_name);
  if (found == commands.end()) return arguments;
  const CLI::App* command = *found;
  std::vector<std::string> all{arguments.front()};
  for (const Setting& setting : read_settings(*path)) {
    check_known(setting, app, *path);
    if (!setting.command.empty() && setting.command != command->get_name()) continue;
    const CLI::Option* option = command->get_option_no_throw("--" + setting.key);
    if (option != nullptr && !is_given(*option, arguments)) append(setting, *option, all);
  }
  all.insert(all.end(), arguments.begin() + 1, arguments.end());
  return all;
}

}  // namespace candor::cli
