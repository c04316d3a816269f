#include "explore/judge/helping.hpp"

#include <algorithm>

namespace heddle {
namespace {

class Matcher {
 public:
  Matcher(const Graph& g, EventId help, bool by_mode) : g_(g), help_(help), by_mode_(by_mode) {}

  std::optional<GraphError> run() {
    if (by_mode_ && !modes_suffice(g_[help_])) return because(kModes, kNoEvent);
    const auto events = g_.thread(g_[help_].thread);
    for (uint32_t i = g_[help_].po - 1; i-- > 0;) {
      const Event& read = g_[events[i]];
      if (read.is_read() && read.rf != kInit && matches(events[i])) return std::nullopt;
    }
    return because(reason_, culprit_);
  }

 private:
  // A candidate for f_m is tried against these in this order, and the furthest that one gets is told. kModes needs no
  // candidate: it is looked at first.
  enum Reason { kNoMain, kSynchronise, kFence, kSc, kSource, kCo, kModes };

  static bool modes_suffice(const Event& e) {
    const Mode success = read_part(e.mode_success);
    if (e.help_reads != 0) {
      return is_acquire(e.mode_success) && is_release(e.mode_success) && is_acquire(e.mode_failure);
    }
    return success <= e.mode_failure;
  }

  bool same_operation(EventId main) const {
    const Event& a = g_[main];
    const Event& b = g_[help_];
    return a.loc == b.loc && a.size == b.size && a.expected == b.expected && a.operand == b.operand &&
           a.mode_success == b.mode_success && a.mode_failure == b.mode_failure &&
           std::ranges::equal(
               g_.help_reads(main), g_.help_reads(help_),
               [](const LeftOutRead& r, const LeftOutRead& s) { return r.loc == s.loc && r.mode == s.mode; });
  }

  void failed(Reason reason, EventId culprit) {
    if (reason < reason_) return;
    reason_ = reason;
    culprit_ = culprit;
  }

  // Whether the write that r reads from stands just before an f_m that this help is for.
  bool matches(EventId r) {
    const EventId w = g_[r].rf;
    const auto events = g_.thread(g_[w].thread);
    if (g_[w].po >= events.size()) return false;
    const EventId main = events[g_[w].po];
    if (g_[main].kind != EventKind::help || g_[main].helping || !same_operation(main)) return false;
    const Mode write = g_[w].mode;
    const Mode read = g_[r].mode;
    if (by_mode_ && (!is_release(write) || !is_acquire(read) || (is_sc(write) && !is_sc(read)))) {
      failed(kSynchronise, w);
      return false;
    }
    if (by_mode_ && fence_releases(main)) {
      failed(kFence, g_[main].release_fence);
      return false;
    }
    if (const EventId e = by_mode_ ? sc_just_before(w) : kNoEvent; e != kNoEvent && is_sc(g_[main].mode_success)) {
      failed(kSc, e);
      return false;
    }
    failed(kSource, main);
    return has_source(main);
  }

  // The cas of f_m releases only because of a fence, which the helping thread does not have.
  bool fence_releases(EventId main) const {
    return !is_release(g_[main].mode_success) && g_[main].release_fence != kNoEvent;
  }

  // An SC access of l_w's location just before l_w, which is not SC: it is scb-before the cas of f_m, but there is no
  // po≠loc from it to l_w, and so it need not be scb-before the cas that is done instead.
  EventId sc_just_before(EventId w) const {
    if (is_sc(g_[w].mode)) return kNoEvent;
    for (EventId e = g_.predecessor(w); e != kNoEvent && g_[e].thread == g_[w].thread; e = g_.predecessor(e)) {
      if (g_[e].loc != g_[w].loc) return kNoEvent;
      if (is_sc(g_[e].mode)) return e;
    }
    return kNoEvent;
  }

  bool has_source(EventId main) {
    const auto events = g_.thread(g_[main].thread);
    const LocId l = g_[main].loc;
    // What main has written before there were threads is the base.
    if (g_[main].thread == kMain && g_.seen(l) && g_.base(l) == g_[main].expected && only_rmws_after(kInit, main)) {
      return true;
    }
    for (uint32_t i = 0; i + 1 < g_[main].po; ++i) {
      const Event& e = g_[events[i]];
      if (!e.is_access() || e.loc != g_[main].loc || e.value != g_[main].expected) continue;
      if (only_rmws_after(e.is_write() ? events[i] : e.rf, main)) return true;
    }
    return false;
  }

  bool only_rmws_after(EventId source, EventId main) {
    const LocId l = g_[main].loc;
    for (EventId w = g_.co_next(l, source); w != kNoEvent; w = g_[w].co_next) {
      if (g_[w].exclusive && g_[w].value != g_[main].expected) continue;
      failed(kCo, w);
      return false;
    }
    return true;
  }

  GraphError because(Reason reason, EventId culprit) const {
    static constexpr const char* kTexts[] = {
        "no operation marked as helped fits: this thread has read no write that stands directly before a helped "
        "operation with the same reads, location, expected and new value",
        "the write just before the helped operation must be a release and be read by an acquire (both SC if it is SC) "
        "before the helping one",
        "a release fence stands before the helped operation, whose cas is not a release; make it one",
        "an SC access of the same location stands just before the write that announces the helped operation, whose cas "
        "is SC; make that write SC too",
        "the thread of the helped operation has neither written nor read, before it, the value that its cas expects",
        "the location of the cas is written by a plain store, or gets the expected value again, after the helped "
        "operation has seen it",
        "the orders of the cas are too weak: with reads before it, it must be acq_rel, and acquire when it fails; "
        "without, the failure order must be as strong as the success order",
    };
    return GraphError{ErrorKind::annotation, std::string("wrong helping annotation: ") + kTexts[reason], help_,
                      culprit};
  }

  const Graph& g_;
  EventId help_;
  bool by_mode_;
  Reason reason_ = kNoMain;
  EventId culprit_ = kNoEvent;
};

}  // namespace

std::optional<GraphError> find_wrong_help(const Graph& g, bool by_mode) {
  for (std::size_t i = 0; i < g.size(); ++i) {
    const auto e = EventId(i);
    if (g[e].kind != EventKind::help || !g[e].helping) continue;
    if (auto error = Matcher(g, e, by_mode).run()) return error;
  }
  return std::nullopt;
}

}  // namespace heddle
