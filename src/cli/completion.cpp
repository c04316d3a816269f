#include "cli/completion.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "cli/option_table.hpp"

namespace heddle::cli {
namespace {

constexpr std::string_view kOthers[] = {"completion", "help"};

bool is_offered(const Row& row, unsigned command) { return (row.commands & command) != 0; }

enum class ValueKind { none, choice, file, folder, other };

ValueKind value_of(const Row& row) {
  const std::string_view argument = row.argument;
  if (argument.empty()) return ValueKind::none;
  if (!row.choices.empty()) return ValueKind::choice;
  if (argument.starts_with("FILE")) return ValueKind::file;
  return argument == "FOLDER" ? ValueKind::folder : ValueKind::other;
}

// The help up to its first stop, and not much of it, in single quotes.
std::string described(const char* help, std::string_view also_escaped = "") {
  constexpr std::size_t kMost = 72;
  std::string_view text = help;
  for (const std::string_view stop : {"; ", ". "}) text = text.substr(0, text.find(stop));
  std::string out;
  if (text.size() > kMost) {
    out = std::string(text.substr(0, text.rfind(' ', kMost))) + " ...";
  } else {
    out = text;
  }
  std::string quoted;
  for (const char c : out) {
    if (also_escaped.find(c) != also_escaped.npos) quoted += '\\';
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return quoted;
}

std::string words(const std::vector<std::string>& all) { return fmt::format("{}", fmt::join(all, " ")); }

std::vector<std::string> names(const Row& row) {
  std::vector<std::string> out = {fmt::format("--{}", row.name)};
  if (*row.letter) out.push_back(fmt::format("-{}", row.letter));
  return out;
}

std::vector<std::string> commands() {
  std::vector<std::string> out;
  for (const CommandRow& c : kCommands) out.emplace_back(c.name);
  out.insert(out.end(), std::begin(kOthers), std::end(kOthers));
  return out;
}

// bash splits --model=sc into three words.
std::string bash() {
  std::string values;
  for (const Row& row : table()) {
    const std::string pattern = fmt::format("{}", fmt::join(names(row), "|"));
    switch (value_of(row)) {
      case ValueKind::none: break;
      case ValueKind::choice:
        values += fmt::format("    {}) COMPREPLY=($(compgen -W \"{}\" -- \"$current\")); return ;;\n", pattern,
                              fmt::join(row.choices, " "));
        break;
      case ValueKind::file: values += fmt::format("    {}) _heddle_files -f; return ;;\n", pattern); break;
      case ValueKind::folder: values += fmt::format("    {}) _heddle_files -d; return ;;\n", pattern); break;
      case ValueKind::other: values += fmt::format("    {}) return ;;\n", pattern); break;
    }
  }
  std::string options;
  for (const CommandRow& c : kCommands) {
    std::vector<std::string> all;
    for (const Row& row : table()) {
      if (is_offered(row, c.set)) all.push_back(fmt::format("--{}", row.name));
    }
    options += fmt::format("    {}) options=\"{}\" ;;\n", c.name, words(all));
  }
  return fmt::format(R"(# Completes heddle's command line in bash. Made by `heddle completion bash`.
_heddle_files() {{
  local IFS=$'\n'
  compopt -o filenames 2> /dev/null
  COMPREPLY=($(compgen "$1" -- "$current"))
}}

_heddle() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} options= word
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$current"))
    return
  fi
  if [[ $current == "=" ]]; then
    current=
  elif [[ $before == "=" ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for word in "${{COMP_WORDS[@]:2:COMP_CWORD - 2}}"; do
    [[ $word == -- ]] && {{ _heddle_files -f; return; }}
  done
  case $before in
{}  esac
  case ${{COMP_WORDS[1]}} in
{}    completion) COMPREPLY=($(compgen -W "{}" -- "$current")); return ;;
    help) COMPREPLY=($(compgen -W "{}" -- "$current")); return ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    _heddle_files -f
  fi
}}
complete -F _heddle heddle
)",
                     words(commands()), values, options, fmt::join(kShells, " "), words(commands()));
}

