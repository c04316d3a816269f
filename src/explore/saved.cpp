#include "explore/saved.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "core/bytes.hpp"
#include "core/hash.hpp"
#include "core/thread_name.hpp"

namespace heddle {
namespace {

constexpr uint64_t kMostThreads = 1 << 16;
constexpr uint64_t kAny32 = uint64_t{1} << 32;

// What a report would show of the execution, and how its threads end.
uint64_t fingerprint(const Traced& traced) {
  Hash hash;
  const auto value = [&](const std::optional<Value>& v) {
    hash.add(v.has_value()).add(v ? v->lo : 0).add(v ? v->hi : 0);
  };
  for (const TraceStep& s : traced.trace.steps) {
    const Action& a = s.action;
    hash.add(index(s.thread)).add(static_cast<uint64_t>(a.kind)).add(static_cast<uint64_t>(a.mode)).add(a.addr);
    hash.add(a.size).add(index(a.site)).add(index(a.child)).add(static_cast<uint64_t>(a.purpose)).add(s.location);
    value(s.read);
    value(s.written);
    value(a.operand);
    value(a.expected);
  }
  for (const TraceThread& t : traced.trace.threads) hash.add(index(t.id)).add(index(t.parent)).add(t.name);
  for (const auto& [address, name] : traced.trace.objects) hash.add(address).add(name);
  hash.add(traced.trace.output).add(traced.error.has_value());
  if (const auto& e = traced.error) {
    hash.add(static_cast<uint64_t>(e->kind)).add(e->message).add(index(e->thread)).add(index(e->site));
    hash.add(index(e->other_thread)).add(index(e->other_site));
  }
  return hash.value();
}

ShownAction action_of(const TraceStep& step) {
  return {.thread = step.thread,
          .result = step.result,
          .clock = step.hb,
          .read = step.read,
          .written = step.written,
          .rf = step.rf,
          .co = step.co,
          .released = step.released,
          .acquired = step.acquired,
          .performed = step.performed,
          .waits = step.blocked};
}

[[noreturn]] void refuse(const std::string& what) {
  throw UserError("the program does something else than in the saved execution: " + what);
}

// Before an action is looked at: whether the program is about to do it.
void compare(const TraceStep& saved, std::size_t number, Machine& machine) {
  const std::string when = "action " + std::to_string(number + 1) + ": ";
  if (std::ranges::find(machine.threads(), saved.thread) == machine.threads().end())
    refuse(when + name_of(saved.thread) + " is not there");
  const Action& now = machine.pending(saved.thread);
  if (now.kind == ActionKind::error) return;  // the trace ends here
  if (now.kind == ActionKind::choose && saved.result.lo >= now.bound) refuse(when + "there is no such choice");
  if (now.kind == saved.action.kind && now.addr == saved.action.addr && now.site == saved.action.site) return;
  refuse(when + name_of(saved.thread) + " was about to " + std::string(name(saved.action.kind)) + ", and now to " +
         std::string(name(now.kind)) + (now.kind == saved.action.kind ? " something else, or at another place" : ""));
}

Traced run(const std::vector<TraceStep>& steps, Machine& machine, const BeforeAction& before) {
  std::vector<ShownAction> actions;
  for (const TraceStep& step : steps) actions.push_back(action_of(step));
  Traced traced = make_trace(machine, actions, [&](std::size_t i, const ShownAction& action) {
    compare(steps[i], i, machine);
    if (before) before(i, action);
  });
  if (traced.trace.steps.size() != steps.size()) {
    refuse(traced.error ? "it fails sooner: " + traced.error->message : "it ends sooner");
  }
  return traced;
}

class Saver : public ByteWriter {
 public:
  void flag(bool f) { number(f); }
  void thread(ThreadId t) { number(t == kNoThread ? 0 : index(t) + 1); }
  void site(SiteId s) { number(index(s)); }
  void maybe(const std::optional<Value>& v) {
    flag(v.has_value());
    if (v) value(*v);
  }

