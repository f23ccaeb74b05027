// SPDX-License-Identifier: MIT
#include <apps/cli/parse_fault.hpp>

#include <apps/cli/option_words.hpp>

#include <candor/covariance/nearest_name.hpp>
#include <candor/data/wording.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace candor::cli {
namespace {

std::string hint_for(const std::string& word, const CLI::App& app, const CLI::App& command) {
  std::error_code ignored;
  if (word.starts_with("-") && std::filesystem::exists(word, ignored)) {
    return fmt::format(" (if the file is meant: ./{})", word);
  }
  std::vector<std::string> known;
  if (word.starts_with("-")) {
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  } else if (&command == &app) {
    for (const CLI::App* sub : app.get_subcommands({})) known.push_back(sub->get_name());
  }
  const auto nearest = nearest_name(word, {known.begin(), known.end()});
  return nearest ? fmt::format(" (did you mean {}?)", *nearest) : "";
}

// What was not understood, and the known word nearest to it; empty where everything was.
std::string unknown_word(const CLI::App& app) {
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) return "";
  const CLI::App& command = chosen_command(app);
  // An unknown option leaves its value behind as well.
  const auto option_like = [](const std::string& word) { return word.starts_with("-"); };
  const auto found = std::ranges::find_if(unknown, option_like);
  const std::string& first = found == unknown.end() ? unknown.front() : *found;
  const std::string word = first.substr(0, first.find('='));
  const std::vector<std::string> before = app.remaining(false);
  if (&command != &app && !before.empty()) {
    return option_like(before.front())
               ? fmt::format("{} stands before the command: options go behind it", before.front())
               : fmt::format("there is no command {}", shown(before.front()));
  }
  const char* kind = option_like(word)  ? "option"
                     : &command == &app ? "command"
                                        : "further argument";
  return fmt::format("there is no {} {}{}", kind, word, hint_for(word, app, command));
}

std::string no_command(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : listed_commands(app)) names.push_back(command->get_name());
  return fmt::format("say what to do, with one of the commands {}", fmt::join(names, ", "));
}

// The option that the parser's sentence begins with: "--top: …".
const CLI::Option* option_named_in(const std::string& sentence, const CLI::App& command) {
  return command.get_option_no_throw(sentence.substr(0, sentence.find(':')));
}

// The parser's own sentences, where ours are clearer.
std::string in_our_words(const CLI::App& command, const CLI::ParseError& error) {
  const std::string said = error.what();
  if (const CLI::Option* option = option_named_in(said, command)) {
    const std::string name = said.substr(0, said.find(':'));
    const std::size_t choice = said.find(" not in {");
    if (choice != std::string::npos) {
      return fmt::format("{} is {}: it must be one of {}", name,
                         shown(said.substr(name.size() + 2, choice - name.size() - 2)),
                         fmt::join(words_of(*option), ", "));
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
      return said.ends_with(" missing")
                 ? fmt::format("{} needs a value, {}", name, type_of(*option))
                 : fmt::format("{} may be given only once", name);
    }
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    const std::string flag = said.substr(said.find("--"), said.find(" =") - said.find("--"));
    return fmt::format("{} takes no value", flag);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return fmt::format("{}: the usage is {}", said, usage_of(command));
  }
  return said;
}

}  // namespace

const CLI::App& chosen_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

std::string parse_fault(const CLI::App& app, const CLI::ParseError& error) {
  const std::string unknown = unknown_word(app);
  if (!unknown.empty()) return unknown;
  if (app.get_subcommands().empty()) return no_command(app);
  return in_our_words(chosen_command(app), error);
}

}  // namespace candor::cli
