#include "native/sandbox.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>
#include <vector>

#include "core/words.hpp"
#include "native/threads.hpp"

namespace heddle::sandbox {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kHeddleStartsPrograms = true;  // what names the functions in a sanitizer's report
#else
constexpr bool kHeddleStartsPrograms = false;
#endif

constexpr std::string_view kNetwork =
    "socket socketpair bind listen accept accept4 connect getsockname getpeername getsockopt setsockopt sendto sendmsg "
    "sendmmsg recvfrom recvmsg recvmmsg shutdown";
constexpr std::string_view kFiles =
    "creat openat2 open_by_handle_at mkdir mkdirat mknod mknodat rename renameat renameat2 link linkat symlink "
    "symlinkat unlink unlinkat rmdir truncate chmod fchmod fchmodat chown fchown lchown fchownat setxattr lsetxattr "
    "fsetxattr removexattr lremovexattr fremovexattr utime utimes utimensat futimesat";
constexpr std::string_view kSomeFiles = "open openat";  // by their flags
constexpr std::string_view kProcesses =
    "execve execveat fork vfork clone3 ptrace process_vm_readv process_vm_writev process_madvise pidfd_open "
    "pidfd_getfd pidfd_send_signal kcmp setns unshare tkill rt_sigqueueinfo rt_tgsigqueueinfo shmget shmat msgget "
    "msgsnd semget semop mq_open mq_unlink";
constexpr std::string_view kSomeProcesses = "clone kill prlimit64";  // by their arguments
constexpr std::string_view kSystem =
    "mount umount2 move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr pivot_root chroot swapon swapoff "
    "reboot sethostname setdomainname settimeofday clock_settime adjtimex clock_adjtime init_module finit_module "
    "delete_module kexec_load kexec_file_load bpf perf_event_open keyctl add_key request_key acct quotactl syslog "
    "ioperm iopl fanotify_init io_uring_setup io_uring_enter io_uring_register";
constexpr std::string_view kSomeSystem = "ioctl";  // by what is asked
// Of the program's own instructions.
constexpr std::string_view kOwnProcess = "clone kill tgkill";
constexpr std::string_view kEnd = "exit exit_group";

struct Group {
  std::string_view what;
  std::string_view calls;
};
constexpr Group kGroups[] = {
    {"network", kNetwork},
    {"writes to files", kFiles},
    {"writes to files", kSomeFiles},
    {"other processes", kProcesses},
    {"other processes", kSomeProcesses},
    {"other processes", kOwnProcess},
    {"the end of the process", kEnd},
    {"the system itself", kSystem},
    {"the system itself", kSomeSystem},
};

bool is_entered = false;

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    words.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

// The numbers that these calls have on this machine; some machines do not have all.
std::vector<int> numbers_of(std::string_view list) {
  std::vector<int> numbers;
  for (const std::string& word : words_of(list)) {
    const int number = seccomp_syscall_resolve_name(word.c_str());
    if (number >= 0) numbers.push_back(number);
  }
  return numbers;
}

// The filter for the whole process.
class Filter {
 public:
  explicit Filter(bool network) : filter_(seccomp_init(SCMP_ACT_ALLOW)) {
    if (filter_ == nullptr) return;
    seccomp_attr_set(filter_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_TRAP);  // calls of another kind of processor
    seccomp_attr_set(filter_, SCMP_FLTATR_CTL_OPTIMIZE, 2);             // a tree, not a list
    // Kernels before 5.16 slow a process with filters down, against attacks that use speculation, unless told not to.
    seccomp_attr_set(filter_, SCMP_FLTATR_CTL_SSB, 1);
    for (const std::string_view list : {network ? std::string_view() : kNetwork, kFiles, kSystem})
      for (const int number : numbers_of(list)) forbid(number);
    forbid_by_arguments();
    if (kHeddleStartsPrograms) return;
    for (const int number : numbers_of(kProcesses)) forbid(number);
    // fork, which makes the copies for --jobs, and no other kind of process or thread.
    forbid(SCMP_SYS(clone), SCMP_A0_64(SCMP_CMP_NE, CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD));
  }
  ~Filter() {
    if (filter_ != nullptr) seccomp_release(filter_);
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  // 0, or what is wrong.
  int load() { return filter_ == nullptr ? ENOMEM : error_ != 0 ? error_ : -seccomp_load(filter_); }

 private:
  template <typename... Comparisons>
  void forbid(int number, Comparisons... comparisons) {
    if (number < 0) return;  // this machine has no such call
    const int status = seccomp_rule_add(filter_, SCMP_ACT_TRAP, number, sizeof...(comparisons), comparisons...);
    if (status != 0) error_ = -status;
  }

  void forbid_by_arguments() {
    const auto forbid_writing = [&](int number, unsigned flags) {
      for (const uint64_t mode : {O_WRONLY, O_RDWR})
        forbid(number, scmp_arg_cmp{flags, SCMP_CMP_MASKED_EQ, O_ACCMODE, mode});
      for (const uint64_t flag : {O_CREAT, O_TRUNC})
        forbid(number, scmp_arg_cmp{flags, SCMP_CMP_MASKED_EQ, flag, flag});
    };
    forbid_writing(SCMP_SYS(open), 1);
    forbid_writing(SCMP_SYS(openat), 2);
    // The kernel looks at the lower half of an int, whatever the upper one is.
    constexpr uint64_t kInt = 0xffffffff, kSign = 0x80000000;
    // Copies for --jobs are killed, one by one: no groups, no other signal.
    forbid(SCMP_SYS(kill), SCMP_A1_64(SCMP_CMP_NE, SIGKILL));
    forbid(SCMP_SYS(kill), SCMP_A0_64(SCMP_CMP_MASKED_EQ, kInt, 0));
    forbid(SCMP_SYS(kill), SCMP_A0_64(SCMP_CMP_MASKED_EQ, kSign, kSign));
    forbid(SCMP_SYS(prlimit64), SCMP_A0_64(SCMP_CMP_NE, 0));
    forbid(SCMP_SYS(ioctl), SCMP_A1_64(SCMP_CMP_MASKED_EQ, kInt, TIOCSTI));  // puts text where the user types
  }

  scmp_filter_ctx filter_;
  int error_ = 0;
};

// The filter for instructions in the image. libseccomp's rules cannot ask where a call comes from.
int load_filter_for_image() {
  static_assert((region::kBase & 0xffffffff) == 0 && region::kImageSize <= 0x80000000);
  std::vector<int> numbers;
  for (const std::string_view list : {kNetwork, kProcesses, kOwnProcess, kEnd})
    std::ranges::copy(numbers_of(list), std::back_inserter(numbers));
  constexpr uint32_t kLow = offsetof(seccomp_data, instruction_pointer);
  HEDDLE_ASSERT(numbers.size() + 3 <= UINT8_MAX);  // a jump of the filter goes no further
  const auto n = static_cast<uint8_t>(numbers.size());
  std::vector<sock_filter> code = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kLow + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, region::kBase >> 32, 0, static_cast<uint8_t>(n + 3)),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kLow),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, region::kImageSize, static_cast<uint8_t>(n + 1), 0),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  for (std::size_t i = 0; i < numbers.size(); ++i)
    code.push_back(
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(numbers[i]), static_cast<uint8_t>(n - i), 0));
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0 ? 0 : errno;
}

