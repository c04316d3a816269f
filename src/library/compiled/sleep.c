// Sleeps that are told in memory how long, over one that is told in numbers: so it can be seen in a loop that what it
// sleeps between its rounds depends on nothing else (frontend/loops/pauses.cpp).
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <threads.h>
#include <time.h>

void __heddle_sleep(long seconds, long nanoseconds);
void __heddle_poll_files(void);

static int is_time(const struct timespec* time) {
  return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

int nanosleep(const struct timespec* time, struct timespec* rest) {
  (void)rest;  // no signal ends it early
  if (!is_time(time)) {
    errno = EINVAL;
    return -1;
  }
  __heddle_sleep(time->tv_sec, time->tv_nsec);
  return 0;
}

int thrd_sleep(const struct timespec* time, struct timespec* rest) {
  (void)rest;
  if (!is_time(time)) return -2;
  __heddle_sleep(time->tv_sec, time->tv_nsec);
  return 0;
}

int poll(struct pollfd* files, nfds_t count, int milliseconds) {
  (void)files;
  if (count != 0) __heddle_poll_files();
  if (milliseconds > 0) __heddle_sleep(milliseconds / 1000, milliseconds % 1000 * 1000000l);
  return 0;
}
