// What happens to a queue in Redis: one Lua script for each step, which the server runs as a whole or not at all.
//
// The keys of the queue NAME all begin with heddle:{NAME}: and expire when no process has used them for a day.
//
//   meta       hash: what the check is about (identity, words, bitcode), and for how long a lease is
//   owner      the check that has begun the exploration, while it lives
//   run        hash: the exploration: number, before, phase, counts, version of the settings, trouble
//   settings   list: all versions
//   marks      set (Part::marks)
//   bundles    hash: id → bundle
//   lost       hash: id → how often it was lost since it last got on
//   queue      list: ids of bundles that wait
//   lease      hash: token:id, token:version, token:number
//   deadlines  zset: token → when its lease ends, in milliseconds of the server's clock
//   idle       zset: a process that waits for work → when it said so
//   memory     hash: N:before, N:what
#pragma once

#include <string>

namespace heddle::redis {

struct Scripts {
  std::string open, look, begin, has_begun, claim, report, trouble, give_back, pause, finish;

  Scripts();
};

}  // namespace heddle::redis
