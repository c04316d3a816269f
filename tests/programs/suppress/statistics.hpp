// Stands for a header of somebody else, with a race that does no harm.
#pragma once

namespace third {

struct Statistics {
  int hits = 0;

  void hit() { hits = hits + 1; }
  int seen() const { return hits; }
};

}  // namespace third
