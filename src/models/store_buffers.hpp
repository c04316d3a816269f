// What TSO and PSO share: coherence, and the global order ghb in which accesses reach memory.
//
// A new access e is po-last, so a cycle through it needs an edge out of e: co or rb to the co-successor n of the write
// that e follows or reads from. It closes iff n is in B, the events that reach e through the edges into e that the
// program makes (ppo, drained): by rf or co n would have reached n before, and by rb into a new write from a reader of
// the write before it likewise. B is closed under co-predecessors, so the writes that e may follow are those from the
// last one in B on; and, by coherence, from the last one that its own thread has seen.
//
// B is not closed under po, but in each thread, with the position of an access for its clock,
//   - the reads in it are all those up to one position;
//   - TSO: the writes in it are all those up to one position;
//   - PSO: the writes in it are all those up to one position, and single ones after it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/model.hpp"

namespace heddle {

template <bool kPso>
class StoreBuffers {
 public:
  static constexpr ModelKind kKind = kPso ? ModelKind::pso : ModelKind::tso;
  static constexpr Sync kSync = kSyncByMode;
  static constexpr bool kCoAcyclic = !kPso;

  uint32_t floor(const Graph& g, EventId e);
  bool admits(const Graph&, EventId) { return true; }

 private:
  // The part of B in one thread.
  struct Part {
    uint32_t reads = 0;       // all reads up to this position
    uint32_t writes = 0;      // all writes up to this position; never more than `reads`
    uint32_t reads_done = 0;  // those whose incoming edges have been followed
    uint32_t writes_done = 0;
  };

  void start(const Graph& g, EventId e);
  void close(const Graph& g);
  void include_reads(ThreadId t, uint32_t po);
  void include_all(ThreadId t, uint32_t po);
  void include_separated(const Graph& g, EventId w);
  void include_write(const Graph& g, EventId w);
  void visit_read_side(const Graph& g, EventId e);
  void visit_write(const Graph& g, EventId w);
  bool contains(const Graph& g, EventId w) const;

  std::vector<Part> parts_;
  bool grown_ = false;
  // PSO's single writes: those with the present stamp.
  std::vector<uint32_t> stamps_;
  uint32_t stamp_ = 0;
  std::vector<EventId> todo_;
};

extern template class StoreBuffers<false>;
extern template class StoreBuffers<true>;

}  // namespace heddle
