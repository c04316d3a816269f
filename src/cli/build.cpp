#include "cli/build.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

// A row of compile_commands.json.
struct Command {
  fs::path file;  // absolute
  std::string folder;
  std::vector<std::string> words;
  std::string output;
};

[[noreturn]] void refuse_list(const fs::path& list, const std::string& why) {
  throw UserError(list.string() + ": " + why);
}

Command read_command(const nlohmann::json& row) {
  Command c;
  c.folder = row.at("directory");
  c.file = (fs::path(c.folder) / fs::path(row.at("file").get<std::string>())).lexically_normal();
  if (row.contains("arguments"))
    c.words = row.at("arguments").get<std::vector<std::string>>();
  else
    c.words = shell_words(row.at("command"));
  c.output = row.value("output", "");
  const auto output = std::ranges::find(c.words, "-o");
  if (c.output.empty() && output != c.words.end() && output + 1 != c.words.end()) c.output = *(output + 1);
  return c;
}

std::vector<Command> read_commands(const fs::path& list) {
  std::ifstream in(list);
  if (!in) refuse_list(list, "cannot be read; -p wants the folder of a build, made with CMAKE_EXPORT_COMPILE_COMMANDS");
  try {
    std::vector<Command> commands;
    for (const nlohmann::json& row : nlohmann::json::parse(in)) commands.push_back(read_command(row));
    return commands;
  } catch (const nlohmann::json::exception& e) {
    refuse_list(list, std::string("not a list of compile commands: ") + e.what());
  }
}

bool is_source(const fs::path& file) {
  constexpr std::string_view kEndings[] = {".c", ".cpp", ".cc", ".cxx", ".c++", ".C"};
  return std::ranges::find(kEndings, file.extension().string()) != std::end(kEndings);
}

bool is_below(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

// Absolute and without dots; links are followed as far as there are files.
fs::path whole(const fs::path& path) {
  std::error_code error;
  const fs::path p = fs::weakly_canonical(fs::absolute(path), error);
  return error ? fs::absolute(path).lexically_normal() : p;
}

// As a user would write it.
std::string shown(const fs::path& file) {
  const fs::path here = file.lexically_relative(fs::current_path());
  return here.empty() || here.string().starts_with("..") ? file.string() : here.string();
}

class Build {
 public:
  explicit Build(const fs::path& folder) : list_(folder / "compile_commands.json"), commands_(read_commands(list_)) {}

  void add(const std::string& name, Sources& sources) const {
    std::error_code error;
    const fs::file_status status = fs::status(name, error);
    const std::size_t before = sources.files.size();
    if (fs::is_directory(status)) {
      const fs::path folder = whole(name);
      add_if([&](const Command& c) { return is_below(whole(c.file), folder); }, sources);
      if (sources.files.size() == before) refuse_list(list_, "compiles no C or C++ file in " + name);
    } else if (fs::exists(status)) {
      add_file(name, sources);
    } else {
      const std::string part = "CMakeFiles/" + name + ".dir/";
      add_if([&](const Command& c) { return c.output.find(part) != std::string::npos; }, sources);
      if (sources.files.size() == before)
        throw UserError(name + ": no such file or folder, and no target in " + list_.string());
    }
  }

 private:
  void add_file(const std::string& name, Sources& sources) const {
    const fs::path file = whole(name);
    const auto found = std::ranges::find_if(commands_, [&](const Command& c) { return whole(c.file) == file; });
    if (found == commands_.end())
      throw UserError(name + ": " + list_.string() + " does not compile it; add it to the build, or leave out -p");
    sources.files.push_back(name);
    sources.commands.push_back(command_of(*found));
  }

  // A file that several targets compile counts once.
  template <typename Wanted>
  void add_if(const Wanted& wanted, Sources& sources) const {
    for (const Command& c : commands_) {
      const std::string name = shown(c.file);
      if (!is_source(c.file) || !wanted(c) || std::ranges::find(sources.files, name) != sources.files.end()) continue;
      sources.files.push_back(name);
      sources.commands.push_back(command_of(c));
    }
  }

  BuildCommand command_of(const Command& c) const {
    if (!fs::is_directory(c.folder))
      refuse_list(list_, "there is no folder " + c.folder + "; configure the build again");
    return {c.words, c.folder};
  }

  fs::path list_;
  std::vector<Command> commands_;
};

// Whether the words define NDEBUG; nothing if they do not speak of it.
std::optional<bool> defines_ndebug(const std::vector<std::string>& words) {
  std::optional<bool> defined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool apart = (words[i] == "-D" || words[i] == "-U") && i + 1 < words.size();
    const std::string word = apart ? words[i] + words[i + 1] : words[i];
    if (word == "-DNDEBUG" || word.starts_with("-DNDEBUG=")) defined = true;
    if (word == "-UNDEBUG") defined = false;
  }
  return defined;
}

void settle_assertions(Sources& sources) {
  const std::optional<bool> asked = defines_ndebug(sources.clang_args);
  if (asked == true) sources.warnings.push_back("NDEBUG is defined: assert() checks nothing");
  if (asked ||
      std::ranges::none_of(sources.commands, [](const BuildCommand& c) { return defines_ndebug(c.words) == true; }))
    return;
  sources.clang_args.push_back("-UNDEBUG");
  sources.warnings.push_back(
      "the build defines NDEBUG, but the files are compiled without it, so that assert() checks what it says; add -- "
      "-DNDEBUG to keep it");
}

}  // namespace

std::vector<std::string> shell_words(const std::string& command) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (!inside && c != ' ') {
      words.emplace_back();
      inside = true;
    }
    if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      words.back() += command[++i];
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        words.back() += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == ' ') {
      inside = false;
    } else {
      words.back() += c;
    }
  }
  if (quote) throw UserError("a quotation does not end in the command: " + command);
  return words;
}

Sources sources_of(const std::string& build, const std::vector<std::string>& names,
                   const std::vector<std::string>& clang_args) {
  Sources sources{.clang_args = clang_args};
  if (build.empty()) {
    sources.files = names;
  } else {
    const Build commands{fs::path(build)};
    for (const std::string& name : names) commands.add(name, sources);
  }
  settle_assertions(sources);
  return sources;
}

}  // namespace heddle::cli
