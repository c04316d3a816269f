#include "report/relations.hpp"

#include <algorithm>
#include <map>

#include "core/assert.hpp"

namespace heddle {
namespace {

using Steps = std::vector<std::size_t>;

class Relating {
 public:
  Relating(const Trace& trace, bool has_co) : steps_(trace.steps), has_co_(has_co) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      HEDDLE_ASSERT(steps_[i].rf < static_cast<int>(i));  // the order respects rf
      threads_[steps_[i].thread].push_back(i);
      if (steps_[i].written && steps_[i].co != 0) writes_[steps_[i].action.addr].push_back(i);
    }
    for (auto& [address, writes] : writes_) std::ranges::sort(writes, {}, [&](std::size_t i) { return steps_[i].co; });
  }

  Relations all() const {
    Relations out;
    for (const auto& [thread, steps] : threads_) {
      for (std::size_t i = 1; i < steps.size(); ++i) out.po.push_back({steps[i - 1], steps[i]});
      for (std::size_t i = 0; i < steps.size(); ++i) add_hb(out.hb, steps[i], i == 0 ? nullptr : &steps_[steps[i - 1]]);
    }
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (steps_[i].rf >= 0) out.rf.push_back({static_cast<std::size_t>(steps_[i].rf), i});
    if (!has_co_) return out;
    for (const auto& [address, writes] : writes_)
      for (std::size_t i = 1; i < writes.size(); ++i) out.co.push_back({writes[i - 1], writes[i]});
    for (std::size_t i = 0; i < steps_.size(); ++i) add_fr(out.fr, i);
    return out;
  }

 private:
  // The last step of another thread that happens before `step`; none if there is none.
  const std::size_t* last_before(const TraceStep& step, ThreadId thread, const Steps& steps) const {
    if (index(thread) >= step.hb.size()) return nullptr;
    const auto after =
        std::ranges::upper_bound(steps, step.hb[index(thread)], {}, [&](std::size_t i) { return order_in_thread(i); });
    return after == steps.begin() ? nullptr : &*std::prev(after);
  }
  // A step that was not performed has no position: it is the last of its thread.
  uint32_t order_in_thread(std::size_t i) const { return steps_[i].position == 0 ? UINT32_MAX : steps_[i].position; }

  void add_hb(std::vector<Edge>& out, std::size_t at, const TraceStep* before) const {
    const TraceStep& step = steps_[at];
    Steps found;
    for (const auto& [thread, steps] : threads_) {
      if (thread == step.thread) continue;
      const std::size_t* const last = last_before(step, thread, steps);
      if (last != nullptr && (before == nullptr || !happens_before(steps_[*last], *before))) found.push_back(*last);
    }
    for (const std::size_t a : found) {
      const bool implied =
          std::ranges::any_of(found, [&](std::size_t b) { return happens_before(steps_[a], steps_[b]); });
      if (!implied) out.push_back({a, at});
    }
  }

  void add_fr(std::vector<Edge>& out, std::size_t at) const {
    const TraceStep& read = steps_[at];
    if (!read.read || !is_read(read.action.kind)) return;
    const auto writes = writes_.find(read.action.addr);
    if (writes == writes_.end()) return;
    const uint32_t seen = read.rf < 0 ? 0 : steps_[read.rf].co;
    const auto next = std::ranges::find_if(writes->second, [&](std::size_t i) { return steps_[i].co > seen; });
    if (next != writes->second.end() && *next != at) out.push_back({at, *next});
  }

  const std::vector<TraceStep>& steps_;
  const bool has_co_;
  std::map<ThreadId, Steps> threads_;
  std::map<Address, Steps> writes_;  // in the order of co
};

}  // namespace

Relations relations_of(const Trace& trace, bool has_co) { return Relating(trace, has_co).all(); }

bool has_coherence(const std::string& model) { return model != "wrc11"; }

}  // namespace heddle
