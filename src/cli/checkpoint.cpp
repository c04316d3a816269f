#include "cli/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/courier.hpp"
#include "cli/files.hpp"
#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/seal.hpp"
#include "explore/explore.hpp"

namespace heddle::cli {
namespace {

constexpr uint64_t kCheckpointVersion = 5;

// Between two files: a tenth of the time that the check has taken so far, within these bounds.
constexpr std::chrono::milliseconds kShortest{100};
constexpr std::chrono::milliseconds kLongest{3000};

SealKind checkpoint_kind(const std::string& name) { return {name, "heddle checkpoint\n", kCheckpointVersion}; }

}  // namespace

Checkpoint::Checkpoint(const Options& options, const Identity& identity)
    : identity_(identity),
      file_(options.checkpoint ? *options.checkpoint : *options.resume),
      queue_(work_tree(algorithm_named(options.algorithm).value())) {
  if (options.resume) load(*options.resume);
  queue_.on_save = [this](bool now) { save(now); };
}

void Checkpoint::load(const std::string& file) {
  const SealKind kind = checkpoint_kind(file);
  const std::string bytes = unseal(kind, contents_of(file));
  try {
    ByteReader in(bytes);
    const std::string why = difference(Identity::of_bytes(in.text()), identity_);
    if (!why.empty()) throw UserError(fmt::format("--resume {}: {}", file, why));
    queue_.load(in.text());
  } catch (const UserError&) {
    throw;
  } catch (const std::runtime_error& e) {
    refuse_sealed(kind, e.what());
  }
}

// The exploration goes on if the disk is full.
void Checkpoint::save(bool now) {
  const auto time = SteadyClock::now();
  const auto pause = std::chrono::duration_cast<std::chrono::milliseconds>((time - start_) / 10);
  if (!now && time - saved_ < std::clamp(pause, kShortest, kLongest)) return;
  saved_ = time;
  ByteWriter out;
  out.text(identity_.bytes());
  out.text(queue_.bytes());
  try {
    write_output(file_, seal(checkpoint_kind(file_), out.bytes()));
    warned_ = false;
  } catch (const UserError& e) {
    if (!warned_) std::fprintf(stderr, "heddle: %s; the check goes on\n", e.what());
    warned_ = true;
  }
}

}  // namespace heddle::cli
