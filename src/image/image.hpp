// A compiled program in memory: what the loader hands to the native machine. No LLVM in here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/condition.hpp"
#include "core/ids.hpp"
#include "core/site.hpp"
#include "core/value_type.hpp"

namespace heddle {

struct Image {
  struct Segment {  // writable data, put back at every restart
    std::byte* start = nullptr;
    std::size_t size = 0;
  };
  // A named piece of a global: "queue", "queue.head", "a[3]" come out of one Global by walking `type`.
  struct Type {
    std::string name;  // "struct node", "int"; for reports
    std::size_t size = 0;
    struct Member {
      std::string name;
      std::size_t offset;
      const Type* type;
    };
    std::vector<Member> members;    // of a struct or union
    const Type* element = nullptr;  // of an array
    ValueType value{};              // of a scalar
    bool bit_fields = false;        // several, in one memory location
  };
  struct Global {
    std::string name;
    Address address = 0;
    std::size_t size = 0;
    bool constant = false;
    const Type* type = nullptr;  // may be null
    bool guarded = false;        // kRedZone bytes that belong to nothing follow
  };
  static constexpr std::size_t kRedZone = 32;
  struct Tls {
    std::vector<std::byte> initial;  // contents at the start of a thread
    std::size_t align = 16;
    std::vector<Global> variables;  // what is where; address: offset in the block
  };
  struct Local {  // a local variable in a thread's arena
    SiteId site;  // of its block, and of no other variable
    std::string name;
    const Type* type = nullptr;  // may be null
  };
  struct Allocation {  // a call that allocates
    SiteId site;       // of its blocks, and of no other
    const Type* type;  // of what will be in them, or of one of several
  };
  static constexpr std::string_view kByPointer = "std::thread";  // a name: what the thread runs is in its state
  struct Function {
    std::string name;
    Address address = 0;            // so that a thread can be named after what it runs
    bool ignores_argument = false;  // the first
  };

  // What the library functions that the program calls need or do (library/table.hpp).
  struct Uses {
    bool tells_threads_apart = false;  // pthread_self, rand, …
    bool hazard_pointers = false;
    bool standard_streams = false;  // std::cout and its like
    bool futex_bits = false;        // futexes with bit sets
    bool futex_moves = false;       // futexes that move threads
    bool clocks = false;            // clocks, not only to say how long to wait
    bool unwinds = false;           // functions have destructors to call when their frames are left
    bool exit_handlers = false;     // atexit, or static objects with destructors
    bool undone_rounds = false;     // rounds that take back what they have added (frontend/loops/undone.hpp)
    bool waiting_loops = false;     // loops of which rounds may be left out

    Uses& operator|=(const Uses& other) {
      tells_threads_apart |= other.tells_threads_apart;
      hazard_pointers |= other.hazard_pointers;
      standard_streams |= other.standard_streams;
      futex_bits |= other.futex_bits;
      futex_moves |= other.futex_moves;
      clocks |= other.clocks;
      unwinds |= other.unwinds;
      exit_handlers |= other.exit_handlers;
      undone_rounds |= other.undone_rounds;
      waiting_loops |= other.waiting_loops;
      return *this;
    }
  };

  void* main = nullptr;
  unsigned main_parameters = 0;          // 0, 2 (argc, argv) or 3
  std::vector<void (*)()> constructors;  // in order, run by main's thread before main
  Uses uses;
  std::vector<Segment> writable;
  Tls tls;
  SiteTable sites;
  std::vector<Global> globals;
  std::vector<Local> locals;
  std::vector<Allocation> allocations;
  std::vector<Function> functions;              // by address
  bool looks = false;                           // some await is a recheck, or assumed (Action)
  std::vector<Condition::Compiled> conditions;  // of awaits, in the order of their numbers
  std::vector<std::unique_ptr<Type>> types;
  std::shared_ptr<void> keep_alive;  // owns the code
};

// What stands behind a function or variable that the program uses and does not define. The address is null if there is
// nothing.
struct Symbol {
  void* address = nullptr;
  Image::Uses uses;
  std::string refused;  // why the program may not use it, and what to do instead; empty: it is unknown
};

}  // namespace heddle
