#include "explore/await/conflicts.hpp"

#include <algorithm>

namespace heddle {
namespace {

// The class of rmws that this one commutes with.
Effect class_of(RmwOp op) {
  switch (op) {
    case RmwOp::add:
    case RmwOp::sub: return Effect::add;
    case RmwOp::bor: return Effect::bor;
    case RmwOp::band: return Effect::band;
    case RmwOp::bxor: return Effect::bxor;
    default: return Effect::write;
  }
}

}  // namespace

Effect effect_of(const Action& a, Value found, bool commute) {
  switch (a.kind) {
    case ActionKind::load: return Effect::read;
    case ActionKind::store: return Effect::write;
    case ActionKind::cas: return found == a.expected ? Effect::write : Effect::read;
    case ActionKind::rmw: return commute && a.result_unused && a.await == Await::none ? class_of(a.op) : Effect::write;
    default: return Effect::none;
  }
}

ConflictOrder::ConflictOrder() { ensure_thread(kMain); }

void ConflictOrder::ensure_thread(ThreadId t) {
  if (index(t) < threads_.size()) return;
  threads_.resize(index(t) + 1);
  if (threads_.size() <= stride_) return;
  const std::size_t stride = stride_ * 2 > threads_.size() ? stride_ * 2 : threads_.size();
  std::vector<uint32_t> wide(steps_.size() * kRows * stride, 0);
  for (std::size_t r = 0; r < steps_.size() * kRows; ++r) {
    std::copy_n(clocks_.data() + r * stride_, stride_, wide.data() + r * stride);
  }
  clocks_ = std::move(wide);
  stride_ = stride;
}

void ConflictOrder::push(const Label& label) {
  const auto at = static_cast<Position>(steps_.size());
  if (label.creates != kNoThread) ensure_thread(label.creates);
  HEDDLE_ASSERT((label.loc == kNoLoc) == (label.effect == Effect::none));
  HEDDLE_ASSERT(label.thread == kMain || last(label.thread) != kNowhere);  // it has been created
  HEDDLE_ASSERT(label.joins == kNoThread || last(label.joins) != kNowhere);
  Thread& thread = threads_[index(label.thread)];
  Step& step = steps_.emplace_back();
  step.label = label;
  step.index = ++thread.count;
  step.before = thread.last;
  thread.last = at;
  if (clocks_.size() < steps_.size() * kRows * stride_) clocks_.resize(steps_.size() * kRows * stride_ * 2);

  uint32_t* const own = row(at, kOwn);
  if (step.before == kNowhere) {
    std::fill_n(own, stride_, 0);
  } else {
    std::copy_n(row(step.before, kOwn), stride_, own);
  }
  own[index(label.thread)] = step.index;
  if (label.creates != kNoThread) threads_[index(label.creates)].last = at;
  if (label.joins != kNoThread) join(own, row(threads_[index(label.joins)].last, kOwn));
  if (label.met.leaves) {
    for (const Position a : arrivals_) {
      if (awaited(steps_[a].label.met, label.met)) join(own, row(a, kOwn));
    }
  } else if (label.met.at != kNoLoc) {
    arrivals_.push_back(at);
  }
  if (label.loc == kNoLoc) return;

  if (index(label.loc) >= locs_.size()) locs_.resize(index(label.loc) + 1, kNowhere);
  step.loc_prev = locs_[index(label.loc)];
  locs_[index(label.loc)] = at;
  const bool joins_run = step.loc_prev != kNowhere && !conflict(steps_[step.loc_prev].label, label);
  step.run_first = joins_run ? steps_[step.loc_prev].run_first : at;
  if (const Position before = run_before(at); before != kNowhere) join(own, row(before, kRun));
  std::copy_n(own, stride_, row(at, kRun));
  if (joins_run) join(row(at, kRun), row(step.loc_prev, kRun));
}

void ConflictOrder::cut(std::size_t n) {
  HEDDLE_ASSERT(n <= steps_.size());
  while (steps_.size() > n) {
    const Step& step = steps_.back();
    Thread& thread = threads_[index(step.label.thread)];
    HEDDLE_ASSERT(thread.last + 1 == steps_.size() && thread.count == step.index);
    HEDDLE_ASSERT(step.label.loc == kNoLoc || last(step.label.loc) + 1 == steps_.size());
    --thread.count;
    thread.last = step.before;
    if (step.label.creates != kNoThread) threads_[index(step.label.creates)].last = kNowhere;
    if (!arrivals_.empty() && arrivals_.back() + 1 == steps_.size()) arrivals_.pop_back();
    if (step.label.loc != kNoLoc) locs_[index(step.label.loc)] = step.loc_prev;
    steps_.pop_back();
  }
}

}  // namespace heddle
