#include "frontend/loops/region.hpp"

#include <llvm/Analysis/CFG.h>

#include <algorithm>

namespace heddle::frontend {

using namespace llvm;

namespace {

constexpr unsigned kMostBlocks = 100;  // on the ways

}  // namespace

// In reverse post-order. Of a cycle, some edge goes back then.
void Region::find(const BasicBlock& start, function_ref<bool(const BasicBlock&)> ends) {
  SmallVector<std::pair<BasicBlock*, unsigned>> open{{const_cast<BasicBlock*>(&start), 0}};
  SmallPtrSet<const BasicBlock*, 16> seen{&start};
  while (!open.empty()) {
    auto& [block, next] = open.back();
    if (next < succ_size(block) && !ends(*block)) {
      BasicBlock* to = *(succ_begin(block) + next++);
      const bool inside = !comes_to_cut(*to) && (!way_.loop || way_.loop->contains(to));
      if (!inside || !seen.insert(to).second) continue;
      if (seen.size() > kMostBlocks) {
        too_large_ = true;
        return;
      }
      open.emplace_back(to, 0);
      continue;
    }
    blocks_.push_back(block);
    open.pop_back();
  }
  std::reverse(blocks_.begin(), blocks_.end());
  for (unsigned n = 0; n < blocks_.size(); ++n) number_[blocks_[n]] = n + 1;
}

}  // namespace heddle::frontend
