// SPDX-License-Identifier: MIT
#include <apps/cli/completion.hpp>

#include <apps/cli/option_words.hpp>

#include <candor/data/wording.hpp>

#include <fmt/format.h>

#include <memory>

namespace candor::cli {
namespace {

constexpr std::string_view examples = R"(Examples:
  candor completion bash > /etc/bash_completion.d/candor
  candor completion zsh > "${fpath[1]}/_candor"
  candor completion fish > ~/.config/fish/completions/candor.fish)";

// zsh reads brackets and colons of a description as its own.
std::string zsh_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string zsh_spec(const CLI::Option& option, const std::string& name) {
  std::string spec = name;
  if (!is_flag(option)) {
    const std::vector<std::string> words = words_of(option);
    spec += fmt::format("[{}]:{}:{}", zsh_text(option.get_description()), zsh_text(type_of(option)),
                        words.empty() ? "_files" : fmt::format("({})", fmt::join(words, " ")));
  } else {
    spec += "[" + zsh_text(option.get_description()) + "]";
  }
  return in_shell_quotes("*" + spec);
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string commands, cases, values;
  for (const CLI::App* command : listed_commands(app)) {
    commands += (commands.empty() ? "" : " ") + command->get_name();
    std::vector<std::string> names;
    for (const CLI::Option* option : named_options(*command)) {
      for (const std::string& name : names_of(*option)) names.push_back(name);
      const std::vector<std::string> words = words_of(*option);
      if (words.empty()) continue;
      values += fmt::format("    {}:--{}) words=\"{}\" ;;\n", command->get_name(),
                            option->get_lnames().front(), fmt::join(words, " "));
    }
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), fmt::join(names, " "));
  }
  return fmt::format(R"(# bash completion for candor
_candor() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  local command="${{COMP_WORDS[1]}}" words=""
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "{} --help --version" -- "$current")
    return
  fi
  case "$command:$before" in
{}    completion:completion) words="bash zsh fish" ;;
  esac
  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    return
  fi
  if [[ $current != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
  fi
  case "$command" in
{}  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o filenames -F _candor candor
)",
                     commands, values, cases);
}

std::string zsh_completion(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : listed_commands(app)) {
    commands += fmt::format("    {}\n", in_shell_quotes(command->get_name() + ":" +
                                                        zsh_text(command->get_description())));
    std::string specs;
    for (const CLI::Option* option : named_options(*command)) {
      for (const std::string& name : names_of(*option)) {
        specs += fmt::format(" \\\n        {}", zsh_spec(*option, name));
      }
    }
    const bool shells = command->get_name() == "completion";
    cases += fmt::format("    {})\n      _arguments -S{} \\\n        {} ;;\n", command->get_name(),
                         specs, shells ? "'1:shell:(bash zsh fish)'" : "'*:file:_files'");
  }
  return fmt::format(R"(#compdef candor
_candor() {{
  local -a commands
  commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe 'command' commands
    return
  fi
  local command="${{words[2]}}"
  shift words
  ((CURRENT--))
  case "$command" in
{}  esac
}}
if [[ "${{funcstack[1]}}" == "_candor" ]]; then
  _candor "$@"
else
  compdef _candor candor
fi
)",
                     commands, cases);
}

std::string fish_completion(const CLI::App& app) {
  std::string text = "# fish completion for candor\n";
  for (const CLI::App* command : listed_commands(app)) {
    text += fmt::format("complete -c candor -n __fish_use_subcommand -f -a {} -d {}\n",
                        command->get_name(), in_shell_quotes(command->get_description()));
    for (const CLI::Option* option : named_options(*command)) {
      std::string line = fmt::format("complete -c candor -n '__fish_seen_subcommand_from {}'",
                                     command->get_name());
      for (const std::string& name : option->get_snames()) line += " -s " + name;
      for (const std::string& name : option->get_lnames()) line += " -l " + name;
      const std::vector<std::string> words = words_of(*option);
      if (!words.empty())
        line += fmt::format(" -x -a '{}'", fmt::join(words, " "));
      else if (!is_flag(*option))
        line += " -r";
      text += line + " -d " + in_shell_quotes(option->get_description()) + '\n';
    }
  }
  return text +
         "complete -c candor -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n";
}

void add_completion(CLI::App& app, Job& job) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->type_name("SHELL")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh", "fish"}));
  command->footer(std::string(examples));
  command->callback([shell, &app, &job] {
    job.run = [shell, &app](const Streams& streams) {
      deliver(*shell == "bash"  ? bash_completion(app)
              : *shell == "zsh" ? zsh_completion(app)
                                : fish_completion(app),
              "", streams);
      return ExitCode::done;
    };
  });
}

}  // namespace candor::cli
