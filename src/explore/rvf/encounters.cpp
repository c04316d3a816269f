#include "explore/rvf/encounters.hpp"

#include <algorithm>

#include "core/assert.hpp"

namespace heddle {

bool Encounters::operator()(const VscInstance& x, const Stand& a, const Stand& b, std::vector<VscId>& trace) {
  x_ = &x;
  a_ = a;
  b_ = b;
  positions_.assign(x.threads(), 0);
  active_.assign(x.vars(), kInitialWrite);
  done_.clear();
  states_.clear();
  if (!search()) return false;
  trace.clear();
  for (const Done& d : done_) trace.push_back(d.event);
  return true;
}

bool Encounters::is_there(const Stand& s) const {
  if (s.thread >= positions_.size() ? s.at_least != 0 : positions_[s.thread] < s.at_least) return false;
  return s.after == kNoVscEvent || positions_[(*x_)[s.after].thread] >= (*x_)[s.after].index;
}

bool Encounters::may_go(uint32_t t) const {
  if (positions_[t] >= x_->thread(t).size()) return false;
  return (t != a_.thread || positions_[t] < a_.at_most) && (t != b_.thread || positions_[t] < b_.at_most);
}

bool Encounters::executable(VscId e) const {
  for (uint32_t t = 0; t < positions_.size(); ++t) {
    if (t != (*x_)[e].thread && x_->before(e)[t] > positions_[t]) return false;
  }
  return !(*x_)[e].reads || std::ranges::binary_search(x_->good(e), active_[(*x_)[e].var]);
}

void Encounters::execute(VscId e) {
  const VscEvent& event = (*x_)[e];
  HEDDLE_ASSERT(event.index == positions_[event.thread] + 1);
  ++positions_[event.thread];
  done_.push_back({e, event.writes ? active_[event.var] : kNoVscEvent});
  if (event.writes) active_[event.var] = e;
}

void Encounters::undo(std::size_t n) {
  while (done_.size() > n) {
    const auto [e, replaced] = done_.back();
    done_.pop_back();
    --positions_[(*x_)[e].thread];
    if ((*x_)[e].writes) active_[(*x_)[e].var] = replaced;
  }
}

bool Encounters::search() {
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (uint32_t t = 0; t < positions_.size(); ++t) {
      if (!may_go(t)) continue;
      const VscId e = x_->thread(t)[positions_[t]];
      if ((*x_)[e].writes || !executable(e)) continue;
      execute(e);
      goes_on = true;
    }
  }
  if (is_there(a_) && is_there(b_)) return true;
  if (!states_.add(positions_, active_)) return false;
  const std::size_t size = done_.size();
  for (uint32_t t = 0; t < positions_.size(); ++t) {
    if (!may_go(t)) continue;
    const VscId e = x_->thread(t)[positions_[t]];
    if (!executable(e)) continue;
    execute(e);
    if (search()) return true;
    undo(size);
  }
  return false;
}

}  // namespace heddle
