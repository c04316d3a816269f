#include "cli/notices.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "core/steady_clock.hpp"

namespace heddle::cli {
namespace {

// Those that may be to blame, the likeliest first.
class Candidates {
 public:
  explicit Candidates(const Trace& trace) : steps_(trace.steps) {}

  std::vector<NoticeAdvice> all() const {
    std::vector<NoticeAdvice> all;
    for (const bool too_early : {false, true}) {
      for (std::size_t i = steps_.size(); i-- > 0;) {
        if (too_early ? is_lost(i) : wakes_one_of_many(i)) all.push_back({static_cast<int>(i), too_early});
      }
    }
    return all;
  }

 private:
  bool is_notify(const TraceStep& s) const {
    return s.action.purpose == Purpose::notify && s.action.kind == ActionKind::load && s.read && waits_at(s.location);
  }
  bool waits_at(const std::string& location) const {
    return std::ranges::any_of(steps_, [&](const TraceStep& s) { return is_waiting(s) && s.location == location; });
  }
  static bool is_waiting(const TraceStep& s) { return s.blocked && s.action.purpose == Purpose::woken; }

  bool wakes_one_of_many(std::size_t i) const {
    if (!is_notify(steps_[i]) || std::popcount(steps_[i].read->lo) < 2) return false;
    const auto follows = [&](const TraceStep& s) {
      return s.thread == steps_[i].thread && s.action.purpose == Purpose::wake && s.location == steps_[i].location;
    };
    const auto wake = std::find_if(steps_.begin() + static_cast<std::ptrdiff_t>(i), steps_.end(), follows);
    return wake != steps_.end() && wake->action.op == RmwOp::band;
  }

  // It found no thread waiting. One before the creation of all that wait now was not for them.
  bool is_lost(std::size_t i) const {
    const TraceStep& notify = steps_[i];
    if (!is_notify(notify) || notify.read != Value{}) return false;
    return std::ranges::any_of(steps_, [&](const TraceStep& s) {
      return is_waiting(s) && s.location == notify.location && !is_before_creation(notify, s.thread);
    });
  }
  bool is_before_creation(const TraceStep& step, ThreadId thread) const {
    return std::ranges::any_of(steps_, [&](const TraceStep& s) {
      return s.action.kind == ActionKind::create && s.action.child == thread && happens_before(step, s);
    });
  }

  const std::vector<TraceStep>& steps_;
};

// All sites of the same place of the user's source: it may have been compiled more than once.
std::vector<OtherNotice> notices_at(const SiteTable& sites, SiteId site, bool is_kept) {
  const auto place = [&](SiteId s) {
    const Site& user = sites[user_frame(sites, s)];
    return std::tie(user.file, user.line, user.column);
  };
  std::vector<OtherNotice> notices;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (const auto s = static_cast<SiteId>(i); s == site || place(s) == place(site)) notices.push_back({s, is_kept});
  }
  return notices;
}

// The machine goes back to what the program says, whatever happens.
class Trials {
 public:
  explicit Trials(NativeMachine& machine) : machine_(machine) {}
  ~Trials() { machine_.set_notices({}); }
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;

  // Of each place and kind one.
  bool is_new(SiteId site, bool is_kept) { return tried_.emplace(site, is_kept).second; }
  Result run(SiteId site, bool is_kept, const Request& request) {
    machine_.set_notices(notices_at(machine_.image().sites, site, is_kept));
    return explore(machine_, request);
  }

 private:
  NativeMachine& machine_;
  std::set<std::pair<SiteId, bool>> tried_;
};

}  // namespace

NoticeAdvice find_notice(NativeMachine& machine, Request request, const Trace& trace, double seconds) {
  const auto start = SteadyClock::now();
  request.keep_going = false;
  request.jobs = 1;
  Trials trials(machine);
  for (const NoticeAdvice& candidate : Candidates(trace).all()) {
    const SiteId site = trace.steps[static_cast<std::size_t>(candidate.step)].action.site;
    if (!trials.is_new(site, candidate.too_early)) continue;
    request.time_limit = seconds - seconds_since(start);
    if (request.time_limit <= 0) break;
    if (goes_right(trials.run(site, candidate.too_early, request))) return candidate;
  }
  return {};
}

}  // namespace heddle::cli
