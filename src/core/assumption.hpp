// What an exploration takes for granted, by name, and that one of these things does not hold.
#pragma once

#include <cstdint>
#include <string>

#include "core/ids.hpp"

namespace heddle {

// machine/assumptions.hpp says what each means, explore/restarts.cpp (drop) in which order they are dropped.
enum class Assumption : uint8_t {
  twins,
  plain,
  spins,
  suppressed,
  passing,
  own,
  undone,
  taken_back,
  looks,
  left_out,
  arrivals,
  rounds
};
inline constexpr uint64_t kAssumptions = static_cast<uint64_t>(Assumption::rounds) + 1;

// An exploration has met something that the assumption excludes.
struct Broken {
  Assumption what;
  SiteId site = kNoSite;  // rounds: the loop
  std::string why{};      // twins: what tells them apart
  bool ends = true;       // the exploration was given up for it

  friend bool operator==(const Broken&, const Broken&) = default;
};

// What is taken for granted of a look, a read of which the thread makes sure later that it still holds
// (explore/spore/rechecks.hpp).
enum class Looks : uint8_t {
  last,  // it holds as long as its value does, and what is written once stays as it is
  hold,  // it holds as long as its value does
  open,  // nothing
};

// What becomes of races with rounds of waiting loops that are left out (explore/judge/earlier_rounds.hpp).
enum class LeftOut : uint8_t {
  harmless,  // none is lost
  ordered,   // it is assumed that who depends on the end of a loop knows of it in hb
  watched,   // it is assumed that none is lost, since such rounds read nothing of which somebody depends so
  shown,     // each thread may do one such round
};

// Whether trylocks see mutexes that a thread holds in a round of a loop that changes nothing.
enum class Passing : uint8_t {
  unseen,       // such rounds are left out
  may_be_seen,  // they are left out, and a trylock may fail as if it had met one: more than the program can do
  seen,         // they are rounds like others
};

}  // namespace heddle
