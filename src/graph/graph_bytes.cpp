// Graphs as bytes: the threads by their paths, the locations with base and co, the events in the order of addition, and
// their clocks. What follows from these is made anew.
#include <algorithm>

#include "core/add_once.hpp"
#include "graph/graph.hpp"

namespace heddle {
namespace {

// One list of an event's members for both ways. An archive has one function for each type of member.
template <class Archive, class AnyEvent>
void visit_members(Archive& a, AnyEvent& e) {
  a.thread(e.thread);
  a.number(e.kind, EventKind::look);
  a.number(e.mode, Mode::sc);
  a.number(e.mode_success, Mode::sc);
  a.number(e.mode_failure, Mode::sc);
  a.number(e.mode_write, Mode::sc);
  a.number(e.op, RmwOp::insert);
  a.number(e.type, ReadType::cas);
  a.number(e.await, Await::holds);
  a.number(e.purpose, Purpose::other);
  a.number(e.size, uint8_t{16});
  a.number(e.site, SiteId(UINT32_MAX));
  a.value(e.value);
  if (e.kind == EventKind::free) {
    a.number(e.freed.start, UINT64_MAX);
    a.number(e.freed.length, UINT64_MAX);
  } else if (e.await == Await::holds) {
    a.number(e.of_cas, UINT64_MAX);
    a.condition(e.condition);
  } else {
    a.value(e.expected);
  }
  a.value(e.operand);
  a.number(e.own, UINT64_MAX);
  a.event(e.rf);
  if (e.kind == EventKind::read) a.event(e.winner);
  a.event(e.release);
  a.event(e.release_fence);
  a.event(e.symb);
  a.location(e.loc);
  a.thread(e.child);
  a.thread(e.twin);
  a.flags(e);
}

constexpr uint64_t kFlagSets = 1 << 15;
uint64_t flags_of(const Event& e) {
  return e.helping | e.exclusive << 1 | e.blocked << 2 | e.revisited << 3 | e.revisitable << 4 | e.release_row << 5 |
         e.retire << 6 | e.guarded << 7 | e.late << 8 | e.assumed << 9 | e.overtakes << 10 | e.confirms << 11 |
         e.result_unused << 12 | e.undone << 13 | e.compared << 14;
}
void set_flags(Event& e, uint64_t flags) {
  const auto flag = [&](unsigned n) { return (flags >> n & 1) != 0; };
  e.helping = flag(0);
  e.exclusive = flag(1);
  e.blocked = flag(2);
  e.revisited = flag(3);
  e.revisitable = flag(4);
  e.release_row = flag(5);
  e.retire = flag(6);
  e.guarded = flag(7);
  e.late = flag(8);
  e.assumed = flag(9);
  e.overtakes = flag(10);
  e.confirms = flag(11);
  e.result_unused = flag(12);
  e.undone = flag(13);
  e.compared = flag(14);
}

class Saver {
 public:
  explicit Saver(Writer& out) : out_(out) {}

  std::vector<ThreadId> threads;
  std::vector<LocId> locations;

  template <class T>
  void number(const T& n, T) {
    out_.number(static_cast<uint64_t>(n));
  }
  void value(const Value& v) { out_.value(v); }
  void condition(const Condition* c) {
    out_.number(c->number);
    for (const uint64_t k : c->known) out_.number(k);
  }
  void flags(const Event& e) { out_.number(flags_of(e)); }
  void event(const EventId& e) { out_.event(e); }
  void thread(const ThreadId& t) { named(threads, t, kNoThread); }
  void location(const LocId& l) { named(locations, l, kNoLoc); }

 private:
  template <class Id>
  void named(const std::vector<Id>& all, Id id, Id none) {
    const auto at = std::ranges::find(all, id);
    HEDDLE_ASSERT(id == none || at != all.end());
    out_.number(id == none ? 0 : static_cast<uint64_t>(at - all.begin()) + 1);
  }

  Writer& out_;
};

[[noreturn]] void refuse(const std::string& why) { throw std::runtime_error("not an execution graph: " + why); }

class Loader {
 public:
  Loader(Reader& in, Conditions& conditions) : in_(in), conditions_(conditions) {}

  std::vector<ThreadId> threads;
  std::vector<LocId> locations;
  uint64_t events = 0;

  template <class T>
  void number(T& n, T largest) {
    const auto bound = static_cast<uint64_t>(largest);
    n = static_cast<T>(bound == UINT64_MAX ? in_.number() : in_.number(bound + 1));
  }
  void value(Value& v) { v = in_.value(); }
  void condition(const Condition*& c) {
    const auto number = static_cast<uint32_t>(in_.number(conditions_.functions()));
    std::vector<uint64_t> known(conditions_.known(number));
    for (uint64_t& k : known) k = in_.number();
    c = conditions_.of(number, known);
  }
  void flags(Event& e) { set_flags(e, in_.number(kFlagSets)); }
  void event(EventId& e) { e = in_.event(events); }
  void thread(ThreadId& t) { named(threads, t, kNoThread); }
  void location(LocId& l) { named(locations, l, kNoLoc); }

 private:
  template <class Id>
  void named(const std::vector<Id>& all, Id& id, Id none) {
    const uint64_t n = in_.number(all.size() + 1);
    id = n == 0 ? none : all[n - 1];
  }

  Reader& in_;
  Conditions& conditions_;
};

}  // namespace

void Graph::save(Writer& out, const ThreadPaths& paths) const {
  Saver saver(out);
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    if (ThreadId(t) == kMain || created_by_[t] != kNoEvent) saver.threads.push_back(ThreadId(t));
  }
  out.number(saver.threads.size());
  for (const ThreadId t : saver.threads) out.number(static_cast<uint64_t>(paths.path(t)));

