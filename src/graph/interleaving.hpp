// Accesses of a graph that is an interleaving: a read reads from the co-last write, and a write becomes the co-last.
#pragma once

#include "graph/graph.hpp"

namespace heddle {

inline EventId add_last_store(Graph& g, ThreadId t, const Action& a) {
  const EventId w = g.add_store(t, a);
  g.place(w, g.co_last(g[w].loc));
  return w;
}

inline EventId add_last_read(Graph& g, ThreadId t, const Action& a) {
  return g.add_read(t, a, g.co_last(g.location(a.addr)));
}

// Adds the write of an rmw whose read is the last event of its thread.
inline EventId complete_last(Graph& g, EventId r) {
  const EventId w = g.add_exclusive_write(r);
  g.place(w, g.co_last(g[w].loc));
  return w;
}

}  // namespace heddle
