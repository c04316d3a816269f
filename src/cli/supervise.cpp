#include "cli/supervise.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace heddle::cli {
namespace {

// What a child says over the pipe when `work` has returned; the status follows. An exit status alone would not do:
// the program under test might reach _exit(0).
constexpr unsigned char kReturned = 0xa5;
constexpr double kGrace = 10;  // seconds

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

// Waits until the pipe has something to read or its other end is closed.
bool wait_for(int pipe, std::optional<double> seconds) {
  pollfd entry{pipe, POLLIN, 0};
  const int timeout = seconds ? static_cast<int>(std::min(*seconds, 2e6) * 1000) : -1;
  int ready;
  do ready = poll(&entry, 1, timeout);
  while (ready < 0 && errno == EINTR);
  return ready != 0;
}

int wait_status(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

int supervise(const std::function<int()>& work, std::optional<double> time_limit, std::string* said) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return internal_error(fmt::format("no pipe: {}", std::strerror(errno)), said);
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return internal_error(fmt::format("cannot start a process: {}", std::strerror(errno)), said);
  if (child == 0) {
    close(ends[0]);
    run_child(work, ends[1], parent);
  }
  close(ends[1]);

  if (time_limit) *time_limit += kGrace;
  if (!wait_for(ends[0], time_limit)) {
    kill(child, SIGKILL);
    wait_status(child);
    const std::string what = "the time limit has passed, and the check did not stop by itself";
    std::fprintf(stderr, "heddle: incomplete: %s\n", what.c_str());
    if (said != nullptr) *said = what;
    return kIncomplete;
  }
  unsigned char message[2] = {};
  const bool returned = read(ends[0], message, sizeof message) == sizeof message && message[0] == kReturned;
  close(ends[0]);
  const int status = wait_status(child);
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGKILL) return internal_error("the check was killed, perhaps for lack of memory", said);
    return internal_error(fmt::format("the check died of signal {} ({})", signal, strsignal(signal)), said);
  }
  if (!returned) return internal_error("the check ended before it had a result", said);
  return message[1];
}

}  // namespace heddle::cli
