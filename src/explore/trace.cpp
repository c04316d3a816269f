#include "explore/trace.hpp"

#include "explore/replay.hpp"

namespace heddle {
namespace {

class Tracer {
 public:
  Tracer(const Graph& g, Machine& machine) : g_(g), machine_(machine) { out_.step_of.assign(g.size(), -1); }

  GraphTrace run(bool stuck) {
    machine_.record_sites(true);
    machine_.restart();
    const bool whole = perform_all();
    if (whole) {
      for (const ThreadId t : machine_.threads()) stuck ? waiting(t) : void(last_read(t));
      for (const ThreadId t : machine_.threads()) note_error(t);
    }
    name_threads();
    out_.trace.output = machine_.output();
    machine_.record_sites(false);
    return std::move(out_);
  }

 private:
  // False if a thread fails on the way: in this order a race may show before the thread gets to its recorded actions.
  bool perform_all() {
    Schedule schedule;
    for (const Run& run : schedule(g_)) {
      const auto events = g_.thread(run.thread);
      for (uint32_t i = run.from; i < run.to;) {
        if (note_error(run.thread)) return false;
        const uint32_t width = action_width(g_, events, i);
        show(run.thread, events[i], width == 2 ? events[i + 1] : kNoEvent, false);
        i += width;
        machine_.perform(run.thread, g_[events[i - width]].value, g_.hb(events[i - 1]));
      }
      if (note_error(run.thread)) return false;
    }
    return true;
  }

  bool note_error(ThreadId t) {
    if (machine_.pending(t).kind != ActionKind::error) return false;
    if (!out_.error) out_.error = machine_.error(t);
    return true;
  }

  void show(ThreadId t, EventId e, EventId write, bool blocked) {
    const Event& event = g_[e];
    TraceStep step;
    step.thread = t;
    step.action = machine_.pending(t);
    step.blocked = blocked;
    if (is_access(step.action.kind) || step.action.kind == ActionKind::help)
      step.location = machine_.describe(step.action.addr);
    if (event.is_read()) {
      step.read = event.value;
      if (event.rf != kInit) step.rf = out_.step_of[index(event.rf)];
    }
    if (event.is_write()) step.written = event.value;
    if (event.kind == EventKind::choice) step.read = event.value;
    if (write != kNoEvent) {
      step.written = g_[write].value;
      out_.step_of[index(write)] = static_cast<int>(out_.trace.steps.size());
    }
    out_.step_of[index(e)] = static_cast<int>(out_.trace.steps.size());
    out_.trace.steps.push_back(std::move(step));
  }

  // A thread that waits for ever: in a read of an await, or in a join.
  void waiting(ThreadId t) {
    if (last_read(t) || machine_.pending(t).kind != ActionKind::join) return;
    TraceStep step;
    step.thread = t;
    step.action = machine_.pending(t);
    step.blocked = true;
    out_.trace.steps.push_back(std::move(step));
  }

  // A read that is in the graph but not performed: a wait, or an rmw that goes no further.
  bool last_read(ThreadId t) {
    const EventId last = g_.last(t);
    if (machine_.pending(t).kind == ActionKind::error || last == kNoEvent || !g_[last].is_read() ||
        !(g_[last].blocked || g_.open(last)))
      return false;
    show(t, last, kNoEvent, g_[last].blocked);
    return true;
  }

  void name_threads() {
    for (std::size_t t = 0; t < g_.thread_count(); ++t) {
      const auto id = ThreadId(t);
      if (id != kMain && g_.creation(id) == kNoEvent) continue;
      out_.trace.threads.push_back({id, machine_.parent(id), machine_.name(id)});
    }
  }

  const Graph& g_;
  Machine& machine_;
  GraphTrace out_;
};

}  // namespace

GraphTrace make_trace(const Graph& g, Machine& machine, bool stuck) { return Tracer(g, machine).run(stuck); }

}  // namespace heddle