std::string zsh_value(const Row& row) {
  switch (value_of(row)) {
    case ValueKind::none: return "";
    case ValueKind::choice: return fmt::format(":{}:({})", row.argument, fmt::join(row.choices, " "));
    case ValueKind::file: return ":file:_files";
    case ValueKind::folder: return ":folder:_files -/";
    case ValueKind::other: return ":value: ";
  }
  return "";
}

std::string zsh() {
  std::string cases;
  std::string listed;
  for (const CommandRow& c : kCommands) {
    listed += fmt::format("    '{}:{}'\n", c.name, described(c.help, ":"));
    cases += fmt::format("    {})\n      _arguments \\\n", c.name);
    for (const Row& row : table()) {
      if (!is_offered(row, c.set)) continue;
      for (const std::string& name : names(row)) {
        const bool is_long = name.starts_with("--");
        cases += fmt::format("        '{}{}[{}]{}' \\\n", name,
                             !*row.argument ? ""
                             : is_long      ? "="
                                            : "+",
                             described(row.help, "[]:"), zsh_value(row));
      }
    }
    cases += "        '*:file:_files'\n      ;;\n";
  }
  return fmt::format(R"(#compdef heddle
# Completes heddle's command line in zsh. Made by `heddle completion zsh`.
_heddle() {{
  local -a commands=(
{}    'completion:print a script that completes this command line'
    'help:print the help'
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  if (($words[(I)--] > 2 && $words[(I)--] < CURRENT)); then
    _files
    return
  fi
  shift words
  ((CURRENT--))
  case $command in
{}    completion) _values shell {} ;;
    help) _describe command commands ;;
  esac
}}
if [ "$funcstack[1]" = "_heddle" ]; then _heddle "$@"; else compdef _heddle heddle; fi
)",
                     listed, cases, fmt::join(kShells, " "));
}

std::string fish_value(const Row& row) {
  switch (value_of(row)) {
    case ValueKind::none: return "";
    case ValueKind::choice: return fmt::format(" -x -a '{}'", fmt::join(row.choices, " "));
    case ValueKind::file: return " -r -F";
    case ValueKind::folder: return " -x -a '(__fish_complete_directories)'";
    case ValueKind::other: return " -x";
  }
  return "";
}

std::string fish() {
  std::string out = "# Completes heddle's command line in fish. Made by `heddle completion fish`.\n";
  for (const CommandRow& c : kCommands) {
    out += fmt::format("complete -c heddle -f -n __fish_use_subcommand -a {} -d '{}'\n", c.name, described(c.help));
  }
  out += fmt::format(
      "complete -c heddle -f -n __fish_use_subcommand -a completion -d 'print a script that completes this command "
      "line'\n"
      "complete -c heddle -f -n __fish_use_subcommand -a help -d 'print the help'\n"
      "complete -c heddle -f -n '__fish_seen_subcommand_from completion' -a '{}'\n"
      "complete -c heddle -f -n '__fish_seen_subcommand_from help' -a '{}'\n",
      fmt::join(kShells, " "), words(commands()));
  for (const Row& row : table()) {
    std::vector<std::string> having;
    for (const CommandRow& c : kCommands) {
      if (is_offered(row, c.set)) having.emplace_back(c.name);
    }
    if (having.empty()) continue;
    out += fmt::format("complete -c heddle -n '__fish_seen_subcommand_from {}' -l {}{}{} -d '{}'\n", words(having),
                       row.name, *row.letter ? fmt::format(" -s {}", row.letter) : "", fish_value(row),
                       described(row.help, "\\"));
  }
  return out;
}

}  // namespace

std::optional<std::string> completion_for(const std::string& shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  return std::nullopt;
}

}  // namespace heddle::cli
