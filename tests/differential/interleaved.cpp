#include "differential/interleaved.hpp"

#include <algorithm>

namespace heddle::differential {

bool writes(const Done& d) {
  return d.action.kind == ActionKind::store || d.action.kind == ActionKind::rmw ||
         (d.action.kind == ActionKind::cas && d.result == d.action.expected);
}

Interleaved::Interleaved(const Script& script) : script_(&script) {
  for (std::size_t t = 0; t < script.threads.size(); ++t) {
    threads_.push_back(script_start(script, ThreadId(t)));
    created_.push_back(t == 0);
  }
  for (const ScriptLocation& l : script.locations) {
    memory_.push_back({l.initial, 0});
    meetings_.push_back({.places = l.places});
  }
}

bool Interleaved::enabled(std::size_t t) const {
  if (!created_[t]) return false;
  const Action a = pending(t);
  if (is_final(a.kind)) return false;
  if (a.kind == ActionKind::join) return threads_[index(a.child)].exited;
  if (a.kind == ActionKind::leave) {
    const Meeting& m = meetings_[script_location(a.addr)];
    return m.phase > a.operand.lo || m.places == 0;
  }
  return !is_read(a.kind) || satisfied(a, value(a.addr));
}

Done Interleaved::step(std::size_t t, uint64_t choice) {
  Done d{t, pending(t), {choice, 0}};
  const Action& a = d.action;
  if (is_access(a.kind)) {
    Value& cell = memory_[script_location(a.addr)];
    d.result = a.kind == ActionKind::store ? Value{} : cell;
    if (writes(d)) cell = a.kind == ActionKind::rmw ? apply(a.op, cell, a.operand, a.size) : a.operand;
  }
  if (a.kind == ActionKind::arrive) d.result = {arrive(a), 0};
  if (a.kind == ActionKind::create) created_[index(a.child)] = true;
  script_step(*script_, ThreadId(t), threads_[t], d.result);
  return d;
}

uint64_t Interleaved::arrive(const Action& a) {
  Meeting& m = meetings_[script_location(a.addr)];
  const uint64_t phase = m.phase;
  m.arrived += a.operand.lo;
  m.dropped += a.operand.hi;
  if (m.arrived < m.places) return phase;
  m = {.phase = m.phase + 1, .places = m.places - m.dropped};
  return phase;
}

std::set<std::string>& Interleaved::end_among(Forms& forms) const {
  bool all_exited = true;
  bool stopped = false;
  bool failed = false;
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    if (!created_[t]) continue;
    const Action a = pending(t);
    failed |= a.kind == ActionKind::error;
    all_exited &= a.kind == ActionKind::done;
    stopped |= a.kind == ActionKind::block || a.assumed;
  }
  return failed ? forms.errors : all_exited ? forms.complete : stopped ? forms.blocked : forms.deadlocks;
}

std::vector<Done> steps_of(const Graph& g, const Script& script, std::string& wrong) {
  Interleaved s(script);
  std::vector<Done> steps;
  for (std::size_t i = 0; i < g.size(); ++i) {
    const Event& e = g[EventId(i)];
    if (e.blocked || (e.is_write() && e.exclusive)) continue;
    steps.push_back(s.step(index(e.thread), e.value.lo));
    if (e.is_read() && steps.back().result != e.value) wrong = "a read does not find the last value\n";
  }
  return steps;
}

bool has_found(const Result& r, std::initializer_list<ErrorKind> kinds) {
  return std::ranges::any_of(r.findings,
                             [&](const Finding& f) { return std::ranges::find(kinds, f.error.kind) != kinds.end(); });
}

Request sc_request(Algorithm algorithm) {
  Request request;
  request.algorithm = algorithm;
  request.model = ModelKind::sc;
  request.keep_going = true;
  request.races_ignore = true;
  return request;
}

}  // namespace heddle::differential
