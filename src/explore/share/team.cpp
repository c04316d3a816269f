#include "explore/share/team.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>

#include "core/assert.hpp"
#include "core/error.hpp"
#include "core/stop.hpp"
#include "explore/share/queue_bytes.hpp"

namespace heddle {
namespace {

enum class Word : uint8_t { claim, report, trouble };

// Whole messages, each after its length. False: the other side is gone.
bool send_bytes(int pipe, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = write(pipe, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}
bool receive_bytes(int pipe, char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = read(pipe, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}
bool send_message(int pipe, const std::string& message) {
  const uint64_t size = message.size();
  return send_bytes(pipe, reinterpret_cast<const char*>(&size), sizeof size) && send_bytes(pipe, message.data(), size);
}
bool receive_message(int pipe, std::string& message) {
  uint64_t size = 0;
  if (!receive_bytes(pipe, reinterpret_cast<char*>(&size), sizeof size)) return false;
  message.resize(size);
  return receive_bytes(pipe, message.data(), size);
}

// The queue, as a copy sees it.
class QueueBehindPipes : public WorkSource {
 public:
  QueueBehindPipes(int from, int to) : from_(from), to_(to) {}

  std::optional<Work> claim() override { return QueueReader(asked(word(Word::claim))).work(); }
  bool report(const Report& report) override {
    QueueWriter out = word(Word::report);
    out.report(report);
    return QueueReader(asked(out)).flag();
  }
  void tell_trouble(const std::string& token, const std::string& message) override {
    QueueWriter out = word(Word::trouble);
    out.text(token);
    out.text(message);
    asked(out);
  }

 private:
  static QueueWriter word(Word word) {
    QueueWriter out;
    out.number(static_cast<uint64_t>(word));
    return out;
  }
  // Nothing is left to do for a copy whose original is gone.
  const std::string& asked(const QueueWriter& question) {
    if (!send_message(to_, question.bytes()) || !receive_message(from_, answer_)) _exit(1);
    return answer_;
  }

  int from_;
  int to_;
  std::string answer_;
};

}  // namespace

Team::Team(Machine& machine, const Request& request, const ExploreOnce& explore_once, WorkQueue& queue)
    : machine_(machine),
      request_(request),
      explore_once_(explore_once),
      queue_(queue),
      pipe_signal_(signal(SIGPIPE, SIG_IGN)) {  // a copy that dies is noticed when it says nothing more
  void* const page = mmap(nullptr, sizeof(Wishes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw UserError("there is no memory left to share with other processes");
  wishes_ = new (page) Wishes;
}

Team::~Team() {
  end_all(0);
  munmap(wishes_, sizeof(Wishes));
  signal(SIGPIPE, pipe_signal_);
}

void Team::run(unsigned processes, const std::function<bool(const Look&)>& goes_on,
               const std::function<double()>& patience) {
  wishes_->stop = false;
  for (;;) {
    while (members_.size() < processes) start_one();
    give_work();
    const auto waiting = std::ranges::count_if(members_, [](const auto& m) { return m.second.waits; });
    const Look look = queue_.look(static_cast<unsigned>(waiting));
    wishes_->hungry = static_cast<uint32_t>(std::min<uint64_t>(look.hungry, UINT32_MAX));
    if (!goes_on(look)) break;
    serve(queue_.pace().look);
  }
  end_all(patience());
}

void Team::start_one() {
  int down[2];
  int up[2];
  if (pipe2(down, O_CLOEXEC) != 0) throw UserError(std::string("cannot start a process: ") + std::strerror(errno));
  const bool both = pipe2(up, O_CLOEXEC) == 0;
  const pid_t parent = getpid();
  const pid_t pid = both ? fork() : -1;
  if (pid == 0) {
    close(down[1]);
    close(up[0]);
    be_copy(down[0], up[1], parent);
  }
  const int error = errno;
  close(down[0]);
  if (both) close(up[1]);
  if (pid > 0) {
    Member& member = members_[pid];
    member.from = up[0];
    member.to = down[1];
    return;
  }
  close(down[1]);
  if (both) close(up[0]);
  throw UserError(std::string("cannot start a process: ") + std::strerror(error));
}

void Team::be_copy(int from, int to, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  for (const int signal : {SIGINT, SIGTERM}) ::signal(signal, SIG_IGN);  // the original says when to stop
  stop::asked = Stop::none;
  stop::progress = nullptr;
  for (const auto& [pid, member] : members_) {
    close(member.from);
    close(member.to);
  }
  QueueBehindPipes queue(from, to);
  try {
    Slices(machine_, request_, explore_once_, queue, *wishes_, queue_.pace().worth).run();
  } catch (const std::exception&) {
    _exit(1);  // its work is given back
  }
  _exit(0);
}

// Waits so long for something to do, and does it.
void Team::serve(double seconds) {
  std::vector<pollfd> entries;
  std::vector<pid_t> pids;
  for (const auto& [pid, member] : members_) {
    entries.push_back({member.from, POLLIN, 0});
    pids.push_back(pid);
  }
  if (poll(entries.data(), entries.size(), std::max(1, static_cast<int>(seconds * 1000))) <= 0) return;
  std::string message;
  for (std::size_t i = 0; i < pids.size(); ++i) {
    if (entries[i].revents == 0) continue;
    if (receive_message(entries[i].fd, message)) {
      answer(members_.at(pids[i]), message);
    } else if (bury(pids[i]) && ++idle_deaths_ >= kMostLosses) {
      throw UserError("processes that should explore the program die at once");
    }
  }
}

void Team::answer(Member& member, const std::string& message) {
  QueueReader in(message);
  QueueWriter out;
  switch (static_cast<Word>(in.number(static_cast<uint64_t>(Word::trouble) + 1))) {
    case Word::claim:
      HEDDLE_ASSERT(!member.waits);
      member.token.clear();
      member.waits = true;
      return;  // until there is work
    case Word::report: out.number(queue_.report(in.report())); break;
    case Word::trouble: {
      const std::string token = in.text();
      queue_.tell_trouble(token, in.text());
      break;
    }
  }
  send_message(member.to, out.bytes());
}

void Team::give_work() {
  for (auto& [pid, member] : members_) {
    if (!member.waits) continue;
    const std::optional<Work> work = queue_.claim();
    if (!work) return;
    HEDDLE_ASSERT(member.token.empty() && !work->token.empty());
    member.token = work->token;
    member.waits = false;
    idle_deaths_ = 0;
    QueueWriter out;
    out.work(*work);
    send_message(member.to, out.bytes());
  }
}

// Whether it had no work.
bool Team::bury(pid_t pid) {
  const Member member = members_.at(pid);
  members_.erase(pid);
  close(member.from);
  close(member.to);
  kill(pid, SIGKILL);
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (!member.token.empty()) queue_.give_back(member.token);
  return member.token.empty();
}

void Team::end_all(double patience) {
  wishes_->stop = true;
  const auto end = SteadyClock::now() + std::chrono::duration<double>(patience);
  const auto works = [](const auto& m) { return !m.second.waits; };
  while (std::ranges::any_of(members_, works) && SteadyClock::now() < end) serve(0.005);
  while (!members_.empty()) bury(members_.begin()->first);
}

}  // namespace heddle
