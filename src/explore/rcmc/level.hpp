// A configuration ⟨G, T⟩ of rcmc (RCMC Def. 4.1) with the choices that are left in it. The graph grows and shrinks at
// its end, and T with it.
#pragma once

#include <vector>

#include "explore/kernel/kernel.hpp"

namespace heddle {

// A read that a write may revisit.
struct RcmcOptional {
  EventId read;
  bool exclusive;  // it would become so
  bool chosen;     // it is in K1
};

// A choice not yet explored: made at `event`, which is the last event that the choice keeps.
struct RcmcItem {
  ItemKind kind = ItemKind::read;
  EventId event = kNoEvent;
  EventId other = kNoEvent;  // read: the write; place: the write to follow in co; revisit: the read that must change
  uint32_t choice = 0;       // choice: the result
  std::size_t cleared = 0;   // of the level: how T was
  std::size_t optional = 0;  // revisit: where its reads begin in the level
  bool empty = false;        // revisit: K1 = ∅ is still to come
  bool fails = false;        // read: the read waits, and is an error in itself
  bool given = false;        // another process explores it
};

class RcmcLevel : public LevelOf<RcmcItem> {
 public:
  static constexpr std::size_t kAcyclic = SIZE_MAX;

  using LevelOf::LevelOf;

  EventId write = kNoEvent;            // of the revisit that opened it
  std::size_t cyclic = kAcyclic;       // the first event with which psc has a cycle
  std::vector<RcmcOptional> optional;  // of all revisits among the items, one after the other

  // Forgets all but the graph, where T is Event::revisitable. There are no items.
  void reset();
  // Notes a choice, with T as it is.
  void push(RcmcItem item);
  // The latest choice, with graph and T as they were when it was noted. It is taken off, but for a revisit: that one
  // stays, with its next K1 chosen, until there is none. False if there is nothing to explore.
  bool take(RcmcItem& item);

  // Whether anything is left, of an item or of all: of a revisit, another K1.
  bool has_more(const RcmcItem& item) const;
  bool has_more() const;

  // T \ {r}
  void clear(EventId r);
  // T \ dom(sbrf;[e])
  void clear_prefix(EventId e);

  // Whether no revisit can remove e, by the T that find_first_revisitable saw.
  bool stays(EventId e) const;
  void find_first_revisitable();

  // T as it was when the item was noted, in a copy of the graph.
  void restore(const RcmcItem& item, Graph& copy) const;
  void save(std::size_t i, Writer& out) const;
  void load(Reader& in);

 private:
  // Chooses the next K1 of a revisit; false if there is none. Without a power set: the sets are closed under taking
  // subsets, so each step from one to the next is a set to be explored.
  bool next_subset(RcmcItem& item);
  bool fits(std::size_t begin, std::size_t n) const;
  std::size_t end_of_optional(std::size_t i) const;

  std::vector<EventId> cleared_;  // reads that have left T, in this order
  std::vector<uint32_t> first_;   // per thread, the first revisitable read
};

}  // namespace heddle
