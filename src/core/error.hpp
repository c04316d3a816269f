// Failures. `Error` is a failure of the program under test; `UserError` is a failure of the run itself
// that the user can mend (bad option, compile error, unsupported feature): exit status 2.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "core/ids.hpp"

namespace heddle {

enum class ErrorKind : uint8_t {
  assertion,
  race,
  memory,  // invalid, freed, out of bounds, uninitialised access; double or invalid free
  deadlock,
  livelock,
  mutex,      // misuse of a mutex, condition variable, semaphore, …
  exception,  // uncaught C++ exception
  crash,      // SIGSEGV, SIGFPE, abort, stack overflow
  exit,       // exit() or main's return with a status other than 0
  annotation,
  thread,    // misuse of a thread: joined twice, joined after a detach, …
  symmetry,  // threads that were to be exchanged cannot be
};

constexpr std::string_view name(ErrorKind k) {
  constexpr std::string_view names[] = {"assertion", "race",  "memory", "deadlock",   "livelock", "mutex",
                                        "exception", "crash", "exit",   "annotation", "thread",   "symmetry"};
  return names[static_cast<int>(k)];
}

// memory: what is wrong between the two parties.
enum class Clash : uint8_t {
  none,       // nothing that the message does not say
  unordered,  // the other party has ended the life of the memory, in no order with this use
  in_use,     // its life ends here, and the other party may still use it
  gone,       // the other party has ended it before this use
  twice,      // both end it
};

struct Error {
  ErrorKind kind = ErrorKind::assertion;
  std::string message;
  ThreadId thread = kNoThread;
  SiteId site = kNoSite;
  // The other party of a race or of a use after free, if any.
  ThreadId other_thread = kNoThread;
  SiteId other_site = kNoSite;
  Clash clash = Clash::none;
  uint32_t other_after = 0;  // how many events of the other thread come before what it does there
};

class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace heddle
