#include "cli/saved_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/build.hpp"
#include "cli/courier.hpp"
#include "cli/files.hpp"
#include "cli/run.hpp"
#include "core/assert.hpp"
#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/seal.hpp"
#include "explore/saved.hpp"
#include "frontend/compile.hpp"

namespace heddle::cli {
namespace {

constexpr uint64_t kVersion = 5;
SealKind kind_of(const std::string& name) { return {name, "heddle saved execution\n", kVersion}; }

uint64_t hash_of(const std::string& text) { return Hash().add(text).value(); }

// The files of the user that the program is made of, as far as they have code in it, and what else decides.
std::set<std::string> files_of(const Options& options, const RunInfo& info, const SiteTable& sites) {
  std::set<std::string> files(info.files.begin(), info.files.end());
  if (options.suppress) files.insert(*options.suppress);
  std::error_code ignored;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const std::string& file = sites[SiteId(i)].file;
    if (file.empty() || is_library_file(file) || !std::filesystem::is_regular_file(file, ignored)) continue;
    const auto same = [&](const std::string& known) { return std::filesystem::equivalent(known, file, ignored); };
    if (std::ranges::none_of(files, same)) files.insert(file);
  }
  return files;
}

std::string bytes_of(const SavedRun& run) {
  ByteWriter out;
  out.text(run.version);
  out.number(run.words.size());
  for (const std::string& word : run.words) out.text(word);
  out.text(run.command);
  out.text(run.folder);
  out.number(run.sources.size());
  for (const SavedRun::Source& source : run.sources) {
    out.text(source.file);
    out.number(source.hash);
  }
  out.number(run.code);
  out.number(run.landmarks.size());
  for (const SavedRun::Landmark& l : run.landmarks) {
    out.text(l.name);
    out.number(l.address);
    out.number(l.size);
  }
  out.text(run.execution);
  return out.bytes();
}

SavedRun run_of(const std::string& bytes) {
  ByteReader in(bytes);
  SavedRun run;
  run.version = in.text();
  run.words.resize(in.count());
  for (std::string& word : run.words) word = in.text();
  run.command = in.text();
  run.folder = in.text();
  run.sources.resize(in.count());
  for (SavedRun::Source& source : run.sources) {
    source.file = in.text();
    source.hash = in.number();
  }
  run.code = in.number();
  run.landmarks.resize(in.count());
  for (SavedRun::Landmark& l : run.landmarks) {
    l.name = in.text();
    l.address = in.number();
    l.size = in.number();
  }
  run.execution = in.text();
  if (!in.at_end()) throw std::runtime_error("more follows than belongs to it");
  return run;
}

}  // namespace

uint64_t code_of(const Program& program) { return hash_of(print_ir(program)); }

std::vector<SavedRun::Landmark> landmarks_of(const Image& image) {
  std::vector<SavedRun::Landmark> landmarks;
  for (const Image::Global& g : image.globals) landmarks.push_back({g.name, g.address, g.size});
  for (const Image::Function& f : image.functions) landmarks.push_back({f.name + "()", f.address, 1});
  return landmarks;
}

void save_run(const Options& options, const RunInfo& info, const Result& result, NativeMachine& machine,
              uint64_t code) {
  SavedRun run;
  run.version = info.version;
  run.words = options.words;
  run.command = info.command;
  run.folder = std::filesystem::current_path().string();
  for (const std::string& file : files_of(options, info, machine.image().sites))
    run.sources.push_back({file, hash_of(contents_of(file))});
  run.code = code;
  run.landmarks = landmarks_of(machine.image());
  run.execution = save_execution(result, machine);
  HEDDLE_ASSERT(bytes_of(run_of(bytes_of(run))) == bytes_of(run));
  write_output(*options.save, seal(kind_of(*options.save), bytes_of(run)));
}

SavedRun load_run(const std::string& file) {
  const SealKind kind = kind_of(file);
  const std::string bytes = unseal(kind, contents_of(file));
  try {
    SavedRun run = run_of(bytes);
    if (run.version != HEDDLE_VERSION)
      throw UserError(fmt::format("{}: saved by heddle {}, and this is {}; check again: {}", file, run.version,
                                  HEDDLE_VERSION, run.command));
    return run;
  } catch (const UserError&) {
    throw;
  } catch (const std::runtime_error& e) {
    refuse_sealed(kind, e.what());
  }
}

void require_same_sources(const SavedRun& saved) {
  for (const SavedRun::Source& source : saved.sources) {
    std::error_code ignored;
    if (!std::filesystem::exists(source.file, ignored))
      throw UserError(fmt::format("{}: is no longer there, so that the saved execution cannot be run", source.file));
    if (hash_of(contents_of(source.file)) != source.hash)
      throw UserError(
          fmt::format("{}: has changed since the execution was saved; check again: {}", source.file, saved.command));
  }
}

std::string replay_command(const std::string& command, const std::string& file) {
  return fmt::format("{} replay {}", shell_quoted(shell_words(command).at(0)), shell_quoted(file));
}

}  // namespace heddle::cli
