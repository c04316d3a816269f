#include "cli/supervise.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>

#include "cli/courier.hpp"
#include "core/bytes.hpp"
#include "core/finding_bytes.hpp"
#include "core/steady_clock.hpp"
#include "core/stop.hpp"
#include "explore/judge/tally.hpp"

namespace heddle::cli {
namespace {

// What a child says over the pipe when `work` has returned; the status follows. An exit status alone would not do:
// the program under test might reach _exit(0).
constexpr unsigned char kReturned = 0xa5;

// Seconds.
constexpr double kTogether = 0.05;  // signals that come so soon after the first one count as one
constexpr double kTick = 0.002;     // between two requests to stop
constexpr double kSoon = 0.15;      // for a child to stop after its time
constexpr double kPerByte = 1e-9;   // more than that if it has more than a little in hand: to pass it on takes time
constexpr uint64_t kLittle = 100 << 20;
constexpr double kLater = 2;             // after anything else
constexpr double kTelling = 10;          // for a child that has its result, to tell it
constexpr double kShortestLook = 0.005;  // between two looks at its memory
constexpr double kLongestLook = 0.25;
constexpr double kFastest = 4e9;  // bytes per second that a child may take, or hardly more

enum class Phase : uint8_t { compiling, exploring, reporting };

// Memory that parent and child share.
struct Shared {
  std::atomic<Phase> phase = Phase::compiling;
  std::atomic<Stop> why = Stop::none;
  std::atomic<double> compile_seconds = 0;
  Progress progress{};
  std::atomic<bool> writing = false;   // its holder may write or erase the status line, and begin to report
  std::atomic<bool> has_line = false;  // there is a status line to erase
  std::atomic<uint64_t> lost = 0;      // errors that could not be noted down
};
Shared* shared = nullptr;
int notes = -1;  // a file in memory: the errors that were noted down, each with its length before it

// A lock that is held for a moment. If its holder is gone or was stopped, so is what it protects.
class Writing {
 public:
  Writing() {
    for (int i = 0; i < 50; ++i) {
      if (!shared->writing.exchange(true)) return;
      usleep(1000);
    }
  }
  ~Writing() { shared->writing = false; }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;
};

void erase_status() {
  if (shared->has_line.exchange(false)) StatusLine::erase();
}

volatile sig_atomic_t interrupts = 0;  // of the parent

// In the child.
void stop_soon(int, siginfo_t*, void* context) {
  const Stop why = shared->why;
  stop::asked = why == Stop::none ? Stop::interrupted : why;
  if (const auto leave = stop::leave_program.load()) leave(context);
}

// SIGINT and SIGTERM while the parent watches. One that is ignored, as in a job in the background, stays so.
class Interrupts {
 public:
  Interrupts() {
    interrupts = 0;
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : kSignals) sigaddset(&set, signal);
    sigprocmask(SIG_BLOCK, &set, &mask_);  // let in while the parent waits
    struct sigaction count{};
    count.sa_handler = [](int) { interrupts = interrupts + 1; };
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
      sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &count, nullptr);
    }
  }
  ~Interrupts() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
    // timeout(1) sends a signal to the process, and one to its group: the second one must not take the result away. A
    // later signal ends the process: it may wait for ever for a reader of its result.
    if (interrupts != 0 && is_outermost_) drop_pending_signals();
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
    --watchers;
  }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  // In the child. Its parent asks with SIGTERM.
  void handle_in_child() const {
    struct sigaction stop{};
    stop.sa_sigaction = stop_soon;
    stop.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
      if (kSignals[i] == SIGTERM || before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &stop, nullptr);
    }
    sigset_t mask = mask_;
    for (const int signal : kSignals) sigdelset(&mask, signal);
    sigprocmask(SIG_SETMASK, &mask, nullptr);
  }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};

  static void drop_pending_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : kSignals) sigaddset(&set, signal);
    const timespec now{};
    while (sigtimedwait(&set, nullptr, &now) > 0) {
    }
  }

  static inline int watchers = 0;  // of this process and of those that it descends from
  const bool is_outermost_ = watchers++ == 0;
  struct sigaction before_[std::size(kSignals)];
  sigset_t mask_;
};

[[noreturn]] void run_child(const std::function<int()>& work, int pipe, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kFailed);  // the parent died before the line above
  const int status = work();
  const bool flushed = std::fflush(nullptr) == 0 && !std::ferror(stdout);
  if (!flushed) std::fprintf(stderr, "heddle: cannot write the result: %s\n", std::strerror(errno));
  const unsigned char message[2] = {kReturned, static_cast<unsigned char>(flushed ? status : kFailed)};
  if (write(pipe, message, sizeof message) != sizeof message) _exit(kFailed);
  _exit(message[1]);
}

