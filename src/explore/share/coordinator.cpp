#include "explore/share/coordinator.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "core/error.hpp"
#include "core/stop.hpp"
#include "explore/share/memory_queue.hpp"
#include "explore/share/queue_bytes.hpp"
#include "explore/share/team.hpp"

namespace heddle {
namespace {

// Seconds.
constexpr double kAgain = 1;       // to find an error again, at least
constexpr double kSeeing = 60;     // to see the trouble of a slice, which takes about one
constexpr double kTooLate = 0.02;  // for a last report when the time is over: the user waits for the result
constexpr double kLast = 0.5;      // ... and in other cases

// Explores alone for a while, then takes over all that is left.
class FirstSlice : public Sharing {
 public:
  explicit FirstSlice(double alone) : alone_(alone) {}

  bool wants_all() override {
    constexpr uint64_t kSeldom = 64;
    if (alone_ > 0 && ++asked_ % kSeldom != 0) return false;
    return seconds_since(start_) > alone_;
  }
  std::vector<bool> look(const Result& so_far, std::vector<std::string> all) override {
    if (all.empty() || !so_far.findings.empty()) return {};
    HEDDLE_ASSERT(rest.empty());  // it was stopped then
    part = part_of(so_far);
    rest = std::move(all);
    throw Stopped();
  }

  Part part;
  Bundle rest;  // empty: it has come to its end

 private:
  const double alone_;  // seconds
  uint64_t asked_ = 0;
  const SteadyClock::time_point start_ = SteadyClock::now();
};

// What has come of an exploration, for a run that goes on after this one.
std::string memory_of(const Result& result, const std::string& settings) {
  QueueWriter out;
  out.part(part_of(result));
  out.text(settings);
  return out.bytes();
}

class Coordinator {
 public:
  Coordinator(Machine& machine, const Request& request, const ExploreOnce& explore_once, std::unique_ptr<WorkTree> tree)
      : machine_(machine),
        request_(request),
        explore_once_(explore_once),
        own_(std::move(tree)),
        queue_(request.queue != nullptr ? *request.queue : own_),
        number_(queue_.next_number++),
        before_(machine.settings()) {}
  ~Coordinator() { stop::progress = watched_; }
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  Result run() {
    if (const std::optional<std::string> known = queue_.remembered(number_, before_)) return recall(*known);
    if (!queue_.has_begun(number_, before_)) {
      FirstSlice first(queue_.pace().alone);
      Request mine = request_;
      mine.sharing = &first;
      Result result = explore_once_(mine);
      if (first.rest.empty()) return remember(std::move(result));
      queue_.begin({number_, before_, machine_.settings(), bytes_of(first.rest), first.part});
    }
    const Look look = work();
    switch (look.phase) {
      case Look::Phase::done: return remember(all_of(look));
      case Look::Phase::trouble: return in_trouble(look);
      default: return cut_off(all_of(look));
    }
  }

 private:
  bool must_stop() const {
    return stop::asked != Stop::none || (request_.time_limit > 0 && seconds_since(start_) > request_.time_limit);
  }

  Look work() {
    stop::progress = nullptr;
    Team team(machine_, request_, explore_once_, queue_);
    const auto goes_on = [&](const Look& look) {
      tell_progress(look.part);
      queue_.save(false);
      return look.phase == Look::Phase::working && !must_stop();
    };
    const auto patience = [&] { return !must_stop() ? 0 : limit_of(stop::asked) == Limit::time ? kTooLate : kLast; };
    team.run(request_.jobs, goes_on, patience);
    Look last = queue_.look(0);
    if (last.phase == Look::Phase::working) queue_.pause();
    queue_.save(true);
    tell_progress(last.part);
    stop::progress = watched_;
    return last;
  }

  void tell_progress(const Part& part) const {
    if (watched_ == nullptr) return;
    watched_->executions.store(part.executions, std::memory_order_relaxed);
    watched_->blocked.store(part.blocked, std::memory_order_relaxed);
    watched_->duplicates.store(part.duplicates, std::memory_order_relaxed);
    watched_->events.store(part.events, std::memory_order_relaxed);
  }

  Result all_of(const Look& look) {
    machine_.set_settings(queue_.settings());
    return result_of(look.part);
  }

  // What was counted so far is the answer.
  static Result cut_off(Result result) {
    result.limits.push_back({limit_of(stop::asked)});
    result.verdict = Verdict::incomplete;
    return result;
  }

  Result in_trouble(const Look& look) {
    const Trouble trouble = queue_.trouble();
    if (trouble.message == kSuppressed) return alone(std::nullopt);
    Result result = see(trouble, look.part);
    const bool has_error = !result.findings.empty();
    return has_error && !request_.any_error ? alone(std::move(result)) : remember(std::move(result));
  }

  // Explores the bundle as the process that met the trouble did. `part`: what was counted, and is counted on.
  Result see(const Trouble& trouble, Part part) {
    machine_.set_settings(trouble.settings);
    stop::progress = nullptr;  // these counts are not those of the whole
    Bundle items = bundle_of(trouble.bundle);
    Request mine = request_;
    mine.time_limit = kSeeing;
    for (; !items.empty(); items.pop_back()) {
      mine.work = items.back();
      Result result = explore_once_(mine);
      const bool timed_out = std::ranges::find(result.limits, Limit::time, &LimitHit::limit) != result.limits.end();
      if (timed_out || must_stop()) break;
      add(part, part_of(result));
      if (!is_plain(result)) return result_of(part, std::move(result.findings));
    }
    if (must_stop()) return cut_off(result_of(part));
    throw UserError("a process that explores a part of the program has failed" +
                    (trouble.message.empty() ? "" : ": " + trouble.message) +
                    "; this one does not, so that there is no verdict");
  }

  // The result of the whole. `known`, which has an error, is the answer if this process alone does not find one soon.
  Result alone(std::optional<Result> known) {
    stop::progress = watched_;
    machine_.set_settings(before_);
    Request mine = again(request_, start_);
    if (known) {
      const double patience = std::max(kAgain, 2 * seconds_since(start_));
      mine.time_limit = mine.time_limit > 0 ? std::min(mine.time_limit, patience) : patience;
    }
    Result result = explore_once_(mine);
    return known && result.findings.empty() ? std::move(*known) : result;
  }

  Result recall(const std::string& bytes) {
    QueueReader in(bytes);
    Result result = result_of(in.part());
    machine_.set_settings(in.text());
    return result;
  }

  // What cannot be told in counts is explored again by a run that goes on.
  Result remember(Result result) {
    if (result.findings.empty() && !is_cut_off(result))
      queue_.remember(number_, before_, memory_of(result, machine_.settings()));
    return result;
  }

  Machine& machine_;
  const Request& request_;
  const ExploreOnce& explore_once_;
  MemoryQueue own_;
  OwnQueue& queue_;
  const uint64_t number_;
  const std::string before_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  Progress* const watched_ = stop::progress;
};

}  // namespace

Result explore_together(Machine& machine, const Request& request, const ExploreOnce& explore_once,
                        std::unique_ptr<WorkTree> tree) {
  return Coordinator(machine, request, explore_once, std::move(tree)).run();
}

}  // namespace heddle
