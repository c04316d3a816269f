// Random scripts for the fuzzer. Each has its own mixture: some are full of rmws, some of SC fences, some of locks.
#pragma once

#include <cstdint>

#include "machine/script/script.hpp"

namespace heddle::differential {

struct GenerateOptions {
  unsigned threads = 4;    // at most, besides main
  unsigned locations = 3;  // at most, besides mutexes
  unsigned accesses = 12;  // about, at most
  bool plain = true;       // plain accesses, in some scripts
  bool only_c = false;     // only what render_c can say, and mutexes only as POSIX allows
  bool awaits = false;     // rmws without results, and in half of the scripts many awaits of few locations
  bool meetings = false;   // threads meet (graph/meetings.hpp)
  bool symmetric = false;  // some threads run the same code, one created after the other
};

// The same script for the same seed.
Script generate(uint64_t seed, const GenerateOptions& = {});

}  // namespace heddle::differential