int internal_error(const std::string& what, std::string* said) {
  if (said != nullptr) *said = "internal error: " + what;
  std::fprintf(stderr,
               "heddle: internal error: %s\n"
               "There is no verdict. Please report this together with the program and the command.\n",
               what.c_str());
  return kFailed;
}

// Explorations go deep. The kernel keeps at least 128 MiB free below the stack of a process.
void raise_stack_limit() {
  constexpr rlim_t kStack = 96ul << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kStack) return;
  limit.rlim_cur = std::min(kStack, limit.rlim_max);
  setrlimit(RLIMIT_STACK, &limit);
}

// A child process with the pipe that it speaks through.
class Child {
 public:
  // False if there is none; `error` says why.
  bool start(const std::function<int()>& work, const std::function<void()>& prepare) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return failed("no pipe");
    std::fflush(nullptr);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ < 0) return failed("cannot start a process");
    if (pid_ == 0) {
      close(ends[0]);
      raise_stack_limit();
      prepare();
      run_child(work, ends[1], parent);
    }
    close(ends[1]);
    pipe_ = ends[0];
    return true;
  }
  std::string error;

  pid_t pid() const { return pid_; }
  int pipe() const { return pipe_; }
  bool was_killed() const { return WIFSIGNALED(status_) && WTERMSIG(status_) == SIGKILL; }
  uint64_t peak_rss_kib() const { return static_cast<uint64_t>(usage_.ru_maxrss); }

  // Waits for its end. Processes that it has started may still have the pipe.
  void wait() {
    while (wait4(pid_, &status_, 0, &usage_) < 0 && errno == EINTR) {
    }
    unsigned char message[2] = {};
    fcntl(pipe_, F_SETFL, O_NONBLOCK);
    returned_ = read(pipe_, message, sizeof message) == sizeof message && message[0] == kReturned;
    result_ = message[1];
    close(pipe_);
  }
  // Its own children too, such as a compiler: they are ours when it is gone.
  void kill_all() {
    kill(pid_, SIGKILL);
    wait();
    const std::string list = fmt::format("/proc/self/task/{}/children", getpid());
    for (int round = 0; round < 100; ++round) {
      FILE* const file = std::fopen(list.c_str(), "r");
      int orphan = 0;
      const bool any = file != nullptr && std::fscanf(file, "%d", &orphan) == 1;
      if (file != nullptr) std::fclose(file);
      if (!any) return;
      kill(orphan, SIGKILL);
      waitpid(orphan, nullptr, 0);
    }
  }

  int status(std::string* said) const {
    if (WIFSIGNALED(status_)) {
      const int signal = WTERMSIG(status_);
      if (signal == SIGPIPE) raise(SIGPIPE);  // the reader is gone, as in "heddle check … | head": end like any other
      if (signal == SIGSYS)
        return internal_error("the check made a system call that its sandbox forbids; try --no-sandbox", said);
      if (signal == SIGKILL) return internal_error("the check was killed, perhaps for lack of memory", said);
      return internal_error(fmt::format("the check died of signal {} ({})", signal, strsignal(signal)), said);
    }
    if (!returned_) return internal_error("the check ended before it had a result", said);
    return result_;
  }

 private:
  bool failed(const char* what) {
    error = fmt::format("{}: {}", what, std::strerror(errno));
    return false;
  }

  pid_t pid_ = -1;
  int pipe_ = -1;
  int status_ = 0;
  rusage usage_{};
  bool returned_ = false;
  unsigned char result_ = kFailed;
};