// The kernel's landlock_ruleset_attr; headers may be older than the kernel.
struct Ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

// Everything that it can forbid and that changes something, without any exception. Returns its version, or 0.
int enter_landlock(bool network) {
  const auto version =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION));
  if (version < 1) return 0;
  constexpr uint64_t kReading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  constexpr uint64_t kTruncate = 1 << 14, kRefer = 1 << 13;
  Ruleset rules{(kRefer - 1) & ~kReading, 0, 0};
  if (kHeddleStartsPrograms) rules.files &= ~uint64_t{LANDLOCK_ACCESS_FS_EXECUTE};
  if (version >= 2) rules.files |= kRefer;
  if (version >= 3) rules.files |= kTruncate;
  if (version >= 4 && !network) rules.network = 3;  // to bind and to connect
  if (version >= 6) rules.scopes = 3;               // abstract sockets and signals
  const auto set = static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0));
  if (set < 0) return 0;
  const bool is_good = syscall(SYS_landlock_restrict_self, set, 0) == 0;
  close(set);
  return is_good ? version : 0;
}

// No core files; and what is written to a file, such as the result, is not endless. RLIMIT_NPROC would count all
// processes of the user, and none of root's.
void limit_files() {
  constexpr rlim_t kMostGrowth = 1ul << 30;
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  rlim_t most = 0;
  for (const int file : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat status{};
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode))
      most = std::max(most, static_cast<rlim_t>(status.st_size));
  }
  rlimit size{};
  if (getrlimit(RLIMIT_FSIZE, &size) != 0) return;
  size.rlim_cur = size.rlim_max = std::min(most + kMostGrowth, size.rlim_max);
  setrlimit(RLIMIT_FSIZE, &size);
}

[[noreturn]] void fail_at(std::string_view call) {
  std::string_view what;
  for (const Group& group : kGroups)
    if (fit(call, group.calls) == WordFit::whole) what = group.what;
  fail(ErrorKind::crash, fmt::format("the program calls {}{}, which the sandbox forbids; --no-sandbox lets it", call,
                                     what.empty() ? "" : fmt::format(" ({})", what)));
}

// The filter lets fork through, which is heddle's; also when the program has found its way into it.
void before_fork() {
  if (rt.current == nullptr) return;
  HostScope scope;
  fail_at("fork");
}

}  // namespace

std::string enter(bool network) {
  limit_files();
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const int landlock = enter_landlock(network);
  int error = load_filter_for_image();
  if (error == 0) error = Filter(network).load();
  if (error == 0) pthread_atfork(before_fork, nullptr, nullptr);
  is_entered = landlock != 0 || error == 0;
  const std::string and_landlock = landlock == 0 ? "no Landlock" : fmt::format("Landlock {}", landlock);
  if (error == 0) return fmt::format("sandbox: seccomp, {}", and_landlock);
  return fmt::format("sandbox: no seccomp ({}), {}: the program is {}", std::strerror(error), and_landlock,
                     landlock == 0 ? "kept from nothing" : "kept from files, but not from all else");
}

bool entered() { return is_entered; }

bool is_ours(int signal, const siginfo_t& info) {
  constexpr int kOfFilter = 1;  // SYS_SECCOMP, which the C library's headers do not have
  return signal == SIGSYS && info.si_code == kOfFilter;
}

void report(const siginfo_t& info) {
  HostScope scope;
  char* const name = seccomp_syscall_resolve_num_arch(info.si_arch, info.si_syscall);
  const std::string call = name != nullptr ? name : fmt::format("the system, number {}", info.si_syscall);
  std::free(name);
  fail_at(call);
}

}  // namespace heddle::sandbox
