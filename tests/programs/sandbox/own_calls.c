// A program that makes system calls by itself: heddle refuses the instruction in assembly, so it is hidden in a number,
// into which the program jumps.
// $ heddle check own_calls.c -- -DCALL=getpid() => verified, 1 executions
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(2, 1, 0, SYS_socket)" => error crash here, "calls socket (network), which the sandbox forbids; --no-sandbox lets it"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(AT_FDCWD, (long)name, O_CREAT | O_WRONLY, SYS_openat)" => error crash here, "calls openat (writes to files)"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call((long)name, O_RDWR, 0, SYS_open)" => error crash here, "calls open (writes to files)"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call((long)name, O_TRUNC, 0, SYS_open)" => error crash here, "calls open (writes to files)"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call((long)name, 0, 0, SYS_unlink)" => error crash here, "calls unlink (writes to files)"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(0, 0, 0, SYS_fork)" => error crash here, "calls fork (other processes)"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(SIGCHLD, 0, 0, SYS_clone)" => error crash here, "calls clone (other processes)"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(0x1200011, 0, 0, SYS_clone)" => error crash here, "calls clone (other processes)"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call((long)\"/bin/true\", 0, 0, SYS_execve)" => error crash here, "calls execve (other processes)"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(getppid(), SIGKILL, 0, SYS_kill)" => error crash here, "calls kill (other processes)"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(0, 0, 0, SYS_ptrace)" => error crash here, "calls ptrace (other processes)"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(0, 0, 0, SYS_exit_group)" => error crash here, "calls exit_group (the end of the process)"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(0, 0, 0, SYS_mount)" => error crash here, "calls mount (the system itself)"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(0, TIOCSTI, (long)name, SYS_ioctl)" => error crash here, "calls ioctl (the system itself)"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(0, 0, 0, 0x40000000 | SYS_write)" => error crash here, "the sandbox forbids"
// x86_64: $ heddle orders own_calls.c -- "-DCALL=call(2, 1, 0, SYS_socket)" => exit 1, "calls socket (network)"
// x86_64: $ heddle estimate own_calls.c -- "-DCALL=call(2, 1, 0, SYS_socket)" => exit 0, "There are errors"
// The same calls, of the real system:
// x86_64: $ heddle check --no-sandbox own_calls.c -- "-DCALL=call(2, 1, 0, SYS_socket)" => verified, 1 executions
// x86_64: $ heddle check --no-sandbox own_calls.c -- "-DCALL=call((long)name, O_CREAT | O_WRONLY, 0600, SYS_open) > 0 && call((long)name, 0, 0, SYS_unlink) == 0" => verified, 1 executions
// x86_64: $ heddle check --no-sandbox own_calls.c -- "-DCALL=(other = call(0, 0, 0, SYS_fork)) ? other : call(0, 0, 0, SYS_exit_group)" => verified, 1 executions
// x86_64: $ heddle check --no-sandbox own_calls.c -- "-DCALL=call(getppid(), 0, 0, SYS_kill) + 1" => verified, 1 executions
// x86_64: $ heddle check --no-sandbox own_calls.c -- "-DCALL=call((long)\"/no/such\", 0, 0, SYS_execve) == -2" => verified, 1 executions
// What harms nobody is allowed.
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(0, 0, 0, SYS_getpid)" => verified, 1 executions
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(CLOCK_MONOTONIC, (long)&now, 0, SYS_clock_gettime) == 0 && now.tv_sec >= 0" => verified, 1 executions
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(2, (long)name, 4, SYS_write) == 4" => verified, 1 executions, "file"
// x86_64: $ heddle check own_calls.c -- "-DCALL=call((long)\"own_calls.c\", O_RDONLY, 0, SYS_open)" => verified, 1 executions
// x86_64: $ heddle check own_calls.c -- "-DCALL=call((long)name, O_RDONLY, 0, SYS_open) == -2" => verified, 1 executions
// No core files are left behind.
// x86_64: $ heddle check own_calls.c -- "-DCALL=call(RLIMIT_CORE, (long)&limit, 0, SYS_getrlimit) == 0 && limit.rlim_max == 0" => verified, 1 executions
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define getppid() call(0, 0, 0, SYS_getppid)
const char name[] = "file that is not there";
struct timespec now;
long other;
struct rlimit limit;

// mov %rcx, %rax; syscall; ret
__attribute__((noinline)) static long hidden(void) { return (long)0x9090c3050fc88948; }

#define call ((long (*)(long, long, long, long))(void *)((char *)hidden + 2))

int main(void) {
  const long result = CALL;  // here
  assert(result > 0);
  (void)hidden;
  return 0;
}