  void step(const TraceStep& s) {
    thread(s.thread);
    number(static_cast<uint64_t>(s.action.kind));
    number(s.action.addr);
    site(s.action.site);
    value(s.result);
    maybe(s.read);
    maybe(s.written);
    number(static_cast<uint64_t>(s.rf) + 1);
    number(s.co);
    for (const bool f : {s.blocked, s.performed, s.released, s.acquired}) flag(f);
    number(s.hb.size());
    for (const uint32_t n : s.hb) number(n);
  }
  void error(const Error& e) {
    number(static_cast<uint64_t>(e.kind));
    text(e.message);
    thread(e.thread);
    site(e.site);
    thread(e.other_thread);
    site(e.other_site);
    number(static_cast<uint64_t>(e.clash));
    number(e.other_after);
  }
  void advice(const Advice& a) {
    number(static_cast<uint64_t>(a.kind));
    number(a.orders.size());
    for (const OrderAdvice& o : a.orders) {
      site(o.site);
      text(o.what);
      text(o.variable);
      number(static_cast<uint64_t>(o.order));
      flag(o.fence);
    }
    number(static_cast<uint64_t>(a.notice.step) + 1);
    flag(a.notice.too_early);
  }
  // What is told of the exploration.
  void told(const Result& r) {
    for (const uint64_t n : {r.executions, r.blocked, r.duplicates, r.events}) number(n);
    number(r.limits.size());
    for (const LimitHit& hit : r.limits) {
      number(static_cast<uint64_t>(hit.limit));
      site(hit.site);
      number(hit.tried);
    }
    number(r.suppressed.size());
    for (const SuppressedRace& race : r.suppressed) {
      site(race.site);
      site(race.other_site);
      text(race.variable);
      text(race.by.pattern);
      text(race.by.file);
      number(race.by.line);
      number(race.count);
    }
  }
};

class Loader : public ByteReader {
 public:
  Loader(std::string_view bytes, uint64_t sites) : ByteReader(bytes), sites_(sites) {}

  template <typename Enum>
  Enum one_of(Enum last) {
    return static_cast<Enum>(number(static_cast<uint64_t>(last) + 1));
  }
  ThreadId thread() {
    const uint64_t n = number(threads_ + 1);
    return n == 0 ? kNoThread : ThreadId(n - 1);
  }
  SiteId site() { return SiteId(static_cast<uint32_t>(number(sites_))); }
  uint32_t number32() { return static_cast<uint32_t>(number(kAny32)); }
  std::optional<Value> maybe() { return flag() ? std::optional(value()) : std::nullopt; }

  // The threads that the actions name. A machine that is told of them in this order gives them the saved ids.
  void threads(Machine& machine) {
    threads_ = number(kMostThreads);
    for (uint64_t i = 0; i < threads_; ++i) {
      if (machine.thread_at(ThreadPath(number())) != ThreadId(i))
        throw std::runtime_error("a thread has another number");
    }
  }

