#include "report/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "report/relations.hpp"

namespace heddle {
namespace {

using Sentences = std::vector<std::string>;

class Explainer {
 public:
  Explainer(const Finding& finding, const StepTeller& teller, const std::string& model)
      : finding_(finding), steps_(finding.trace.steps), teller_(teller), model_(model) {}

  Sentences all() const {
    Sentences out = of_kind();
    if (finding_.advice.kind == Advice::Kind::none_helps)
      out.emplace_back(
          "it is not a matter of memory orders: the same error is there with seq_cst, and with fences, everywhere");
    return out;
  }

 private:
  Sentences of_kind() const {
    switch (finding_.error.kind) {
      case ErrorKind::race: return race();
      case ErrorKind::deadlock: return deadlock();
      case ErrorKind::livelock: return livelock();
      case ErrorKind::memory: return has_other() ? memory_parties() : what_was_seen();
      case ErrorKind::assertion: return what_was_seen();
      default: return {};
    }
  }

  bool has_other() const { return finding_.error.other_thread != kNoThread; }

  Sentences race() const {
    if (!has_other()) return {};
    const Error& e = finding_.error;
    Sentences out;
    if (e.other_site != kNoSite)
      out.push_back(fmt::format("these two accesses are not ordered by happens-before: {} and {}",
                                teller_.who(e.other_thread, e.other_site), teller_.who(e.thread, e.site)));
    Sentences links = weak_links();
    if (links.empty()) links = stale_reads();
    std::ranges::move(links, std::back_inserter(out));
    return out;
  }

  Sentences what_was_seen() const {
    Sentences out = stale_reads();
    if (const std::string deceived = came_back(); !deceived.empty()) out.push_back(deceived);
    return out;
  }

  Sentences memory_parties() const {
    const Error& e = finding_.error;
    if (e.other_thread == e.thread) return {};
    const std::string here = teller_.who(e.thread, e.site);
    const std::string there = teller_.who(e.other_thread, e.other_site);
    switch (e.clash) {
      case Clash::none: return {};
      case Clash::unordered: return {fmt::format("nothing makes {} wait for {}", there, here)};
      case Clash::in_use: {
        Sentences out = weak_links();
        out.insert(out.begin(), fmt::format("nothing makes {} wait for {}", here, there));
        return out;
      }
      case Clash::gone: return {fmt::format("{} happens after {}: the memory is gone by then", here, there)};
      case Clash::twice: return {fmt::format("{} and {} free the same block{}", there, here, sources_of_block())};
    }
    return {};
  }

  // Where both that free a block have its address from.
  std::string sources_of_block() const {
    const Error& e = finding_.error;
    const TraceStep* const other = source_of_block(e.other_thread);
    const TraceStep* const mine = source_of_block(e.thread);
    if (other == nullptr || mine == nullptr) return "";
    const auto who = [&](const TraceStep& s) { return teller_.who(s.thread, s.action.site); };
    if (other->location == mine->location)
      return fmt::format(": both have read its address from {}, {} and {}", mine->location, who(*other), who(*mine));
    return fmt::format(": {} has read its address from {}, {} from {}", who(*other), other->location, who(*mine),
                       mine->location);
  }

  // The last read of the address that the thread frees; null if the trace does not show one.
  const TraceStep* source_of_block(ThreadId thread) const {
    const auto frees = [&](const TraceStep& s) {
      return s.thread == finding_.error.thread && s.action.kind == ActionKind::free;
    };
    const auto last = std::find_if(steps_.rbegin(), steps_.rend(), frees);
    if (last == steps_.rend()) return nullptr;
    const TraceStep* source = nullptr;
    for (const TraceStep& s : steps_) {
      if (s.thread != thread) continue;
      if (s.action.kind == ActionKind::free && s.action.addr == last->action.addr) break;
      if (s.read && s.read->lo == last->action.addr) source = &s;
    }
    return source;
  }

