// Addresses to dense location ids, and sequences of reads to ids. Shared by all graphs of a run; only grows.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "core/assert.hpp"
#include "core/ids.hpp"
#include "core/mode.hpp"

namespace heddle {

// A read that is left out, of an operation that others may help with.
struct LeftOutRead {
  LocId loc;
  Mode mode;
  bool guarded;  // see Action
  friend auto operator<=>(const LeftOutRead&, const LeftOutRead&) = default;
};

class Locations {
 public:
  Locations() : slots_(256) {}

  LocId operator()(Address addr) {
    for (std::size_t i = hash(addr);; ++i) {
      Slot& slot = slots_[i & (slots_.size() - 1)];
      if (slot.loc == kNoLoc) return insert(slot, addr);
      if (slot.addr == addr) return slot.loc;
    }
  }
  LocId find(Address addr) const {
    for (std::size_t i = hash(addr);; ++i) {
      const Slot& slot = slots_[i & (slots_.size() - 1)];
      if (slot.loc == kNoLoc || slot.addr == addr) return slot.loc;
    }
  }
  Address address(LocId l) const {
    HEDDLE_ASSERT(index(l) < addresses_.size());
    return addresses_[index(l)];
  }
  std::size_t size() const { return addresses_.size(); }
  uint64_t next_serial() { return ++serial_; }

  // 0 for none.
  uint32_t sequence(const std::vector<LeftOutRead>& reads) {
    if (reads.empty()) return 0;
    const auto [it, is_new] = ids_.emplace(reads, static_cast<uint32_t>(sequences_.size() + 1));
    if (is_new) sequences_.push_back(&it->first);
    return it->second;
  }
  std::span<const LeftOutRead> sequence(uint32_t id) const {
    HEDDLE_ASSERT(id <= sequences_.size());
    return id == 0 ? std::span<const LeftOutRead>() : *sequences_[id - 1];
  }

 private:
  struct Slot {
    Address addr = 0;
    LocId loc = kNoLoc;
  };

  static std::size_t hash(Address addr) { return (addr * 0x9e3779b97f4a7c15ull) >> 20; }

  LocId insert(Slot& slot, Address addr) {
    const auto loc = LocId(addresses_.size());
    addresses_.push_back(addr);
    slot = {addr, loc};
    if (addresses_.size() * 2 > slots_.size()) grow();
    return loc;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, {});
    for (std::size_t n = 0; n < addresses_.size(); ++n) {
      std::size_t i = hash(addresses_[n]);
      while (slots_[i & (slots_.size() - 1)].loc != kNoLoc) ++i;
      slots_[i & (slots_.size() - 1)] = {addresses_[n], LocId(n)};
    }
  }

  std::vector<Slot> slots_;
  std::vector<Address> addresses_;
  uint64_t serial_ = 0;
  std::map<std::vector<LeftOutRead>, uint32_t> ids_;
  std::vector<const std::vector<LeftOutRead>*> sequences_;
};

}  // namespace heddle
