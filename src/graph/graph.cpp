#include "graph/graph.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "graph/rows.hpp"

namespace heddle {
namespace {

bool is_weak(const Event& e) { return !is_sc(e.mode_success) || !is_sc(e.mode_failure); }

EventKind kind_of(ActionKind k) {
  switch (k) {
    case ActionKind::fence: return EventKind::fence;
    case ActionKind::create: return EventKind::create;
    case ActionKind::join: return EventKind::join;
    case ActionKind::exit: return EventKind::exit;
    case ActionKind::free: return EventKind::free;
    case ActionKind::help: return EventKind::help;
    case ActionKind::arrive: return EventKind::arrive;
    case ActionKind::leave: return EventKind::leave;
    case ActionKind::look: return EventKind::look;
    default: return EventKind::choice;
  }
}

// Whether two events with the same place in their threads are the same but for the names of the threads.
bool same_label(const Event& a, const Event& b) {
  if (a.kind != b.kind || a.own != b.own || a.type != b.type) return false;
  if (a.is_write() && a.exclusive != b.exclusive) return false;
  return a.own != 0 || a.loc == b.loc;
}

// Whether twins that have done a and b are still alike. What a thread does in memory of its own, before it publishes
// the address, makes no difference to other threads. Writes that other threads can see are ordered, and the threads
// with them.
bool alike(const Event& a, const Event& b) {
  switch (a.kind) {
    case EventKind::read: return a.own != 0 || a.rf == b.rf;
    case EventKind::write: return a.own != 0;
    case EventKind::join: return a.child == b.child;
    case EventKind::choice: return a.value == b.value;
    case EventKind::arrive:
    case EventKind::leave:
    case EventKind::look: return a.value == b.value && a.operand == b.operand && a.expected == b.expected;
    case EventKind::create: return false;  // the children are not alike
    default: return true;
  }
}

}  // namespace

void Graph::clear() {
  for (const LocId l : touched_) locs_[index(l)] = {};
  touched_.clear();
  meetings_.clear();
  events_.clear();
  for (auto& events : threads_) events.clear();
  std::fill(created_by_.begin(), created_by_.end(), kNoEvent);
  std::fill(twins_.begin(), twins_.end(), kNoThread);
  twin_count_ = help_count_ = 0;
  sc_accesses_ = weak_accesses_ = sc_fences_ = 0;
  ensure_thread(kMain);
}

void Graph::ensure_thread(ThreadId t) {
  if (index(t) < threads_.size()) return;
  threads_.resize(index(t) + 1);
  created_by_.resize(index(t) + 1, kNoEvent);
  twins_.resize(index(t) + 1, kNoThread);
  constexpr std::size_t kMany = 32;  // of so many threads, more will come
  const std::size_t more = threads_.size() > kMany ? threads_.size() / 2 : 0;
  if (threads_.size() > stride_) widen(padded(threads_.size() + more));
}

void Graph::widen(std::size_t stride) {
  HEDDLE_ASSERT(stride > stride_ && stride >= threads_.size() && stride % kRowLanes == 0);
  std::vector<uint32_t> wide(events_.size() * kRows * stride, 0);
  for (std::size_t r = 0; r < events_.size() * kRows; ++r) {
    copy_row(wide.data() + r * stride, clocks_.data() + r * stride_, stride_);
  }
  clocks_ = std::move(wide);
  ++clocks_moved_;
  stride_ = stride;
}

// For the clocks of all events.
void Graph::make_room() {
  if (clocks_.size() >= events_.size() * kRows * stride_) [[likely]]
    return;
  clocks_.resize(events_.size() * kRows * stride_ * 2);
  ++clocks_moved_;
}

bool Graph::open(EventId r) const {
  const Event& e = (*this)[r];
  return e.is_read() && e.exclusive && last(e.thread) == r;
}

Event& Graph::append(ThreadId t, EventKind kind, Mode mode) {
  const auto id = EventId(events_.size());
  auto& thread = threads_[index(t)];
  HEDDLE_ASSERT(t == kMain || created_by_[index(t)] != kNoEvent);
  HEDDLE_ASSERT(thread.empty() || !events_[index(thread.back())].blocked);
  HEDDLE_ASSERT(thread.empty() || events_[index(thread.back())].kind != EventKind::exit);
  HEDDLE_ASSERT(thread.empty() || !open(thread.back()) || kind == EventKind::write);
  Event& e = events_.emplace_back();
  e.kind = kind;
  e.mode = e.mode_success = e.mode_failure = mode;
  e.thread = t;
  if (!thread.empty()) e.release_fence = events_[index(thread.back())].release_fence;
  thread.push_back(id);
  e.po = static_cast<uint32_t>(thread.size());
  make_room();
  return e;
}

// Finds the event that is symb-before e: the one of its twin with the same place, if the two threads were alike so far.
// By leftmost scheduling it is there already.
void Graph::match(EventId id) {
  Event& e = events_[index(id)];
  const ThreadId twin = twins_[index(e.thread)];
  if (twin == kNoThread || threads_[index(twin)].size() < e.po) return;
  if (e.po > 1) {
    const Event& before = events_[index(event(e.thread, e.po - 1))];
    if (before.symb == kNoEvent || !alike(before, events_[index(before.symb)])) return;
  }
  const EventId other = event(twin, e.po);
  if (same_label(e, events_[index(other)])) e.symb = other;
}

bool Graph::would_overtake(ThreadId t) const {
  const ThreadId twin = twins_[index(t)];
  const std::size_t po = thread(t).size();
  if (twin == kNoThread || thread(twin).size() > po) return false;
  if (po == 0) return true;
  const Event& before = (*this)[last(t)];
  return before.symb != kNoEvent && alike(before, (*this)[before.symb]);
}

// If e is the read of an rmw, its write; a look, and what is read after it, count as the read that confirms it. The
// paper puts only the read before the twin's read r, and then may keep it without its write in a revisit, so that
// executions are lost. The write w is before r all the same: since symb;eco is irreflexive, r reads from w or later in
// co. (Or, if r is a look, what its twin has read; then its own cas comes to nothing.)
EventId Graph::end_of_rmw(EventId e) const {
  const auto events = thread((*this)[e].thread);
  for (std::size_t next = (*this)[e].po; next < events.size(); ++next) {
    const Event& event = (*this)[events[next]];
    if (event.is_write() && event.exclusive && events[next - 1] == e) return events[next];
    if (!event.is_read()) break;
    if (!event.confirms) continue;
    const EventId look = look_of(events[next]);
    if (look != kNoEvent && (*this)[look].po <= (*this)[e].po) e = events[next];
  }
  return e;
}

EventId Graph::look_of(EventId c) const {
  HEDDLE_ASSERT((*this)[c].confirms);
  const auto events = thread((*this)[c].thread);
  for (std::size_t i = (*this)[c].po - 1; i-- > 0 && (*this)[events[i]].is_read();) {
    if ((*this)[events[i]].loc == (*this)[c].loc) return events[i];
  }
  return kNoEvent;
}

void Graph::start_clocks(EventId e) {
  const Event& event = events_[index(e)];
  const EventId before = predecessor(e);
  uint32_t* const hb = row(e, kHb);  // cb comes next
  if (before == kNoEvent) {
    std::fill_n(hb, 2 * stride_, 0);
  } else {
    copy_row(hb, row(before, kHb), 2 * stride_);
  }
  hb[index(event.thread)] = hb[stride_ + index(event.thread)] = event.po;
  if (event.symb != kNoEvent) max_row(row(e, kCb), row(end_of_rmw(event.symb), kCb), stride_);
}

void Graph::join_clocks(EventId e, EventId other) {
  max_row(row(e, kHb), row(other, kHb), stride_);
  max_row(row(e, kCb), row(other, kCb), stride_);
}

// The event e synchronises with what r reads.
void Graph::acquire(EventId e, EventId r) {
  if (const Prefix view = acquired(r); !view.empty()) max_row(row(e, kHb), view.data(), stride_);
}

// (rf ; [R⊒rlx] ; po ; [F⊒acq]): all atomic reads since the last acquire fence, whose effect hb already has.
void Graph::acquire_fence(EventId e) {
  const auto& thread = threads_[index(events_[index(e)].thread)];
  for (std::size_t i = thread.size() - 1; i-- > 0;) {
    const Event& before = events_[index(thread[i])];
    if (before.kind == EventKind::fence && is_acquire(before.mode)) break;
    if (before.is_read() && is_atomic(before.mode) && before.rf != kInit) acquire(e, thread[i]);
  }
}

const uint32_t* Graph::release_view(EventId w) const {
  const Event& e = events_[index(w)];
  if (e.release == kNoEvent) return nullptr;
  return row(e.release, e.release_row ? kRelease : kHb);
}

// What an acquire read of w synchronises with: w itself if it is a release, else a release fence before it, and for an
// exclusive write also what the write that it follows in the release sequence offers.
void Graph::set_release(EventId w) {
  Event& e = events_[index(w)];
  e.release_row = false;
  e.release = !is_atomic(e.mode) ? kNoEvent : sync_.releases(e.mode) ? w : e.release_fence;
  if (!e.exclusive) return;
  const EventId head = events_[index(predecessor(w))].rf;
  if (head == kInit || events_[index(head)].release == kNoEvent) return;
  const Event& inherited = events_[index(head)];
  if (e.release == kNoEvent) {
    e.release = inherited.release;
    e.release_row = inherited.release_row;
    return;
  }
  uint32_t* own = row(w, kRelease);
  copy_row(own, row(e.release, kHb), stride_);
  max_row(own, release_view(head), stride_);
  e.release = w;
  e.release_row = true;
}

void Graph::set_base(LocId l, Value base) {
  if (index(l) >= locs_.size()) locs_.resize(std::max(index(l) + 1, locs_.size() * 2));
  locs_[index(l)].base = base;
}

void Graph::enter_location(EventId e, LocId l) {
  HEDDLE_ASSERT(index(l) < locs_.size());  // set_base comes first
  Loc& loc = locs_[index(l)];
  if (!loc.touched) {
    loc.touched = true;
    touched_.push_back(l);
  }
  Event& event = events_[index(e)];
  event.loc = l;
  event.loc_prev = loc.accesses;
  if (of_others_.size() < events_.size()) {
    of_others_.resize(events_.capacity());
    serials_.resize(events_.capacity());
  }
  const bool own = loc.accesses != kNoEvent && events_[index(loc.accesses)].thread == event.thread;
  of_others_[index(e)] = own ? of_others_[index(loc.accesses)] : loc.accesses;
  serials_[index(e)] = locations_->next_serial();
  loc.accesses = e;
  loc.plain |= event.mode == Mode::na;
  weak_accesses_ += is_weak(event);
}

void Graph::count_sc(const Event& e, int by) {
  if (e.mode != Mode::sc) return;
  if (e.kind == EventKind::fence) {
    sc_fences_ += by;
  } else if (e.is_access()) {
    sc_accesses_ += by;
  }
}

EventId Graph::add_read(ThreadId t, const Action& action, EventId rf) {
  const LocId l = location(action.addr);
  HEDDLE_ASSERT(is_read(action.kind));
  HEDDLE_ASSERT(rf == kInit || ((*this)[rf].is_write() && (*this)[rf].loc == l));
  const auto id = EventId(events_.size());
  Event& e = append(t, EventKind::read, read_part(action.mode));
  e.type = action.kind == ActionKind::load  ? ReadType::load
           : action.kind == ActionKind::rmw ? ReadType::rmw
                                            : ReadType::cas;
  e.mode_failure = has_fail_mode(action) ? action.fail_mode : e.mode;
  e.await = action.await;
  e.assumed = action.assumed;
  e.result_unused = action.result_unused;
  e.undone = action.undone;
  e.compared = action.compared;
  e.expected = action.expected;
  if (e.await == Await::holds) e.condition = action.condition;
  e.operand = action.operand;
  e.op = action.op;
  e.size = action.size;
  e.mode_write = write_part(action.mode);
  e.site = action.site;
  e.purpose = action.purpose;
  e.own = action.own;
  e.guarded = action.guarded;
  enter_location(id, l);
  match(id);
  attach(id, rf);
  return id;
}

void Graph::set_rf(EventId r, EventId w) {
  HEDDLE_ASSERT(last(events_[index(r)].thread) == r);
  HEDDLE_ASSERT(w == kInit || (events_[index(w)].is_write() && events_[index(w)].loc == events_[index(r)].loc));
  count_sc(events_[index(r)], -1);
  unlink_reader(r);
  attach(r, w);
}

void Graph::attach(EventId r, EventId w) {
  Event& e = events_[index(r)];
  e.rf = w;
  link_reader(r);
  e.value = value_of(e.loc, w);
  e.blocked = !satisfied(e, e.value);
  e.exclusive = becomes_exclusive(e, e.value);
  e.mode = e.type == ReadType::cas && !e.exclusive ? e.mode_failure : e.mode_success;
  count_sc(e, 1);
  start_clocks(r);
  if (w == kInit) return;
  max_row(row(r, kCb), row(w, kCb), stride_);
  if (sync_.acquires(e.mode)) acquire(r, r);
}

void Graph::acquire_only(EventId r, EventId base, std::span<const EventId> rmws) {
  HEDDLE_ASSERT(index(r) + 1 == events_.size() && open(r));
  uint32_t* const view = row(r, kRelease);
  std::fill_n(view, stride_, 0);
  if (base != kInit && release_view(base) != nullptr) max_row(view, release_view(base), stride_);
  for (const EventId w : rmws) {
    const Event& write = events_[index(w)];
    HEDDLE_ASSERT(write.is_write() && write.exclusive && write.loc == events_[index(r)].loc);
    const EventId own = sync_.releases(write.mode) ? w : write.release_fence;
    if (own != kNoEvent) max_row(view, row(own, kHb), stride_);
  }
  events_[index(r)].release_row = true;
  start_clocks(r);
  max_row(row(r, kCb), row(events_[index(r)].rf, kCb), stride_);
  if (sync_.acquires(events_[index(r)].mode)) acquire(r, r);
}

EventId Graph::add_store(ThreadId t, const Action& action) {
  HEDDLE_ASSERT(action.kind == ActionKind::store);
  const LocId l = location(action.addr);
  const auto id = EventId(events_.size());
  Event& e = append(t, EventKind::write, action.mode);
  e.value = action.operand;
  e.site = action.site;
  e.purpose = action.purpose;
  e.own = action.own;
  e.guarded = action.guarded;
  enter_location(id, l);
  match(id);
  count_sc(e, 1);
  start_clocks(id);
  set_release(id);
  return id;
}

EventId Graph::add_exclusive_write(EventId read) {
  HEDDLE_ASSERT(open(read));
  const auto id = EventId(events_.size());
  Event& e = append(events_[index(read)].thread, EventKind::write, events_[index(read)].mode_write);
  const Event& r = events_[index(read)];
  e.value = r.type == ReadType::cas ? r.operand : apply(r.op, r.value, r.operand, r.size);
  e.exclusive = true;
  e.site = r.site;
  e.purpose = r.purpose;
  e.own = r.own;
  e.guarded = r.guarded;
  enter_location(id, r.loc);
  match(id);
  count_sc(e, 1);
  start_clocks(id);
  set_release(id);
  return id;
}

EventId Graph::add_other(ThreadId t, const Action& action, Value result) {
  const auto id = EventId(events_.size());
  if (action.kind == ActionKind::create) ensure_thread(action.child);
  HEDDLE_ASSERT(!is_access(action.kind) && !is_final(action.kind));
  HEDDLE_ASSERT(action.kind != ActionKind::create || (action.child != kMain && creation(action.child) == kNoEvent));
  Event& e = append(t, kind_of(action.kind), action.kind == ActionKind::help ? Mode::na : action.mode);
  e.child = action.child;
  e.site = action.site;
  e.purpose = action.purpose;
  e.own = action.own;
  if (action.kind == ActionKind::help || is_meeting(action.kind)) e.loc = location(action.addr);
  if (is_meeting(action.kind)) {
    e.expected = action.expected;
    e.operand = action.operand;
  }
  match(id);
  count_sc(e, 1);
  start_clocks(id);
  switch (e.kind) {
    case EventKind::fence:
      if (is_release(e.mode)) e.release_fence = id;
      if (is_acquire(e.mode)) acquire_fence(id);
      break;
    case EventKind::create:
      e.twin = action.twin;
      add_thread(id);
      break;
    case EventKind::join:
      HEDDLE_ASSERT(last(e.child) != kNoEvent && events_[index(last(e.child))].kind == EventKind::exit);
      e.rf = last(e.child);
      join_clocks(id, e.rf);
      break;
    case EventKind::free:
      e.freed = {action.addr, action.length};
      e.retire = action.retire;
      break;
    case EventKind::help:
      ++help_count_;
      e.guarded = action.guarded;
      reads_.clear();
      for (const HelpRead& r : action.reads) reads_.push_back({location(r.addr), r.mode, r.guarded});
      e.help_reads = locations_->sequence(reads_);
      e.expected = action.expected;
      e.operand = action.operand;
      e.size = action.size;
      e.helping = action.helping;
      e.mode_success = action.mode;
      e.mode_failure = action.fail_mode;
      break;
    case EventKind::arrive:
    case EventKind::look: {
      const Gathering known = gathered(meeting(e), hb(id));
      e.value = {known.phase, e.kind == EventKind::look ? known.arrived : 0};
      enter_meeting(id);
      break;
    }
    case EventKind::leave:
      HEDDLE_ASSERT(is_full(meeting(e), e.operand.lo));
      for_each_arrival(id, [&](EventId a) { join_clocks(id, a); });
      e.value = result;
      break;
    default: e.value = result;
  }
  return id;
}

void Graph::add_thread(EventId create) {
  const Event& e = events_[index(create)];
  created_by_[index(e.child)] = create;
  twins_[index(e.child)] = e.twin;
  twin_count_ += e.twin != kNoThread;
}

void Graph::link_reader(EventId r) {
  Event& e = events_[index(r)];
  EventId& head = readers_head(e.loc, e.rf);
  e.next_reader = head;
  head = r;
}

void Graph::unlink_reader(EventId r) {
  const Event& e = events_[index(r)];
  EventId* at = &readers_head(e.loc, e.rf);
  while (*at != r) {
    HEDDLE_ASSERT(*at != kNoEvent);  // r is among them
    at = &events_[index(*at)].next_reader;
  }
  *at = e.next_reader;
}

void Graph::place(EventId w, EventId after) {
  HEDDLE_ASSERT(events_[index(w)].is_write() && after != w);
  HEDDLE_ASSERT(after == kInit ||
                (events_[index(after)].loc == events_[index(w)].loc && events_[index(after)].co != 0));
  unlink_co(w);
  Event& e = events_[index(w)];
  Loc& loc = locs_[index(e.loc)];
  e.co_prev = after;
  EventId& slot = after == kInit ? loc.co_first : events_[index(after)].co_next;
  e.co_next = slot;
  slot = w;
  (e.co_next == kNoEvent ? loc.co_last : events_[index(e.co_next)].co_prev) = w;
  uint32_t position = co_position(after);
  for (EventId n = w; n != kNoEvent; n = events_[index(n)].co_next) events_[index(n)].co = ++position;
}

void Graph::unlink_co(EventId w) {
  Event& e = events_[index(w)];
  if (e.co == 0) return;
  Loc& loc = locs_[index(e.loc)];
  HEDDLE_ASSERT(co_next(e.loc, e.co_prev) == w && co_position(e.co_prev) + 1 == e.co);
  HEDDLE_ASSERT((e.co_next == kNoEvent ? loc.co_last : events_[index(e.co_next)].co_prev) == w);
  (e.co_prev == kInit ? loc.co_first : events_[index(e.co_prev)].co_next) = e.co_next;
  (e.co_next == kNoEvent ? loc.co_last : events_[index(e.co_next)].co_prev) = e.co_prev;
  for (EventId n = e.co_next; n != kNoEvent; n = events_[index(n)].co_next) --events_[index(n)].co;
  e.co = 0;
}

void Graph::remove_last() {
  const auto id = EventId(events_.size() - 1);
  const Event& e = events_.back();
  count_sc(e, -1);
  HEDDLE_ASSERT(last(e.thread) == id);
  HEDDLE_ASSERT(!e.is_access() || locs_[index(e.loc)].accesses == id);
  HEDDLE_ASSERT(!e.is_write() || e.readers == kNoEvent);  // a write that has revisited a read stays
  if (e.is_access()) {
    if (e.is_read()) unlink_reader(id);
    if (e.is_write()) unlink_co(id);
    weak_accesses_ -= is_weak(e);
    Loc& loc = locs_[index(e.loc)];
    loc.accesses = e.loc_prev;
    if (loc.accesses == kNoEvent) loc.plain = false;
  }
  help_count_ -= e.kind == EventKind::help;
  if (e.kind == EventKind::arrive || e.kind == EventKind::look) meetings_.set_last(meeting(e), e.loc_prev);
  if (e.kind == EventKind::create) {
    created_by_[index(e.child)] = kNoEvent;
    twins_[index(e.child)] = kNoThread;
    twin_count_ -= e.twin != kNoThread;
  }
  threads_[index(e.thread)].pop_back();
  events_.pop_back();
}

void Graph::set_loser(EventId w, ThreadId t, std::size_t events) {
  HEDDLE_ASSERT(events_[index(w)].is_write() && events_[index(w)].revisited && events <= index(w));
  events_[index(w)].loser = t;
  events_[index(w)].loss = {thread(t).size(), events};
}

// Not if the thread has gone on, or back.
bool Graph::is_loser(EventId w, ThreadId t) const {
  const Event& e = events_[index(w)];
  return e.is_write() && e.loser == t && e.loss.events_of_thread == thread(t).size() &&
         (last(t) == kNoEvent || last(t) < w);
}

void Graph::cut(std::size_t n) {
  HEDDLE_ASSERT(n <= events_.size());
  while (events_.size() > n) remove_last();
}

}  // namespace heddle