  // The failing thread saw a write that the other party made after its access through an atomic, but the pair does not
  // synchronise.
  Sentences weak_links() const {
    const Error& e = finding_.error;
    for (std::size_t i = steps_.size(); i-- > 0;) {
      const TraceStep& read = steps_[i];
      if (read.thread != e.thread || read.rf < 0) continue;
      const TraceStep& write = steps_[read.rf];
      if (write.thread != e.other_thread || read.action.mode == Mode::na || write.action.mode == Mode::na) continue;
      if (write.position <= e.other_after || (write.released && read.acquired)) continue;
      std::string remedy;
      if (!write.released) remedy += fmt::format("the write is {} (needs release)", order(write.action.mode));
      if (!read.acquired)
        remedy +=
            fmt::format("{}the read is {} (needs acquire)", remedy.empty() ? "" : " and ", order(read_mode(read)));
      return {fmt::format("{} reads {} from {}, which orders nothing: {}", teller_.who(read.thread, read.action.site),
                          read.location, teller_.who(write.thread, write.action.site), remedy)};
    }
    return {};
  }

  static Mode read_mode(const TraceStep& read) {
    const Action& a = read.action;
    return a.kind == ActionKind::cas && read.read != a.expected ? a.fail_mode : read_part(a.mode);
  }
  static std::string_view order(Mode mode) {
    return mode == Mode::rlx ? "relaxed" : mode == Mode::na ? "plain" : name(mode);
  }

  // A read of an old value although the trace holds a newer write of another thread, which hb orders neither way. The
  // model would have forbidden the read if the write were ordered before it, by hb or psc. An execution that is an
  // interleaving has none: there each read stands before all newer writes.
  Sentences stale_reads() const {
    Sentences out;
    if (model_ == "sc") return out;
    for (std::size_t i = 0; i < steps_.size() && out.size() < 4; ++i) {
      const TraceStep& read = steps_[i];
      if (!is_read(read.action.kind) || !read.read || read.blocked || read.action.purpose != Purpose::access) continue;
      for (std::size_t j = 0; j < i; ++j) {
        const TraceStep& write = steps_[j];
        if (!write.written || write.thread == read.thread || write.action.addr != read.action.addr) continue;
        if (!is_newer(write, read) || happens_before(read, write) || happens_before(write, read)) continue;
        const std::string source =
            read.rf < 0 ? "" : " from " + teller_.who(steps_[read.rf].thread, steps_[read.rf].action.site);
        out.push_back(fmt::format("{} may still read {}{} = {}{}: nothing orders the {}write of {} before it",
                                  teller_.who(read.thread, read.action.site), read.rf < 0 ? "the initial " : "",
                                  read.location, teller_.value(*read.read, read), source, read.rf < 0 ? "" : "newer ",
                                  teller_.who(write.thread, write.action.site)));
        break;
      }
    }
    return out;
  }

  // Than what was read. Each write is newer than the initial value; else coherence tells, if the model has it.
  bool is_newer(const TraceStep& write, const TraceStep& read) const {
    if (read.rf < 0) return true;
    return has_coherence(model_) && steps_[read.rf].co != 0 && write.co > steps_[read.rf].co;
  }

  // A compare-exchange that finds what its thread has read before, and writes what it has read since, although the
  // place had another value in between: ABA.
  std::string came_back() const {
    for (std::size_t i = steps_.size(); i-- > 0;) {
      const TraceStep& cas = steps_[i];
      if (cas.action.kind != ActionKind::cas || !cas.written || cas.rf < 0 || cas.thread == steps_[cas.rf].thread)
        continue;
      const TraceStep* since = nullptr;
      for (std::size_t j = i; j-- > 0;) {
        const TraceStep& step = steps_[j];
        if (step.thread != cas.thread || !step.read) continue;
        if (step.action.addr != cas.action.addr) {
          if (step.read == cas.written) since = &step;
          continue;
        }
        if (since == nullptr || step.read != cas.read || step.written || !changes_between(j, i)) break;
        const auto who = [&](const TraceStep& s) { return teller_.who(s.thread, s.action.site); };
        return fmt::format(
            "{} finds {} = {}, as {} did, but it has changed in between and come back ({}): what {} has read may be "
            "old "
            "(ABA)",
            who(cas), cas.location, teller_.value(*cas.read, cas), who(step), who(steps_[cas.rf]), who(*since));
      }
    }
    return "";
  }

  // Whether the place of both reads gets another value between what they read: in memory, where its order is known,
  // else in the interleaving that is shown.
  bool changes_between(std::size_t from, std::size_t to) const {
    const auto co = [&](const TraceStep& read) { return read.rf < 0 ? 0 : steps_[read.rf].co; };
    const uint32_t first = co(steps_[from]), last = co(steps_[to]);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const TraceStep& s = steps_[i];
      if (!s.written || s.action.addr != steps_[to].action.addr || s.written == steps_[to].read) continue;
      if (last != 0 ? first < s.co && s.co < last : from < i && i < to) return true;
    }
    return false;
  }