  TraceStep step(std::size_t before) {
    TraceStep s;
    s.thread = thread();
    if (s.thread == kNoThread) throw std::runtime_error("an action is of no thread");
    s.action.kind = one_of(ActionKind::done);
    s.action.addr = number();
    s.action.site = site();
    s.result = value();
    s.read = maybe();
    s.written = maybe();
    s.rf = static_cast<int>(number(before + 1)) - 1;
    s.co = number32();
    for (bool* f : {&s.blocked, &s.performed, &s.released, &s.acquired}) *f = flag();
    if (s.performed && s.action.kind >= ActionKind::block) throw std::runtime_error("an action cannot be done");
    s.hb.resize(count());
    for (uint32_t& n : s.hb) n = number32();
    return s;
  }
  Error error() {
    Error e;
    e.kind = one_of(ErrorKind::symmetry);
    e.message = text();
    e.thread = thread();
    e.site = site();
    e.other_thread = thread();
    e.other_site = site();
    e.clash = one_of(Clash::twice);
    e.other_after = number32();
    return e;
  }
  // Of an execution with so many steps.
  Advice advice(std::size_t steps) {
    Advice a;
    a.kind = one_of(Advice::Kind::helps);
    a.orders.resize(count());
    for (OrderAdvice& o : a.orders) {
      o.site = site();
      o.what = text();
      o.variable = text();
      o.order = one_of(Mode::sc);
      o.fence = flag();
    }
    a.notice.step = static_cast<int>(number(steps + 1)) - 1;
    a.notice.too_early = flag();
    return a;
  }
  void told(Result& r) {
    r.verdict = Verdict::error;
    for (uint64_t* n : {&r.executions, &r.blocked, &r.duplicates, &r.events}) *n = number();
    r.limits.resize(count());
    for (LimitHit& hit : r.limits) {
      hit.limit = one_of(kLastLimit);
      hit.site = site();
      hit.tried = number32();
    }
    r.suppressed.resize(count());
    for (SuppressedRace& race : r.suppressed) {
      race.site = site();
      race.other_site = site();
      race.variable = text();
      race.by.pattern = text();
      race.by.file = text();
      race.by.line = number32();
      race.count = number();
    }
  }

 private:
  const uint64_t sites_;
  uint64_t threads_ = 0;
};

std::size_t thread_count(const Trace& trace) {
  std::size_t count = 0;
  for (const TraceThread& t : trace.threads) count = std::max(count, index(t.id) + 1);
  HEDDLE_ASSERT(std::ranges::all_of(trace.steps, [&](const TraceStep& s) { return index(s.thread) < count; }));
  return count;
}

void move(TraceStep& s, const std::function<uint64_t(uint64_t)>& moved) {
  s.action.addr = moved(s.action.addr);
  s.result.lo = moved(s.result.lo);
  if (s.read) s.read->lo = moved(s.read->lo);
  if (s.written) s.written->lo = moved(s.written->lo);
}

}  // namespace

std::string save_execution(const Result& result, Machine& machine) {
  const Finding& finding = result.findings.at(0);
  const Trace& trace = finding.trace;
  machine.set_settings(trace.settings);
  const Traced again = run(trace.steps, machine, {});
  Saver out;
  const std::size_t threads = thread_count(trace);
  HEDDLE_ASSERT(threads < kMostThreads);
  out.number(threads);
  for (std::size_t t = 0; t < threads; ++t) out.number(static_cast<uint64_t>(machine.path(ThreadId(t))));
  out.text(trace.settings);
  out.number(trace.steps.size());
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    HEDDLE_ASSERT(trace.steps[i].rf < static_cast<int>(i));  // the order respects rf
    out.step(trace.steps[i]);
  }
  out.number(fingerprint(again));
  out.error(finding.error);
  out.advice(finding.advice);
  out.told(result);
  return out.bytes();
}

Result replay_execution(std::string_view bytes, Machine& machine, const ReplayHooks& hooks) {
  Loader in(bytes, hooks.sites);
  in.threads(machine);
  const std::string settings = in.text();
  std::vector<TraceStep> steps(in.count());
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = in.step(i);
  const uint64_t saved = in.number();
  Result result;
  Finding& finding = result.findings.emplace_back();
  finding.error = in.error();
  finding.advice = in.advice(steps.size());
  in.told(result);
  if (!in.at_end()) throw std::runtime_error("more follows than belongs to it");

  if (hooks.moved) {
    for (TraceStep& step : steps) move(step, hooks.moved);
  }
  machine.set_settings(settings);
  Traced traced = run(steps, machine, hooks.before);
  if (!hooks.moved && fingerprint(traced) != saved) refuse("its actions are the same, but not what they do");
  finding.trace = std::move(traced.trace);
  return result;
}

}  // namespace heddle
