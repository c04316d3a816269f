#include "frontend/clang/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

extern char** environ;

namespace heddle::frontend {
namespace {

// The two ends of a pipe. Both are close-on-exec, so that children started at the same time by other threads
// do not hold them open.
struct Pipe {
  int read = -1;
  int write = -1;

  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) == 0) {
      read = ends[0];
      write = ends[1];
    }
  }
  ~Pipe() {
    close_end(read);
    close_end(write);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

// Reads what is there; false at the end of the stream.
bool drain(int fd, std::string& text) {
  constexpr std::size_t kChunk = 1 << 18;
  const std::size_t before = text.size();
  text.resize(before + kChunk);
  const ssize_t n = read(fd, text.data() + before, kChunk);
  text.resize(before + (n > 0 ? static_cast<std::size_t>(n) : 0));
  return n > 0 || (n < 0 && errno == EINTR);
}

void read_both(Pipe& out, Pipe& err, ProcessResult& result) {
  while (out.read >= 0 || err.read >= 0) {
    pollfd fds[2] = {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}};  // a negative fd is ignored
    if (poll(fds, 2, -1) < 0 && errno != EINTR) return;
    if (fds[0].revents && !drain(out.read, result.out)) Pipe::close_end(out.read);
    if (fds[1].revents && !drain(err.read, result.err)) Pipe::close_end(err.read);
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& argv, const std::string& folder) {
  ProcessResult result;
  Pipe out, err;
  if (out.read < 0 || err.read < 0) {
    result.error = errno;
    return result;
  }
  std::vector<char*> args;
  for (const std::string& a : argv) args.push_back(const_cast<char*>(a.c_str()));
  args.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write, 2);
  pid_t child = 0;
  result.error = posix_spawnp(&child, args[0], &actions, nullptr, args.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (result.error != 0) return result;
  result.started = true;

  Pipe::close_end(out.write);
  Pipe::close_end(err.write);
  read_both(out, err, result);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace heddle::frontend
