// Ranges of addresses, and sets of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/assert.hpp"
#include "core/ids.hpp"

namespace heddle {

struct AddressRange {
  Address start = 0;
  uint64_t length = 0;

  Address end() const { return start + length; }
  friend bool operator==(const AddressRange&, const AddressRange&) = default;
};

inline bool meet(const AddressRange& a, const AddressRange& b) { return a.start < b.end() && b.start < a.end(); }

// A set of addresses, as ranges in order between which others lie.
class Ranges {
 public:
  // Whether something is new.
  bool add(AddressRange added) {
    HEDDLE_ASSERT(added.length != 0);
    const auto first = std::ranges::lower_bound(all_, added.start, {}, &AddressRange::end);
    if (first != all_.end() && first->start <= added.start && added.end() <= first->end()) return false;
    auto last = first;
    for (; last != all_.end() && last->start <= added.end(); ++last) {
      const Address end = std::max(added.end(), last->end());
      added.start = std::min(added.start, last->start);
      added.length = end - added.start;
    }
    all_.insert(all_.erase(first, last), added);
    ++changes_;
    return true;
  }
  bool meets(const AddressRange& r) const {
    const auto it = std::ranges::upper_bound(all_, r.start, {}, &AddressRange::end);
    return it != all_.end() && meet(*it, r);
  }

  std::span<const AddressRange> all() const { return all_; }
  uint64_t changes() const { return changes_; }
  void clear() {
    all_.clear();
    ++changes_;
  }

 private:
  std::vector<AddressRange> all_;
  uint64_t changes_ = 0;  // so far
};

}  // namespace heddle