  // Which thread reads which location again and again, and which one has written it. No thread that can still go on
  // will write there.
  Sentences livelock() const {
    Sentences out;
    for (const TraceStep& step : steps_) {
      if (!step.blocked || !is_read(step.action.kind) || !step.read || step.location.empty()) continue;
      const std::string value = teller_.value(*step.read, step);
      const std::string from =
          step.rf < 0
              ? "its initial value"
              : fmt::format("which {} has written", teller_.who(steps_[step.rf].thread, steps_[step.rf].action.site));
      out.push_back(fmt::format("{} waits for another value of {} than {}, {}, and no thread can go on to write one",
                                teller_.who(step.thread, step.action.site), step.location, value, from));
    }
    return out;
  }

  Sentences deadlock() const {
    Sentences out;
    for (const TraceStep& step : steps_) {
      if (!step.blocked) continue;
      std::string who = teller_.who(step.thread, step.action.site);
      if (step.action.kind == ActionKind::join) {
        out.push_back(fmt::format("{} waits for {} to end", who, name_of(step.action.child)));
      } else if (const std::string held = holders(step); !held.empty()) {
        out.push_back(fmt::format("{} waits for {}, which {}", who, step.location, held));
        if (step.rf >= 0) add_order(out, step);
      } else if (step.action.purpose == Purpose::woken) {
        out.push_back(fmt::format("{} waits to be woken at {}", who, step.location));
        add_notice(out, step);
      } else if (!step.location.empty()) {
        out.push_back(fmt::format("{} waits for {}", who, step.location));
      }
    }
    return out;
  }

  // "T1 holds since line 7 and T2 since line 9". Empty if it is not known which thread holds what the step waits for.
  std::string holders(const TraceStep& step) const {
    std::vector<Holder> all = step.holders;
    if (all.empty() && step.action.purpose == Purpose::mutex_lock && step.rf >= 0)
      all.push_back({steps_[step.rf].thread, steps_[step.rf].action.site});
    std::string out;
    for (const Holder& h : all)
      out +=
          fmt::format("{}{}{} since {}", out.empty() ? "" : " and ", h.thread == step.thread ? "it" : name_of(h.thread),
                      out.empty() ? " holds" : "", teller_.place(h.site));
    return out;
  }

  // Of two threads that each wait for the other's mutex.
  void add_order(Sentences& out, const TraceStep& mine) const {
    for (const TraceStep& other : steps_) {
      if (&other == &mine) return;  // said with the second of them
      if (!other.blocked || other.action.purpose != Purpose::mutex_lock || other.rf < 0) continue;
      if (steps_[mine.rf].thread != other.thread || steps_[other.rf].thread != mine.thread) continue;
      out.push_back(
          fmt::format("{} takes {} before {}, {} the other way round: with one order for both this cannot happen",
                      name_of(other.thread), mine.location, other.location, name_of(mine.thread)));
    }
  }

  // The notification that is to blame, if one is known: with the first thread that waits for it.
  void add_notice(Sentences& out, const TraceStep& waiting) const {
    const auto& [step, too_early] = finding_.advice.notice;
    if (step < 0 || &waiting != first_waiting_at(waiting.location)) return;
    const TraceStep& notify = steps_[static_cast<std::size_t>(step)];
    if (notify.location != waiting.location) return;
    const std::string who = teller_.who(notify.thread, notify.action.site);
    if (too_early) {
      out.push_back(fmt::format("{} has notified it too early: no thread was waiting yet", who));
    } else {
      out.push_back(
          fmt::format("{} has woken only one of {} threads that waited: if it wakes all, no execution goes wrong", who,
                      std::popcount(notify.read.value_or(Value{}).lo)));
    }
  }

  const TraceStep* first_waiting_at(const std::string& location) const {
    const auto waits = [&](const TraceStep& s) {
      return s.blocked && s.action.purpose == Purpose::woken && s.location == location;
    };
    return &*std::ranges::find_if(steps_, waits);
  }

  const Finding& finding_;
  const std::vector<TraceStep>& steps_;
  const StepTeller& teller_;
  const std::string& model_;
};

}  // namespace

Sentences explain(const Finding& finding, const StepTeller& teller, const std::string& model) {
  return Explainer(finding, teller, model).all();
}

}  // namespace heddle
