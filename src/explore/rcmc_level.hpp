// A configuration ⟨G, T⟩ of rcmc (RCMC Def. 4.1) with the choices that are left in it.
//
// The graph grows and shrinks at its end, and T with it. A revisit opens a new level, with a graph of its own; the
// levels below wait.
#pragma once

#include <vector>

#include "explore/replay.hpp"
#include "graph/graph.hpp"

namespace heddle::rcmc {

// A read that a write may revisit.
struct Optional {
  EventId read;
  bool exclusive;  // it would become so
  bool chosen;     // it is in K1
};

// A choice not yet explored: made at `event`, which is the last event that the choice keeps.
struct Item {
  enum Kind : uint8_t { kRead, kPlace, kRevisit, kChoice } kind;
  EventId event;
  EventId other = kNoEvent;  // kRead: the write; kPlace: the write to follow in co; kRevisit: the read that must change
  uint32_t choice = 0;       // kChoice
  std::size_t cleared = 0;   // of Level: how T was
  std::size_t optional = 0;  // kRevisit: where its reads begin in Level
  bool empty = false;        // kRevisit: K1 = ∅ is still to come
  bool fails = false;        // kRead: the read waits, and is an error in itself
};

class Level {
 public:
  static constexpr std::size_t kAcyclic = SIZE_MAX;

  explicit Level(Locations& locations) : graph(locations) {}

  Graph graph;  // with T: Event::revisitable
  History history;
  bool has_history = false;
  EventId write = kNoEvent;        // of the revisit that opened it
  std::vector<EventId> revisited;  // its reads
  std::size_t cyclic = kAcyclic;   // the first event with which psc has a cycle
  std::vector<Item> items;
  std::vector<Optional> optional;  // of all kRevisit items, one after the other

  // Forgets all but the graph. There are no items.
  void reset();
  // Notes a choice, with T as it is.
  void push(Item item);
  // Graph and T as they were when the item was noted.
  void back_to(const Item& item);

  // T \ {r}
  void clear(EventId r);
  // T \ dom(sbrf;[e])
  void clear_prefix(EventId e);

  // Whether no revisit can remove e, by the T that find_first_revisitable saw.
  bool stays(EventId e) const;
  void find_first_revisitable();

  // Chooses the next K1 of a kRevisit; false if there is none. Without a power set: the sets are closed under taking
  // subsets, so each step from one to the next is a set to be explored.
  bool next_subset(Item& item);
  // Whether anything is left of an item: of a kRevisit, another K1.
  bool has_more(const Item& item) const;

 private:
  bool fits(std::size_t begin, std::size_t n) const;

  std::vector<EventId> cleared_;  // reads that have left T, in this order
  std::vector<uint32_t> first_;   // per thread, the first revisitable read
};

}  // namespace heddle::rcmc
