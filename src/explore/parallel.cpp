#include "explore/parallel.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>

#include "core/stop.hpp"

namespace heddle {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr double kAlone = 0.1;                  // seconds before the process is copied
constexpr double kAgain = 1;                    // seconds to find an error again, at least
constexpr std::chrono::milliseconds kWorth{3};  // of work between two items that a process gives away
constexpr std::size_t kMostProcesses = 256;
constexpr std::size_t kMostSites = 64;
constexpr std::size_t kItemBytes = 1ul << 30;  // reserved, not used
constexpr long kPatience = 20'000'000;         // nanoseconds between two looks at the others

// What one process has counted. Everything else makes all stop.
struct Part {
  Progress progress{};
  uint64_t executions, blocked, duplicates, events;
  std::size_t cuts, limits;
  SiteId cut[kMostSites];
  LimitHit limit[kMostSites];
};

// Memory that all processes share.
struct Common {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  std::atomic<unsigned> processes;
  std::atomic<unsigned> idle;   // of them: those that wait for work
  std::atomic<unsigned> items;  // that wait for a process
  std::atomic<bool> over;       // nobody has work, or all must stop
  std::atomic<bool> unusual;    // somebody has more to tell than counts
  std::atomic<bool> limit;      // somebody was stopped by a limit
  std::size_t used;             // of the bytes: items, each followed by its length
  std::size_t failed;           // the length of the item with an error, behind the end of the bytes; 0: none
  Part parts[kMostProcesses];
};

// Anonymous memory that a copy of the process has in common with it.
template <class T>
T* shared_memory(std::size_t size) {
  void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : static_cast<T*>(p);
}

class Crew : public Sharing {
 public:
  Crew(Machine& machine, const Request& request, const ExploreOne& explore_one)
      : machine_(machine), request_(request), explore_one_(explore_one) {}
  ~Crew() override {
    end_copies();
    stop::progress = watched_;
    if (common_ != nullptr) munmap(common_, sizeof(Common));
    if (bytes_ != nullptr) munmap(bytes_, 2 * kItemBytes);
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  std::optional<Result> run() {
    Request mine = request_;
    mine.sharing = this;
    std::optional<Result> result = explored(mine);
    if (common_ == nullptr) return result;
    if (machine_.sees_passing()) {  // the exploration starts again (deepening.cpp)
      tell_unusual();
      return result;
    }
    if (!is_plain(result)) tell_unusual();
    if (result) add(*result, common_->parts[0]);
    const bool has_error = result && !result->findings.empty();
    work(0);
    end_copies();
    if (!common_->unusual) {
      Result all = sum();
      if (common_->limit && all.limits.empty()) {  // whoever was working had no time to say so
        all.limits.push_back({limit_asked()});
        all.verdict = Verdict::incomplete;
      }
      all.unusual = std::move(result->unusual);
      return all;
    }
    if (!has_error && common_->failed != 0) {
      const std::string item(bytes_ + kItemBytes, common_->failed);
      mine.sharing = nullptr;
      mine.work = item;
      mine.time_limit = 0;
      result = explored(mine);
    }
    return alone(std::move(result), elapsed());
  }

  bool wants_item() override {
    if (common_ == nullptr) {
      if (++asked_ % 64 == 0 && !given_up_ && elapsed() > kAlone) start_copies();
      return false;
    }
    if (common_->over.load(std::memory_order_relaxed)) [[unlikely]]
      throw Stopped();
    if (is_first_ && ++asked_ % 1024 == 0) tell_progress();
    if (common_->idle.load(std::memory_order_relaxed) <= common_->items.load(std::memory_order_relaxed)) return false;
    // Whoever has just begun has little to give: an item must be worth its way.
    const auto now = SteadyClock::now();
    if (now - split_ < kWorth) return false;
    split_ = now;
    return true;
  }

  void give(std::string item) override {
    const Lock lock(*this);
    if (!lock.is_good() || common_->used + item.size() + sizeof(std::size_t) > kItemBytes) return tell_unusual();
    std::memcpy(bytes_ + common_->used, item.data(), item.size());
    const std::size_t size = item.size();
    std::memcpy(bytes_ + common_->used + size, &size, sizeof size);
    common_->used += size + sizeof size;
    ++common_->items;
    pthread_cond_signal(&common_->changed);
  }

 private:
  // A process that dies with the lock makes all stop.
  class Lock {
   public:
    explicit Lock(Crew& crew) : crew_(crew) {
      const int status = pthread_mutex_lock(&crew.common_->mutex);
      is_good_ = status == 0;
      if (status == EOWNERDEAD) pthread_mutex_consistent(&crew.common_->mutex);
      if (!is_good_) crew.tell_unusual();
    }
    ~Lock() { pthread_mutex_unlock(&crew_.common_->mutex); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    bool is_good() const { return is_good_; }

   private:
    Crew& crew_;
    bool is_good_;
  };

  double elapsed() const { return std::chrono::duration<double>(SteadyClock::now() - start_).count(); }

  // The result of the whole. What is known of an error is the answer if this process alone does not find one soon.
  std::optional<Result> alone(std::optional<Result> known, double spent) {
    const bool has_error = known && !known->findings.empty();
    stop::progress = watched_;
    Request again = request_;
    if (request_.time_limit > 0) again.time_limit = std::max(request_.time_limit - elapsed(), 1e-3);
    if (has_error) {
      const double patience = std::max(kAgain, 2 * spent);
      again.time_limit = again.time_limit > 0 ? std::min(again.time_limit, patience) : patience;
    }
    std::optional<Result> result = explore_one_(again);
    return has_error && result && result->findings.empty() ? known : result;
  }

  // Nothing that only happens to one process is an answer.
  std::optional<Result> explored(const Request& request) {
    try {
      return explore_one_(request);
    } catch (const std::exception&) {
      if (common_ == nullptr) throw;
      return std::nullopt;
    }
  }

  bool is_plain(const std::optional<Result>& result) {
    if (!result || !result->findings.empty() || !result->notes.empty()) return false;
    if (machine_.sees_passing()) return false;
    if (result->cut.size() > kMostSites || result->limits.size() > kMostSites) return false;
    const auto ends = [](const LimitHit& hit) { return hit.limit == Limit::steps; };  // wherever it is met first
    return (result->cut.empty() || !request_.stop_when_cut) && std::ranges::none_of(result->limits, ends);
  }
  // What this process has learnt and the first one must learn, too.
  bool has_learnt() { return machine_.follow_mixed() || machine_.show_suppressed() || !machine_.suppressed().empty(); }

  void start_copies() {
    given_up_ = true;
    auto* const common = shared_memory<Common>(sizeof(Common));
    bytes_ = shared_memory<char>(2 * kItemBytes);
    if (common == nullptr || bytes_ == nullptr) {
      if (common != nullptr) munmap(common, sizeof(Common));
      return;
    }
    pthread_mutexattr_t for_all;
    pthread_mutexattr_init(&for_all);
    pthread_mutexattr_setpshared(&for_all, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&for_all, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&common->mutex, &for_all);
    pthread_condattr_t waiting;
    pthread_condattr_init(&waiting);
    pthread_condattr_setpshared(&waiting, PTHREAD_PROCESS_SHARED);
    pthread_condattr_setclock(&waiting, CLOCK_MONOTONIC);
    pthread_cond_init(&common->changed, &waiting);
    common_ = common;
    watched_ = stop::progress;
    const auto processes = static_cast<unsigned>(std::min<std::size_t>(request_.jobs, kMostProcesses));
    common_->processes = processes;
    const pid_t parent = getpid();
    for (unsigned i = 1; i < processes; ++i) {
      const pid_t pid = fork();
      if (pid == 0) be_copy(i, parent);
      if (pid > 0) copies_.push_back(pid);
      if (pid < 0) --common_->processes;
    }
    is_first_ = true;
    stop::progress = &common_->parts[0].progress;
  }

  [[noreturn]] void be_copy(unsigned number, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    copies_.clear();
    stop::progress = &common_->parts[number].progress;
    work(number);
    _exit(0);
  }

  // Explores items until there are none.
  void work(unsigned number) {
    std::string item;
    while (take(item)) {
      Request mine = request_;
      mine.sharing = this;
      mine.work = item;
      if (request_.time_limit > 0) mine.time_limit = std::max(request_.time_limit - elapsed(), 1e-3);
      const std::optional<Result> result = explored(mine);
      if (result) add(*result, common_->parts[number]);
      if (common_->over) return;
      if (result && !result->findings.empty()) keep(item);
      if (!is_plain(result) || (!is_first_ && has_learnt())) tell_unusual();
    }
  }

  // Waits for an item. False if there will be none.
  bool take(std::string& item) {
    const Lock lock(*this);
    if (!lock.is_good()) return false;
    ++common_->idle;
    while (common_->items == 0 && !common_->over) {
      if (common_->idle == common_->processes || asked_to_stop()) {
        common_->over = true;
        pthread_cond_broadcast(&common_->changed);
        break;
      }
      timespec until{};
      clock_gettime(CLOCK_MONOTONIC, &until);
      until.tv_nsec += kPatience;
      if (until.tv_nsec >= 1'000'000'000) until.tv_nsec -= 1'000'000'000, ++until.tv_sec;
      if (pthread_cond_timedwait(&common_->changed, &common_->mutex, &until) == EOWNERDEAD) {
        pthread_mutex_consistent(&common_->mutex);
        tell_unusual();
      }
      if (is_first_) look_after_copies();
    }
    if (common_->over) return false;
    --common_->idle;
    --common_->items;
    std::size_t size = 0;
    common_->used -= sizeof size;
    std::memcpy(&size, bytes_ + common_->used, sizeof size);
    common_->used -= size;
    item.assign(bytes_ + common_->used, size);
    split_ = SteadyClock::now();
    return true;
  }

  static Limit limit_asked() {
    switch (stop::asked.load()) {
      case Stop::memory: return Limit::memory;
      case Stop::interrupted: return Limit::interrupted;
      default: return Limit::time;
    }
  }

  // A limit, or the user: what was counted so far is the answer.
  bool asked_to_stop() {
    const bool late = request_.time_limit > 0 && elapsed() > request_.time_limit;
    if (late || stop::asked != Stop::none) common_->limit = true;
    return common_->limit;
  }

  void tell_unusual() {
    common_->unusual = true;
    common_->over = true;
    pthread_cond_broadcast(&common_->changed);
  }

  // The item in which an error was found.
  void keep(const std::string& item) {
    const Lock lock(*this);
    if (!lock.is_good() || common_->failed != 0 || item.size() > kItemBytes) return;
    std::memcpy(bytes_ + kItemBytes, item.data(), item.size());
    common_->failed = item.size();
  }

  // One that has ended before it was time has not explored its item.
  void look_after_copies() {
    tell_progress();
    for (const pid_t pid : copies_) {
      int status = 0;
      if (waitpid(pid, &status, WNOHANG) != pid) continue;
      std::erase(copies_, pid);
      if (!common_->over) tell_unusual();
      return;
    }
  }

  void end_copies() {
    if (common_ == nullptr || !is_first_) return;
    common_->over = true;
    const auto soon = SteadyClock::now() + std::chrono::milliseconds(common_->unusual || common_->limit ? 50 : 2000);
    for (const pid_t pid : copies_) {
      int status = 0;
      pid_t ended = 0;
      while ((ended = waitpid(pid, &status, WNOHANG)) == 0 && SteadyClock::now() < soon) sched_yield();
      if (ended == 0) {
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
      }
      const bool well = ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
      if (!well && !common_->limit) common_->unusual = true;
    }
    copies_.clear();
  }

  static void add(const Result& result, Part& part) {
    part.executions += result.executions;
    part.blocked += result.blocked;
    part.duplicates += result.duplicates;
    part.events += result.events;
    for (const SiteId site : result.cut) {
      if (part.cuts < kMostSites && std::find(part.cut, part.cut + part.cuts, site) == part.cut + part.cuts)
        part.cut[part.cuts++] = site;
    }
    for (const LimitHit& hit : result.limits) {
      if (part.limits < kMostSites) part.limit[part.limits++] = hit;
    }
    for (auto* const n :
         {&part.progress.executions, &part.progress.blocked, &part.progress.duplicates, &part.progress.events})
      n->store(0, std::memory_order_relaxed);
  }

  Result sum() const {
    Result all;
    for (const Part& part : common_->parts) {
      all.executions += part.executions;
      all.blocked += part.blocked;
      all.duplicates += part.duplicates;
      all.events += part.events;
      for (std::size_t c = 0; c < part.cuts; ++c) {
        if (std::ranges::find(all.cut, part.cut[c]) == all.cut.end()) all.cut.push_back(part.cut[c]);
      }
      for (std::size_t l = 0; l < part.limits; ++l) {
        const auto same = [&](const LimitHit& h) {
          return h.limit == part.limit[l].limit && h.site == part.limit[l].site;
        };
        if (std::ranges::none_of(all.limits, same)) all.limits.push_back(part.limit[l]);
      }
    }
    std::ranges::sort(all.cut);
    std::ranges::sort(all.limits, {}, [](const LimitHit& h) { return std::pair(h.limit, h.site); });
    if (!all.limits.empty()) all.verdict = Verdict::incomplete;
    return all;
  }

  void tell_progress() {
    if (watched_ == nullptr) return;
    Progress& to = *watched_;
    const auto add_up = [&](auto member, auto done) {
      uint64_t n = 0;
      for (std::size_t i = 0; i < std::min<std::size_t>(request_.jobs, kMostProcesses); ++i) {
        const Part& part = common_->parts[i];
        n += part.*done + (part.progress.*member).load(std::memory_order_relaxed);
      }
      (to.*member).store(n, std::memory_order_relaxed);
    };
    add_up(&Progress::executions, &Part::executions);
    add_up(&Progress::blocked, &Part::blocked);
    add_up(&Progress::duplicates, &Part::duplicates);
    add_up(&Progress::events, &Part::events);
  }

  Machine& machine_;
  const Request& request_;
  const ExploreOne& explore_one_;
  const SteadyClock::time_point start_ = SteadyClock::now();
  SteadyClock::time_point split_{};  // when the process took an item, or gave one away
  uint64_t asked_ = 0;
  bool given_up_ = false;  // there are copies, or there can be none
  bool is_first_ = false;  // the process that was there first, once it has copies
  std::vector<pid_t> copies_;
  Common* common_ = nullptr;
  char* bytes_ = nullptr;
  Progress* watched_ = stop::progress;
};

}  // namespace

std::optional<Result> explore_in_parallel(Machine& machine, const Request& request, const ExploreOne& explore_one) {
  return Crew(machine, request, explore_one).run();
}

}  // namespace heddle