uint64_t resident(const char* statm) {
  char* text = nullptr;
  std::strtoull(statm, &text, 10);
  return std::strtoull(text, nullptr, 10) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// The memory that a process uses, and those that it has started: --jobs, a compiler.
class Memory {
 public:
  explicit Memory(pid_t pid)
      : file_(open(fmt::format("/proc/{}/statm", pid).c_str(), O_RDONLY | O_CLOEXEC)),
        children_(fmt::format("/proc/{0}/task/{0}/children", pid)) {}
  ~Memory() {
    if (file_ >= 0) close(file_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  uint64_t used() const {
    char text[128] = {};
    if (file_ < 0 || pread(file_, text, sizeof text - 1, 0) <= 0) return 0;
    return resident(text) + used_by_children();
  }

 private:
  uint64_t used_by_children() const {
    FILE* const list = std::fopen(children_.c_str(), "r");
    if (list == nullptr) return 0;
    uint64_t sum = 0;
    for (int pid = 0; std::fscanf(list, "%d", &pid) == 1;) {
      FILE* const statm = std::fopen(fmt::format("/proc/{}/statm", pid).c_str(), "r");
      if (statm == nullptr) continue;
      char text[128] = {};
      if (std::fgets(text, sizeof text, statm) != nullptr) sum += resident(text);
      std::fclose(statm);
    }
    std::fclose(list);
    return sum;
  }

  int file_;
  std::string children_;
};

// Watches over a child until it says something, or must be killed.
class Watch {
 public:
  Watch(const Child& child, const Limits& limits, const Courier& courier, SteadyClock::time_point start)
      : child_(child),
        limits_(limits),
        courier_(courier),
        start_(start),
        status_(limits.status),
        memory_(child.pid()),
        end_(static_cast<int>(syscall(SYS_pidfd_open, child.pid(), 0))) {}
  ~Watch() {
    if (end_ >= 0) close(end_);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Whether the child has said something, or has ended.
  bool run() {
    double next = 0;
    for (;;) {
      if (said_something(next)) return true;
      const double now = seconds_since(start_);
      if (why_ == Stop::none && must_stop(now)) {
        shared->why = why_;
        asked_at_ = now;
      }
      if (why_ != Stop::none && now - asked_at_ < kTogether) heard_ = interrupts;
      if (why_ == Stop::none) {
        if (status_.is_on()) show_status(now);
        next = until_next_look(now);
        continue;
      }
      if (now - asked_at_ >= patience()) return false;
      if (shared->phase == Phase::exploring) kill(child_.pid(), SIGTERM);
      next = kTick;
    }
  }

  Limit limit() const { return limit_of(why_); }

 private:
  // Waits so long, and writes files for the child. Interrupts are let in only here.
  bool said_something(double seconds) const {
    pollfd entries[] = {
        {child_.pipe(), POLLIN, 0}, {end_, POLLIN, 0}, {courier_.requests(), POLLIN, 0}};  // a negative one is ignored
    const auto nanoseconds = static_cast<int64_t>(seconds * 1e9);
    const timespec time{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
    sigset_t none;
    sigemptyset(&none);
    if (ppoll(entries, std::size(entries), &time, &none) <= 0) return false;
    if (entries[2].revents != 0) courier_.serve();
    return entries[0].revents != 0 || entries[1].revents != 0;
  }

  bool must_stop(double now) {
    if (interrupts > 0) {
      why_ = Stop::interrupted;
    } else if (limits_.seconds && now >= *limits_.seconds) {
      why_ = Stop::time;
    } else if (now >= next_look_) {
      const uint64_t used = memory_.used();
      if (used > limits_.bytes) why_ = Stop::memory;
      const double left = static_cast<double>(limits_.bytes - std::min(used, limits_.bytes));
      next_look_ = now + std::clamp(left / kFastest, kShortestLook, kLongestLook);
    }
    return why_ != Stop::none;
  }

  double until_next_look(double now) const {
    double next = limits_.seconds ? std::min(next_look_, *limits_.seconds) : next_look_;
    if (status_.is_on()) next = std::min(next, next_status_);
    return std::max(next - now, 1e-6);
  }

  // Nothing is shown while the child compiles, nor of an exploration that ends soon.
  void show_status(double now) {
    if (now < next_status_) return;
    next_status_ = now + status_.interval();
    if (shared->phase != Phase::exploring) return;
    if (!exploring_since_) exploring_since_ = now;
    if (now - *exploring_since_ < status_.first()) return;
    const Progress& p = shared->progress;
    const Status status{.title = limits_.title,
                        .executions = p.executions,
                        .blocked = p.blocked,
                        .errors = p.errors,
                        .depth = p.depth,
                        .seconds = now - *exploring_since_,
                        .expected = p.expected,
                        .low = p.low,
                        .high = p.high};
    const Writing writing;
    if (shared->phase != Phase::exploring) return;
    status_.show(status);
    shared->has_line = limits_.status == StatusStyle::line;
  }

  double patience() const {
    const Phase phase = shared->phase;
    if (interrupts > std::max(heard_, 1)) return 0;
    if (phase == Phase::reporting) return kTelling;
    if (phase == Phase::compiling) return 0;
    if (why_ == Stop::memory && memory_.used() / 5 * 4 > limits_.bytes) return 0;
    if (why_ != Stop::time) return kLater;
    const uint64_t much = std::max(memory_.used(), kLittle) - kLittle;
    return std::max(kSoon, *limits_.seconds * 0.03) + static_cast<double>(much) * kPerByte;
  }

  const Child& child_;
  const Limits limits_;
  const Courier& courier_;
  const SteadyClock::time_point start_;
  const StatusLine status_;
  const Memory memory_;
  const int end_;  // readable when the child has ended
  Stop why_ = Stop::none;
  double asked_at_ = 0;
  int heard_ = 0;  // interrupts that came together with the first one
  double next_look_ = 0;
  double next_status_ = 0;
  std::optional<double> exploring_since_;
};

// The errors that the child has noted down. It may have been killed in the middle of the last one.
ReadFindings noted_down() {
  ReadFindings all;
  std::string text(static_cast<std::size_t>(std::max<off_t>(lseek(notes, 0, SEEK_END), 0)), '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(pread(notes, text.data(), text.size(), 0), 0)));
  try {
    for (ByteReader in(text); !in.at_end();) all.add(in.text());
  } catch (const std::runtime_error&) {
  }
  return all;
}

// What the child has counted and found before it was killed.
Cut cut(Limit limit, const Child& child, SteadyClock::time_point start) {
  Cut c{};
  c.limit = limit;
  c.result.verdict = Verdict::incomplete;
  c.result.limits.push_back({limit});
  c.result.executions = shared->progress.executions;
  c.result.blocked = shared->progress.blocked;
  c.result.duplicates = shared->progress.duplicates;
  c.result.events = shared->progress.events;
  c.seconds = seconds_since(start);
  c.compile_seconds = shared->phase == Phase::compiling ? c.seconds : shared->compile_seconds.load();
  c.peak_rss_kib = child.peak_rss_kib();
  ReadFindings noted = noted_down();
  for (Finding& finding : noted.findings) {
    const auto same = [&](const Finding& known) { return same_error(known.error, finding.error); };
    if (std::ranges::none_of(c.result.findings, same)) c.result.findings.push_back(std::move(finding));
  }
  c.sites = std::move(noted.sites);
  if (!c.result.findings.empty()) c.result.verdict = Verdict::error;
  if (const uint64_t errors = shared->lost; errors != 0) {
    std::fprintf(stderr, "heddle: %llu error%s found, but the run was killed before it could tell of %s\n",
                 static_cast<unsigned long long>(errors), errors == 1 ? " was" : "s were", errors == 1 ? "it" : "them");
  }
  return c;
}

// A child may supervise children of its own: what it shares with its parent stays.
class SharedMemory {
 public:
  SharedMemory()
      : outer_(shared),
        outer_notes_(notes),
        page_(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (page_ == MAP_FAILED) return;
    shared = new (page_) Shared;
    notes = memfd_create("heddle errors", MFD_CLOEXEC);
    if (notes >= 0) fcntl(notes, F_SETFL, O_APPEND);  // processes with the same work may write
  }
  ~SharedMemory() {
    if (notes != outer_notes_) close(notes);
    notes = outer_notes_;
    shared = outer_;
    if (page_ != MAP_FAILED) munmap(page_, sizeof(Shared));
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  bool is_there() const { return page_ != MAP_FAILED && notes >= 0; }

 private:
  Shared* const outer_;
  const int outer_notes_;
  void* const page_;
};

}  // namespace

int supervise(const std::function<int()>& work, std::string* said) {
  Child child;
  if (!child.start(work, [] {})) return internal_error(child.error, said);
  child.wait();
  return child.status(said);
}

int supervise(const std::function<int()>& work, const Limits& limits, const std::function<void(const Cut&)>& report,
              std::string* said) {
  const auto start = SteadyClock::now();
  const SharedMemory memory;
  if (!memory.is_there()) return internal_error(fmt::format("no memory to share: {}", std::strerror(errno)), said);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const Interrupts interrupts_are_heard;
  const Courier courier(limits.outputs);
  Child child;
  const auto prepare = [&] {
    stop::progress = &shared->progress;
    interrupts_are_heard.handle_in_child();
  };
  if (!child.start(work, prepare)) return internal_error(child.error, said);
  Watch watch(child, limits, courier, start);
  const bool ended = watch.run();
  if (!ended) child.kill_all();
  erase_status();
  const auto told = [&](Limit limit) {
    const Cut what = cut(limit, child, start);
    report(what);
    return what.result.verdict == Verdict::error ? kBugFound : kIncomplete;
  };
  if (!ended) {
    if (shared->phase == Phase::reporting) {
      constexpr const char* kKilled = "the run was killed while it told its result";
      if (said != nullptr) *said = kKilled;
      std::fprintf(stderr, "heddle: %s\n", kKilled);
      return noted_down().findings.empty() ? kIncomplete : kBugFound;
    }
    return told(watch.limit());
  }
  child.wait();
  return child.was_killed() ? told(Limit::killed) : child.status(said);
}

void begin_exploring(double compile_seconds) {
  if (shared == nullptr) return;
  shared->compile_seconds = compile_seconds;
  shared->phase = Phase::exploring;
}

void note_down(const Finding& finding, const SiteTable& sites) {
  if (notes < 0) return;
  ByteWriter note;
  note.text(finding_bytes(finding, sites));
  const std::string& bytes = note.bytes();
  if (write(notes, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) ++shared->lost;
}

void begin_reporting() {
  if (shared == nullptr) return;
  const Writing writing;
  shared->phase = Phase::reporting;
  erase_status();
}

}  // namespace heddle::cli
