// Addresses to dense location ids. Shared by all graphs of a run; only grows.
#pragma once

#include <cstddef>
#include <vector>

#include "core/ids.hpp"

namespace heddle {

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
  Address address(LocId l) const { return addresses_[index(l)]; }
  std::size_t size() const { return addresses_.size(); }

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
};

}  // namespace heddle
