#include "cli/worker.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/command_line.hpp"
#include "cli/run.hpp"
#include "cli/saved_run.hpp"
#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/stop.hpp"
#include "explore/share/team.hpp"
#include "frontend/load/load.hpp"
#include "library/library.hpp"
#include "native/native.hpp"

namespace heddle::cli {
namespace {

constexpr double kLease = 30;     // seconds
constexpr double kForsaken = 30;  // likewise: for a check that does nothing, and has no owner

// The arguments of the check without its own address of the queue.
std::string words_for_workers(const std::vector<std::string>& words) {
  ByteWriter out;
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--queue") {
      ++i;
    } else if (!words[i].starts_with("--queue=")) {
      kept.push_back(words[i]);
    }
  }
  out.number(kept.size());
  for (const std::string& word : kept) out.text(word);
  return out.bytes();
}

std::vector<std::string> words_of(const std::string& bytes) {
  ByteReader in(bytes);
  std::vector<std::string> words(in.count());
  for (std::string& word : words) word = in.text();
  return words;
}

void require_same(const std::string& url, const Identity& theirs, const Identity& mine) {
  if (const std::string why = difference(theirs, mine); !why.empty())
    throw UserError(fmt::format("{}: cannot help this check: {}", url, why));
}

// The program of the check, as the check has compiled it.
class Worker {
 public:
  explicit Worker(const Options& mine) : mine_(mine), queue_(*mine.queue), charter_(queue_.charter()) {}

  int run() {
    const Identity theirs = Identity::of_bytes(charter_.identity);
    Identity here = identity_of_heddle();
    here.options = theirs.options;
    here.code = theirs.code;
    here.rules = theirs.rules;
    require_same(queue_.url().shown(), theirs, here);
    std::vector<std::string> words = words_of(charter_.words);
    words.insert(words.begin(), {"--queue", *mine_.queue});  // some options are only for a check that has one
    Options options = parse_check(words);
    options.verbose = mine_.verbose;
    Program program = compile_bitcode(options, charter_.bitcode);
    const uint64_t code = code_of(program);
    NativeMachine machine(load(std::move(program), library::resolve), native_options(options));
    Request request = explore_request(options, 0);
    require_same(queue_.url().shown(), theirs, identity_of(options, code, machine, request));
    enter_sandbox(options);
    begin_exploring(0);
    say_if_verbose(mine_, "helps " + queue_.url().shown());
    work(machine, request);
    begin_reporting();
    return kVerified;
  }

 private:
  void work(NativeMachine& machine, const Request& request) {
    const ExploreOnce explore_once = [&](const Request& r) { return run_algorithm(machine, r); };
    Team team(machine, request, explore_once, queue_);
    SteadyClock::time_point seen = SteadyClock::now();  // an owner, or work
    const auto goes_on = [&](const Look& look) {
      if (stop::asked != Stop::none || queue_.last.over) return false;
      if (queue_.last.owned || look.phase == Look::Phase::working) seen = SteadyClock::now();
      return seconds_since(seen) < kForsaken;
    };
    team.run(static_cast<unsigned>(mine_.jobs.value_or(cores())), goes_on, [] { return 1.0; });
  }

  const Options& mine_;
  redis::RedisQueue queue_;
  const redis::Charter charter_;
};

}  // namespace

void open_queue(redis::RedisQueue& queue, const Options& options, const Identity& identity,
                const std::string& bitcode) {
  const redis::Charter charter{identity.bytes(), words_for_workers(options.words), bitcode};
  const std::optional<std::string> other = queue.open(charter, options.lease.value_or(kLease));
  if (!other) return;
  throw UserError(
      fmt::format("{}: a check of this name has not come to its end, and is another one: {}; use another name",
                  queue.url().shown(), difference(Identity::of_bytes(*other), identity)));
}

int worker(const Options& options) {
  try {
    return Worker(options).run();
  } catch (const std::exception& e) {
    begin_reporting();
    std::fprintf(stderr, "heddle: %s\n", e.what());
    return kFailed;
  }
}

void tell_ended_worker(const Cut& cut) {
  std::fprintf(stderr, "heddle: the worker was stopped (%s); its work is given to others\n",
               std::string(name(cut.limit)).c_str());
}

}  // namespace heddle::cli
