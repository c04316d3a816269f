#include "differential/brute_force.hpp"

#include <unordered_set>

namespace heddle::differential {
namespace {

class Search {
 public:
  Search(const Script& script, axioms::Model model, uint64_t limit, const OnFull& on_full,
         const OnCandidate& on_candidate)
      : script_(script), model_(model), limit_(limit), on_full_(on_full), on_candidate_(on_candidate) {}

  bool run() {
    visit(Candidate(script_, model_));
    return !over_limit();
  }

 private:
  bool over_limit() const { return count_ > limit_; }

  void visit_if_consistent(Candidate&& c) {
    if (!tried_.insert(c.key(has_co(model_))).second) return;
    ++count_;
    if (over_limit()) return;
    const bool consistent = axioms::consistent(model_, c.execution);
    if (on_candidate_) on_candidate_(c, consistent);
    if (consistent) visit(std::move(c));
  }

  void visit(Candidate c) {
    while (const auto thread = thread_without_choice(c)) {
      const Action a = *c.next(*thread);
      if (a.kind == ActionKind::store) return visit_stores(c, *thread, a);
      if (a.kind == ActionKind::choose) return visit_choices(c, *thread, a);
      c.other(*thread, {});
      if (c.crowded) return on_full_({.execution = c.execution, .threads = c.threads, .ending = Ending::crowded});
    }
    if (!settled_.insert(c.key(has_co(model_))).second) return;
    bool full = true;
    for (std::size_t t = 0; t < c.thread_count(); ++t) {
      const auto a = c.next(t);
      if (!a) continue;
      full = false;
      visit_reads(c, t, *a);
    }
    if (full && axioms::consistent(model_, c.execution)) on_full_(c.full());
  }

  // A thread whose next action is not a read.
  static std::optional<std::size_t> thread_without_choice(const Candidate& c) {
    for (std::size_t t = 0; t < c.thread_count(); ++t) {
      const auto a = c.next(t);
      if (a && !is_read(a->kind)) return t;
    }
    return std::nullopt;
  }

  void visit_stores(const Candidate& c, std::size_t thread, const Action& a) {
    const std::size_t end = c.order(a.addr).size();
    for (std::size_t at = has_co(model_) ? 1 : end; at <= end; ++at) {
      Candidate d = c;
      d.store(thread, at);
      visit_if_consistent(std::move(d));
    }
  }

  void visit_choices(const Candidate& c, std::size_t thread, const Action& a) {
    for (uint64_t v = 0; v < a.bound; ++v) {
      Candidate d = c;
      d.other(thread, {v, 0});
      visit_if_consistent(std::move(d));
    }
  }

  // The write of an rmw can only be directly behind the one that it reads from. Without co its place does not matter.
  void visit_reads(const Candidate& c, std::size_t thread, const Action& a) {
    const std::vector<int>& writes = c.order(a.addr);
    for (std::size_t at = 0; at < writes.size(); ++at) {
      Candidate d = c;
      d.read(thread, writes[at], at + 1);
      visit_if_consistent(std::move(d));
    }
  }

  const Script& script_;
  axioms::Model model_;
  uint64_t limit_;
  const OnFull& on_full_;
  const OnCandidate& on_candidate_;
  uint64_t count_ = 0;
  std::unordered_set<std::string> tried_;    // candidates after a choice
  std::unordered_set<std::string> settled_;  // those in which every thread stands before a read, or has ended
};

}  // namespace

bool brute_force(const Script& script, axioms::Model model, uint64_t limit, const OnFull& on_full,
                 const OnCandidate& on_candidate) {
  return Search(script, model, limit, on_full, on_candidate).run();
}

}  // namespace heddle::differential
