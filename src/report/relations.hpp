// The relations of a shown execution as edges between its steps, few enough to be drawn.
#pragma once

#include <vector>

#include "core/result.hpp"

namespace heddle {

// From one step of the trace to another.
struct Edge {
  std::size_t from;
  std::size_t to;
};

struct Relations {
  std::vector<Edge> po;  // from each step to the next of its thread
  std::vector<Edge> rf;  // from a write to its readers, other than the initial one
  std::vector<Edge> co;  // from each write to the next of its place
  std::vector<Edge> fr;  // from a read to the write that comes next in co after the one that it reads
  std::vector<Edge> hb;  // between threads; what follows from others and from po is left out
};

// `has_co`: whether the memory model has a coherence order; else co and fr stay empty.
Relations relations_of(const Trace& trace, bool has_co);

// Whether the model of this name has one.
bool has_coherence(const std::string& model);

}  // namespace heddle
