#include "frontend/clang/remember.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <stdexcept>

#include "core/bytes.hpp"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

uint64_t nanoseconds(const timespec& t) {
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_nsec);
}

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

std::optional<Stamp> stamp_of(const std::string& path) {
  struct stat s{};
  if (stat(path.c_str(), &s) != 0) return std::nullopt;
  return Stamp{.size = static_cast<uint64_t>(s.st_size),
               .inode = s.st_ino,
               .modified = nanoseconds(s.st_mtim),
               .changed = nanoseconds(s.st_ctim)};
}

// The clock of the file system goes in steps: a file that changes later is stamped with this or more, never with less.
uint64_t file_time() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return nanoseconds(now);
}

std::optional<std::vector<Input>> inputs_of(const std::string& list, const std::string& folder, const Cache& cache,
                                            uint64_t start) {
  const std::optional<std::string> rule = read_whole(list);
  if (!rule) return std::nullopt;
  std::vector<Input> inputs;
  const std::string own = cache.folder().string() + "/";
  for (const std::string& name : names_in(*rule)) {
    if (name.starts_with(own)) continue;
    const std::string path = folder.empty() ? name : (fs::path(folder) / name).string();
    const std::optional<Stamp> stamp = stamp_of(path);
    const std::optional<std::string> text = read_whole(path);
    if (!stamp || !text || std::max(stamp->modified, stamp->changed) >= start) return std::nullopt;
    inputs.push_back({path, *stamp, digest(*text)});
  }
  if (inputs.empty()) return std::nullopt;  // it has read the file at least: this is no list
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
      Input& input = made.inputs.emplace_back();
      input.path = entry.text();
      input.stamp = read_stamp(entry);
      input.hash = entry.text();
      if (!is_same(input)) return std::nullopt;
    }
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
  entry.number(made.inputs.size());
  for (const Input& i : made.inputs) {
    entry.text(i.path);
    write_stamp(entry, i.stamp);
    entry.text(i.hash);
  }
  entry.text(made.code);
  entry.text(made.said);
  cache.put(key, entry.bytes());
}

}  // namespace heddle::frontend
