#include "frontend/clang/absent.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "frontend/clang/stamp.hpp"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

bool is_there(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

uint64_t modified(const std::string& folder) {
  const std::optional<Stamp> stamp = stamp_of(folder);
  return stamp ? stamp->modified : 0;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(first);
}

}  // namespace

bool is_absent(const Absent& absent) {
  const uint64_t now = modified(absent.folder);
  if (now == absent.modified || now == 0) return true;
  return std::ranges::none_of(absent.names, [&](const auto& name) { return is_there(absent.folder + "/" + name); });
}

void write_absent(ByteWriter& out, const std::vector<Absent>& all) {
  out.number(all.size());
  for (const Absent& a : all) {
    out.text(a.folder);
    out.number(a.modified);
    out.number(a.names.size());
    for (const std::string& name : a.names) out.text(name);
  }
}

std::vector<Absent> read_absent(ByteReader& in) {
  std::vector<Absent> all(in.count());
  for (Absent& a : all) {
    a.folder = in.text();
    a.modified = in.number();
    a.names.resize(in.count());
    for (std::string& name : a.names) name = in.text();
  }
  return all;
}

std::vector<std::string> search_folders(std::string_view said) {
  std::vector<std::string> folders;
  bool in_list = false;
  while (!said.empty()) {
    std::string_view line = said.substr(0, said.find('\n'));
    said.remove_prefix(std::min(line.size() + 1, said.size()));
    constexpr std::string_view kMissing = "ignoring nonexistent directory \"";
    if (line.starts_with(kMissing)) {
      line.remove_prefix(kMissing.size());
      folders.emplace_back(line.substr(0, line.rfind('"')));
    } else if (line.starts_with("#include ")) {
      in_list = true;
    } else if (line.starts_with("End of search list")) {
      break;
    } else if (in_list && line.starts_with(' ')) {
      folders.emplace_back(line.substr(1));
    }
  }
  return folders;
}

std::vector<Named> headers_named(std::string_view text) {
  constexpr std::string_view kWord = "include";
  std::vector<Named> all;
  for (std::size_t at = 0; (at = text.find(kWord, at)) != std::string_view::npos;) {
    at += kWord.size();
    std::string_view rest = text.substr(at, std::min<std::size_t>(text.find('\n', at), text.size()) - at);
    if (rest.starts_with("_next")) rest.remove_prefix(5);
    rest = without_blanks(rest);
    if (rest.starts_with('(')) rest = without_blanks(rest.substr(1));
    if (rest.empty() || (rest[0] != '<' && rest[0] != '"')) continue;
    const bool quoted = rest[0] == '"';
    const std::size_t end = rest.find(quoted ? '"' : '>', 1);
    if (end == std::string_view::npos || end == 1) continue;
    all.push_back({rest.substr(1, end - 1), quoted});
  }
  return all;
}

void Lookups::add_file(const std::string& path, std::string_view text) {
  files_.push_back(path);
  const std::string folder = fs::path(path).parent_path().string();
  for (const Named& named : headers_named(text)) {
    if (named.quoted) add_beside(folder, named.name);
    if (!named.name.starts_with('/')) names_.emplace(named.name);
  }
}

void Lookups::add_beside(const std::string& folder, std::string_view name) {
  const fs::path path = fs::path(folder) / name;  // the name, if that is absolute
  in_folder_[path.parent_path().string()].insert(path.filename().string());
}

std::vector<Absent> Lookups::absent(const std::vector<std::string>& search) {
  // A name that a macro stands for is seen in what was found.
  for (const std::string& folder : search) {
    for (const std::string& file : files_) {
      if (file.size() > folder.size() + 1 && file.starts_with(folder) && file[folder.size()] == '/')
        names_.insert(file.substr(folder.size() + 1));
    }
  }
  for (const std::string& folder : search) {
    for (const std::string& name : names_) add_beside(folder, name);
  }
  std::vector<Absent> all;
  for (const auto& [folder, names] : in_folder_) {
    Absent a{.folder = folder.empty() ? "." : folder, .modified = 0, .names = {}};
    a.modified = modified(a.folder);
    for (const std::string& name : names) {
      if (a.modified == 0 || !is_there(a.folder + "/" + name)) a.names.push_back(name);
    }
    if (!a.names.empty()) all.push_back(std::move(a));
  }
  return all;
}

}  // namespace heddle::frontend
