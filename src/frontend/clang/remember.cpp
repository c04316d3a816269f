#include "frontend/clang/remember.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <stdexcept>

#include "core/bytes.hpp"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

// The names after the colon of a rule for make.
std::vector<std::string> names_in(std::string_view rule) {
  std::vector<std::string> names;
  std::string name;
  const auto finish = [&] {
    if (!name.empty()) names.push_back(std::move(name));
    name.clear();
  };
  for (std::size_t i = std::min(rule.find(": "), rule.size()) + 1; i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    const bool escaped = rule[i] == '\\' && (next == ' ' || next == '#');
    if (escaped || (rule[i] == '$' && next == '$')) {
      name += rule[++i];
    } else if (rule[i] == ' ' || rule[i] == '\n' || (rule[i] == '\\' && next == '\n')) {
      finish();
    } else {
      name += rule[i];
    }
  }
  finish();
  return names;
}

void write_stamp(ByteWriter& out, const Stamp& stamp) {
  for (const uint64_t n : {stamp.size, stamp.inode, stamp.modified, stamp.changed}) out.number(n);
}
Stamp read_stamp(ByteReader& in) {
  Stamp stamp;
  for (uint64_t* n : {&stamp.size, &stamp.inode, &stamp.modified, &stamp.changed}) *n = in.number();
  return stamp;
}

bool is_same(const Input& input) {
  const std::optional<Stamp> now = stamp_of(input.path);
  if (!now) return false;
  if (*now == input.stamp) return true;
  if (now->size != input.stamp.size) return false;
  const std::optional<std::string> text = read_whole(input.path);
  return text && digest(*text) == input.hash;
}

std::string found_in_path(const std::string& program) {
  const char* variable = std::getenv("PATH");
  std::string_view path = variable ? variable : "";
  while (!path.empty()) {
    const std::string_view folder = path.substr(0, path.find(':'));
    path.remove_prefix(std::min(path.size(), folder.size() + 1));
    const fs::path candidate = fs::path(folder) / program;
    if (access(candidate.c_str(), X_OK) == 0) return candidate.string();
  }
  return program;
}

}  // namespace

std::optional<Inputs> inputs_of(const ClangRun& run, const Cache& cache, Lookups lookups) {
  const std::optional<std::string> rule = read_whole(run.list);
  if (!rule) return std::nullopt;
  Inputs inputs;
  const std::string own = cache.folder().string() + "/";
  const auto seen_from_here = [&](const std::string& path) {
    return run.folder.empty() ? path : (fs::path(run.folder) / path).string();
  };
  for (const std::string& name : names_in(*rule)) {
    if (name.starts_with(own)) continue;
    const std::string path = seen_from_here(name);
    const std::optional<Stamp> stamp = stamp_of(path);
    const std::optional<std::string> text = read_whole(path);
    if (!stamp || !text || std::max(stamp->modified, stamp->changed) >= run.start) return std::nullopt;
    inputs.files.push_back({path, *stamp, digest(*text)});
    lookups.add_file(path, *text);
  }
  if (inputs.files.empty()) return std::nullopt;  // it has read the file at least: this is no list
  std::vector<std::string> search;
  std::ranges::transform(run.search, std::back_inserter(search), seen_from_here);
  inputs.absent = lookups.absent(search);
  const auto is_late = [&](const Absent& a) { return a.modified >= run.start; };
  if (std::ranges::any_of(inputs.absent, is_late)) return std::nullopt;
  return inputs;
}

std::string compiler_identity(const std::string& program) {
  ByteWriter identity;
  std::error_code error;
  const fs::path found = fs::canonical(found_in_path(program), error);
  const Stamp stamp = stamp_of(found.string()).value_or(Stamp{});
  identity.text(found.string());
  write_stamp(identity, stamp);
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "COMPILER_PATH",
                           "GCC_INSTALL_DIR", "SOURCE_DATE_EPOCH", "LC_ALL", "LANG", "PWD"}) {
    const char* value = std::getenv(name);
    identity.text(value ? value : "");
  }
  // clang looks there for the newest libstdc++.
  for (fs::directory_iterator i("/usr/lib/gcc", error), end; !error && i != end; i.increment(error)) {
    identity.text(i->path().string());
    identity.number(stamp_of(i->path().string()).value_or(Stamp{}).modified);
  }
  return identity.bytes();
}

std::optional<Made> recall(const Cache& cache, const std::string& key) {
  const std::optional<std::string> kept = cache.get(key);
  if (!kept) return std::nullopt;
  try {
    ByteReader entry(*kept);
    Made made;
    for (uint64_t n = entry.count(); n > 0; --n) {
      Input& input = made.inputs.files.emplace_back();
      input.path = entry.text();
      input.stamp = read_stamp(entry);
      input.hash = entry.text();
      if (!is_same(input)) return std::nullopt;
    }
    made.inputs.absent = read_absent(entry);
    if (!std::ranges::all_of(made.inputs.absent, is_absent)) return std::nullopt;
    made.code = entry.text();
    made.said = entry.text();
    entry.end();
    return made;
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

void remember(const Cache& cache, const std::string& key, const Made& made) {
  ByteWriter entry;
  entry.number(made.inputs.files.size());
  for (const Input& i : made.inputs.files) {
    entry.text(i.path);
    write_stamp(entry, i.stamp);
    entry.text(i.hash);
  }
  write_absent(entry, made.inputs.absent);
  entry.text(made.code);
  entry.text(made.said);
  cache.put(key, entry.bytes());
}

}  // namespace heddle::frontend
