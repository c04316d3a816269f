#include "cli/courier.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/files.hpp"
#include "core/error.hpp"

namespace heddle::cli {
namespace {

const Courier* courier = nullptr;
bool leaves_files = false;

constexpr std::size_t kLongest = 8192;  // of a message: a name, or what is wrong
constexpr char kDone = '+';
constexpr char kWrong = '-';

std::string message_from(int socket) {
  std::string message(kLongest, '\0');
  ssize_t size = 0;
  while ((size = read(socket, message.data(), message.size())) < 0 && errno == EINTR) {
  }
  message.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  return message;
}

bool put(int file, const std::string& text) {
  if (ftruncate(file, 0) != 0) return false;
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = pwrite(file, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

std::string all_of(int file) {
  const off_t size = lseek(file, 0, SEEK_END);
  std::string text(static_cast<std::size_t>(std::max<off_t>(size, 0)), '\0');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = pread(file, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (n <= 0) throw UserError("what there is to write has been lost");
    done += static_cast<std::size_t>(n);
  }
  return text;
}

[[noreturn]] void cannot_be_written(const std::string& file, const char* why) {
  throw UserError(fmt::format("{}: cannot be written: {}", file, why));
}

}  // namespace

Courier::Courier(std::vector<std::string> files) : files_(std::move(files)), outer_(std::exchange(courier, nullptr)) {
  if (files_.empty()) return;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return;
  parent_ = ends[0];
  child_ = ends[1];
  contents_ = memfd_create("heddle", MFD_CLOEXEC);
  courier = this;
}

Courier::~Courier() {
  courier = outer_;
  for (const int file : {parent_, child_, contents_})
    if (file >= 0) close(file);
}

std::string Courier::answer_to(const std::string& file) const {
  try {
    if (std::ranges::find(files_, file) == files_.end()) cannot_be_written(file, "it is no output of this run");
    write_whole(file, all_of(contents_));
    return {kDone};
  } catch (const std::exception& e) {
    return kWrong + std::string(e.what()).substr(0, kLongest - 1);
  }
}

// In a process of its own: a pipe without a reader must not keep the parent from its watch. It goes with the parent.
void Courier::serve() const {
  const std::string file = message_from(parent_);
  const pid_t watcher = getpid();
  const pid_t pid = fork();
  if (pid > 0) return;
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != watcher) _exit(1);
  }
  const std::string answer = answer_to(file);
  const bool answered = write(parent_, answer.data(), answer.size()) > 0;
  if (pid == 0) _exit(answered ? 0 : 1);
}

void Courier::send(const std::string& file, const std::string& text) const {
  if (!put(contents_, text)) cannot_be_written(file, std::strerror(errno));
  if (write(child_, file.data(), file.size()) < 0) cannot_be_written(file, std::strerror(errno));
  const std::string answer = message_from(child_);
  if (answer.empty()) cannot_be_written(file, "the process that should do so is gone");
  if (answer[0] != kDone) throw UserError(answer.substr(1));
}

void leave_files_to_parent() { leaves_files = true; }

void write_output(const std::string& file, const std::string& text) {
  if (!leaves_files) return write_whole(file, text);
  if (courier == nullptr) cannot_be_written(file, "the sandbox forbids it; add --no-sandbox");
  courier->send(file, text);
}

}  // namespace heddle::cli
