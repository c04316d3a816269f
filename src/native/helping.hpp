// Operations that others may help with: heddle_helped and heddle_helping of heddle.h (SPORE §2.3).
//
// The body of such an operation is rehearsed first: its reads return what is in memory, its cas "succeeds", nothing
// is an action, and what it would do is noted. That works because neither the locations nor the expected value may
// depend on what it reads; a second rehearsal with other values makes sure of that. Then one action, `help`, tells the
// explorer. A helped operation is done for good afterwards; a helping one is not.
#pragma once

#include "native/hazards.hpp"

namespace heddle::helping {

struct Access {
  Address address;
  unsigned size;
  Mode mode = Mode::na;  // of a read
};

// The body that is being rehearsed. No other thread runs meanwhile.
struct Body {
  HostVector<Access> reads;
  bool has_cas = false;
  Access cas{};
  Value expected;
  Value desired;
  Value desired_again;
  AtomicOrder order{};
  // The second time, with other values read.
  bool again = false;
  std::size_t reads_again = 0;
  bool cas_again = false;
};

struct State {
  bool used = false;  // in this execution; else no cas is due
  Body body;
  PerThread<HostVector<HelpRead>> reads;  // of a thread's pending help
  PerThread<Address> cas_due;             // of the helped operation that a thread is doing; 0: none
  PerThread<HostVector<Access>> skipped;  // what a thread would have read in the place of its pending help
};
extern State state;

// The parts of such an operation, in the order in which the program calls them (heddle.h). begin says whether the body
// is to be rehearsed.
bool begin();
void again();
void helped_end();
void helped_done();
void helping_end();

// Back to the state before main, of the threads in rt.threads.
void reset();
// The lists of reads may have moved: pending actions point to them.
void find_reads();

}  // namespace heddle::helping
