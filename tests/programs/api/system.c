// What the system says is fixed; what has no fixed answer is refused.
// $ heddle check system.c => verified, 1 executions
// $ heddle check system.c -- -DOTHER => exit 2, "sysconf(1) is not supported"
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  assert(sysconf(_SC_PAGESIZE) == 4096);
  assert(sysconf(_SC_NPROCESSORS_ONLN) > 0);
  errno = 0;
  assert(sysconf(-1) == -1 && errno == EINVAL);
  assert(getenv("PATH") == NULL && getenv("HOME") == NULL);
  assert(getpid() == getpid() && getpid() > 1 && getppid() != getpid());
#ifdef OTHER
  sysconf(_SC_CHILD_MAX);
#endif
  return 0;
}
