// Processes of this machine that explore work of a queue. They are copies of this one (fork), which does not explore
// but speaks to the queue for them: each has two pipes, and sees nothing else of the queue. One that dies loses what it
// has done since its last report; another copy takes its place.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "explore/share/slices.hpp"

namespace heddle {

class Team {
 public:
  Team(Machine& machine, const Request& request, const ExploreOnce& explore_once, WorkQueue& queue);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Works until `goes_on`, which is asked now and then, says no. `patience`: then, seconds for each process to report
  // what it has done.
  void run(unsigned processes, const std::function<bool(const Look&)>& goes_on,
           const std::function<double()>& patience);

 private:
  struct Member {
    int from = -1;  // pipes
    int to = -1;
    std::string token;  // of its lease
    bool waits = false;
  };

  void start_one();
  [[noreturn]] void be_copy(int from, int to, pid_t parent);
  void serve(double seconds);
  void answer(Member& member, const std::string& message);
  void give_work();
  bool bury(pid_t pid);
  void end_all(double patience);

  Machine& machine_;
  const Request& request_;
  const ExploreOnce& explore_once_;
  WorkQueue& queue_;
  Wishes* wishes_;
  void (*const pipe_signal_)(int);  // what SIGPIPE did before
  std::map<pid_t, Member> members_;
  unsigned idle_deaths_ = 0;  // one after the other, of processes that had no work
};

}  // namespace heddle
