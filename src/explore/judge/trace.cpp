#include "explore/judge/trace.hpp"

#include <algorithm>

namespace heddle {
namespace {

constexpr Address kFirstPointer = 1ull << 32;  // smaller values are numbers

class Tracer {
 public:
  Tracer(Machine& machine, const BeforeAction& before) : machine_(machine), before_(before) {}

  Traced run(std::span<const ShownAction> actions) {
    out_.trace.settings = machine_.settings();
    machine_.record_sites(true);
    machine_.restart();
    perform_all(actions);
    for (const ThreadId t : machine_.threads()) {
      note_error(t);
      out_.trace.threads.push_back({t, machine_.parent(t), machine_.name(t)});
    }
    std::ranges::sort(out_.trace.threads, {}, &TraceThread::id);
    out_.trace.output = machine_.output();
    machine_.record_sites(false);
    return std::move(out_);
  }

 private:
  void perform_all(std::span<const ShownAction> actions) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      const ShownAction& a = actions[i];
      if (before_) before_(i, a);
      if (note_error(a.thread)) {
        if (a.performed) return;
        continue;
      }
      show(a);
      if (!a.performed) continue;
      const ThreadId child = machine_.pending(a.thread).child;
      const bool creates = machine_.pending(a.thread).kind == ActionKind::create;
      machine_.perform(a.thread, a.result, a.clock);
      if (note_error(a.thread)) return;
      if (creates && note_error(child)) return;  // what it does before its first action is done now
    }
  }

  bool note_error(ThreadId t) {
    if (machine_.pending(t).kind != ActionKind::error) return false;
    if (!out_.error) out_.error = machine_.error(t);
    return true;
  }

  void show(const ShownAction& a) {
    TraceStep step;
    step.thread = a.thread;
    step.action = machine_.pending(a.thread);
    step.blocked = a.waits;
    step.performed = a.performed;
    step.result = a.result;
    if (is_access(step.action.kind) || step.action.kind == ActionKind::help || is_meeting(step.action.kind)) {
      step.location = machine_.describe(step.action.addr);
    }
    if (step.action.kind == ActionKind::free) step.location = machine_.object(step.action.addr);
    if (is_access(step.action.kind)) step.type = machine_.type(step.action.addr, step.action.size);
    if (a.waits && is_access(step.action.kind)) step.holders = machine_.holders(step.action.addr);
    step.read = a.read;
    step.written = a.written;
    step.rf = a.rf;
    step.hb.assign(a.clock.begin(), a.clock.end());
    step.position = index(a.thread) < a.clock.size() ? a.clock[index(a.thread)] : 0;
    step.co = a.co;
    step.released = a.released;
    step.acquired = a.acquired;
    for (const std::optional<Value>& v : {step.read, step.written, std::optional(step.action.expected)})
      name_pointer(v);
    out_.trace.steps.push_back(std::move(step));
  }

  void name_pointer(const std::optional<Value>& v) {
    if (!v || v->lo < kFirstPointer || out_.trace.objects.contains(v->lo)) return;
    std::string name = machine_.object(v->lo);
    if (!name.empty()) out_.trace.objects.emplace(v->lo, std::move(name));
  }

  Machine& machine_;
  const BeforeAction& before_;
  Traced out_;
};

}  // namespace

Traced make_trace(Machine& machine, std::span<const ShownAction> actions, const BeforeAction& before) {
  return Tracer(machine, before).run(actions);
}

}  // namespace heddle