  // A help, or an event of a meeting, names locations that have no accesses.
  saver.locations = touched_;
  const auto note = [&](LocId l) { add_once(saver.locations, l); };
  for (std::size_t i = 0; i < size() && (has_help() || !meetings_.empty()); ++i) {
    const bool help = events_[i].kind == EventKind::help;
    if (!help && !events_[i].is_meeting()) continue;
    note(events_[i].loc);
    if (!help) continue;
    for (const LeftOutRead& r : help_reads(EventId(i))) note(r.loc);
  }
  out.number(saver.locations.size());
  for (const LocId l : saver.locations) {
    out.number(address(l));
    out.value(index(l) < locs_.size() ? base(l) : Value{});
  }

  out.number(size());
  for (std::size_t i = 0; i < size(); ++i) {
    visit_members(saver, events_[i]);
    if (events_[i].kind == EventKind::help) {
      const auto reads = help_reads(EventId(i));
      out.number(reads.size());
      for (const LeftOutRead& r : reads) {
        saver.location(r.loc);
        saver.number(r.mode, Mode::sc);
        saver.number(r.guarded, true);
      }
    }
  }
  for (const LocId l : saver.locations) {
    const EventId first = index(l) < locs_.size() ? co_first(l) : kNoEvent;
    for (EventId w = first; w != kNoEvent; w = events_[index(w)].co_next) saver.event(w);
    saver.event(kNoEvent);
  }
  for (std::size_t i = 0; i < size(); ++i) {
    const bool release = events_[i].release_row && events_[i].release == EventId(i);
    for (const Row r : {kHb, kCb, kRelease}) {
      if (r == kRelease && !release) continue;
      for (const ThreadId t : saver.threads) out.number(row(EventId(i), r)[index(t)]);
    }
  }
}

void Graph::load(Reader& in, ThreadPaths& paths, Conditions& conditions) {
  clear();
  Loader loader(in, conditions);
  loader.threads.resize(in.count());
  if (loader.threads.empty()) refuse("no threads");
  for (ThreadId& t : loader.threads) {
    t = paths.thread_at(ThreadPath(in.number()));
    ensure_thread(t);
  }
  loader.locations.resize(in.count());
  for (LocId& l : loader.locations) {
    l = location(in.number());
    set_base(l, in.value());
  }

  loader.events = in.count();
  for (std::size_t i = 0; i < loader.events; ++i) load_event(loader, in);
  load_links(loader);
  for (std::size_t i = 0; i < size(); ++i) {
    const bool release = events_[i].release_row && events_[i].release == EventId(i);
    for (const Row r : {kHb, kCb, kRelease}) {
      uint32_t* const clock = row(EventId(i), r);
      std::fill_n(clock, stride_, 0);
      if (r == kRelease && !release) continue;
      for (const ThreadId t : loader.threads) clock[index(t)] = static_cast<uint32_t>(in.number(UINT32_MAX));
    }
  }
}

template <class AnyLoader>
void Graph::load_event(AnyLoader& loader, Reader& in) {
  const auto id = EventId(events_.size());
  Event& e = events_.emplace_back();
  visit_members(loader, e);
  if (e.thread == kNoThread) refuse("an event without a thread");
  if (e.is_access() && (e.loc == kNoLoc || (e.is_read() && e.rf == kNoEvent))) refuse("an access of nothing");
  const bool names_child = e.kind == EventKind::create || e.kind == EventKind::join;
  if (names_child && e.child == kNoThread) refuse("a thread that is not there");
  if (e.is_meeting() && e.loc == kNoLoc) refuse("an arrival at nothing");
  if (e.kind == EventKind::help) {
    if (e.loc == kNoLoc) refuse("help without a location");
    reads_.resize(in.count());
    for (LeftOutRead& r : reads_) {
      loader.location(r.loc);
      loader.number(r.mode, Mode::sc);
      loader.number(r.guarded, true);
      if (r.loc == kNoLoc) refuse("a read without a location");
    }
    e.help_reads = locations_->sequence(reads_);
  }
  make_room();
  auto& thread = threads_[index(e.thread)];
  thread.push_back(id);
  e.po = static_cast<uint32_t>(thread.size());
  if (e.kind == EventKind::create) add_thread(id);
  help_count_ += e.kind == EventKind::help;
  if (e.is_meeting()) enter_meeting(id);
  if (e.is_access()) enter_location(id, e.loc);
  count_sc(e, 1);
}

// Readers and co. A revisited read is older than its write, so these come second.
template <class AnyLoader>
void Graph::load_links(AnyLoader& loader) {
  for (std::size_t i = 0; i < size(); ++i) {
    const Event& e = events_[i];
    if (!e.is_read()) continue;
    if (e.rf != kInit && (!events_[index(e.rf)].is_write() || events_[index(e.rf)].loc != e.loc)) {
      refuse("a read that reads from no write");
    }
    link_reader(EventId(i));
  }
  for (const LocId l : loader.locations) {
    EventId after = kInit;
    for (;;) {
      EventId w;
      loader.event(w);
      if (w == kNoEvent) break;
      if (w == kInit || !events_[index(w)].is_write() || events_[index(w)].loc != l || events_[index(w)].co != 0) {
        refuse("a co that is none");
      }
      place(w, after);
      after = w;
    }
  }
}

}  // namespace heddle
