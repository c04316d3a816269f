// Conditions on the value that a read finds, as code.
//
// A condition is a pure function of that value and of a few values that the thread knew before it read. The front end
// makes such functions of what the program does with the value (frontend/loops/conditions.hpp); the comparisons are
// there without a program. A condition is one object for each function and known values, so two are equal iff they have
// one address. Other processes know a function by its number, which is the same for the same program.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle {

struct Condition {
  using Function = bool (*)(uint64_t read, const uint64_t* known);

  // A function of a program, and how many values it knows.
  struct Compiled {
    Function function = nullptr;
    uint32_t known = 0;
  };

  static constexpr unsigned kMostKnown = 32;

  bool holds(uint64_t read) const { return function(read, known.data()); }

  Function function = nullptr;
  uint32_t number = 0;  // of the function
  std::vector<uint64_t> known;
};

// The bits of `mask` of the value read, compared with a number of these bits. Signed numbers are as wide as the mask.
enum class Comparison : uint8_t {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  signed_less,
  signed_less_equal,
  signed_greater,
  signed_greater_equal,
};
inline constexpr uint32_t kComparisons = 10;

class Conditions {
 public:
  Conditions();

  // The functions of a program, numbered from kComparisons on. What was there of another program is gone.
  void set_program(std::span<const Condition::Compiled> functions);
  uint32_t functions() const { return static_cast<uint32_t>(functions_.size()); }
  uint32_t known(uint32_t number) const { return functions_[number].known; }

  // Good for as long as this is there.
  const Condition* of(uint32_t number, std::span<const uint64_t> known);
  const Condition* of(Comparison c, uint64_t mask, uint64_t with) {
    const uint64_t known[] = {mask, with};
    return of(static_cast<uint32_t>(c), known);
  }

 private:
  std::vector<Condition::Compiled> functions_;
  std::deque<Condition> all_;
  std::unordered_multimap<uint64_t, const Condition*> by_hash_;
};

}  // namespace heddle
