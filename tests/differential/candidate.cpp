#include "differential/candidate.hpp"

#include <algorithm>

namespace heddle::differential {

using axioms::Event;
using axioms::Type;

Candidate::Candidate(const Script& script, axioms::Model model)
    : threads(script.threads.size()), script_(&script), model_(model), progress_(script.threads.size()) {
  for (unsigned l = 0; l < script.locations.size(); ++l) {
    Event e;
    e.type = Type::init;
    e.location = script_address(l);
    e.value = {script.locations[l].initial, 0};
    execution.events.push_back(e);
    execution.co.push_back({static_cast<int>(l)});
  }
  threads[0] = script_start(script, kMain);
  progress_[0].created = true;
}

std::optional<Action> Candidate::next(std::size_t thread) const {
  if (!progress_[thread].created || progress_[thread].waits != axioms::kNone) return std::nullopt;
  const Action a = script_action(*script_, ThreadId(thread), threads[thread]);
  if (is_final(a.kind)) return std::nullopt;
  if (a.kind == ActionKind::join && !threads[index(a.child)].exited) return std::nullopt;
  if (a.kind == ActionKind::leave) {
    axioms::Set all(execution.events.size());
    for (std::size_t e = 0; e < execution.events.size(); ++e) all.add(e);
    const auto n = axioms::attendance(execution, a.addr, a.expected.lo, a.operand.lo, all);
    if (n.arrived < n.places) return std::nullopt;
  }
  return a;
}

bool Candidate::stopped(std::size_t thread, ActionKind why) const {
  return progress_[thread].created && script_action(*script_, ThreadId(thread), threads[thread]).kind == why;
}

bool Candidate::writes(const Action& a, Value read) {
  return satisfied(a, read) && (a.kind == ActionKind::rmw || (a.kind == ActionKind::cas && read == a.expected));
}

int Candidate::add(std::size_t thread, Type type, Mode mode) {
  Event e;
  e.type = type;
  e.mode = mode;
  e.thread = static_cast<int>(thread);
  e.index = progress_[thread].count++;
  execution.events.push_back(e);
  return static_cast<int>(execution.events.size()) - 1;
}

int Candidate::add_write(std::size_t thread, const Action& a, Mode mode, Value value, std::size_t co_position) {
  const int w = add(thread, Type::write, mode);
  execution.events.back().location = a.addr;
  execution.events.back().value = value;
  std::vector<int>& co = order(a.addr);
  co.insert(co.begin() + static_cast<std::ptrdiff_t>(co_position), w);
  return w;
}

void Candidate::store(std::size_t thread, std::size_t co_position) {
  const Action a = *next(thread);
  add_write(thread, a, a.mode, a.operand, co_position);
  script_step(*script_, ThreadId(thread), threads[thread], {});
}

void Candidate::read(std::size_t thread, int from, std::size_t co_position) {
  const Action a = *next(thread);
  const Value value = execution.events[static_cast<std::size_t>(from)].value;
  const bool exclusive = writes(a, value);
  const bool failed_cas = has_fail_mode(a) && !exclusive;
  const Mode mode = failed_cas ? a.fail_mode : read_part(a.mode);
  const int r = add(thread, Type::read, mode);
  execution.events.back().location = a.addr;
  execution.events.back().value = value;
  execution.events.back().rf = from;
  execution.events.back().exclusive = exclusive;
  execution.events.back().locked = a.kind != ActionKind::load;
  if (exclusive) {
    const Value written = a.kind == ActionKind::cas ? a.operand : apply(a.op, value, a.operand, a.size);
    const int w = add_write(thread, a, write_part(a.mode), written, co_position);
    execution.events.back().exclusive = true;
    execution.rmw.emplace_back(r, w);
  }
  if (!satisfied(a, value)) progress_[thread].waits = r;
  script_step(*script_, ThreadId(thread), threads[thread], value);
}

void Candidate::other(std::size_t thread, Value result) {
  const Action a = *next(thread);
  const Type type = a.kind == ActionKind::fence    ? Type::fence
                    : a.kind == ActionKind::create ? Type::create
                    : a.kind == ActionKind::join   ? Type::join
                    : a.kind == ActionKind::exit   ? Type::exit
                    : a.kind == ActionKind::arrive ? Type::arrive
                    : a.kind == ActionKind::leave  ? Type::leave
                                                   : Type::other;
  add(thread, type, a.mode);
  if (type == Type::other) execution.events.back().value = result;
  if (type == Type::arrive || type == Type::leave) {
    Event& e = execution.events.back();
    e.location = a.addr;
    e.places = a.expected.lo;
    e.phase = a.operand.lo;
    if (type == Type::arrive) {
      e.weight = a.operand.lo;
      e.last = a.operand.hi;
      const axioms::Relations relations(execution);
      e.phase = axioms::phase_of(execution, execution.events.size() - 1, axioms::hb_of(model_, relations));
      result = {e.phase, 0};
      const auto n = axioms::attendance(execution, a.addr, e.places, e.phase, relations.E);
      crowded |= n.arrived > n.places;
    }
  }
  if (a.child != kNoThread) execution.events.back().child = static_cast<int>(index(a.child));
  if (type == Type::create) {
    progress_[index(a.child)].created = true;
    threads[index(a.child)] = script_start(*script_, a.child);
  }
  script_step(*script_, ThreadId(thread), threads[thread], result);
}

Full Candidate::full() const {
  Full f{execution, threads};
  bool all_exited = true;
  bool failed = false;
  bool assumed = false;
  bool waits_for_last = true;
  for (std::size_t t = 0; t < thread_count(); ++t) {
    if (!progress_[t].created) continue;
    all_exited &= threads[t].exited;
    failed |= stopped(t, ActionKind::error);
    assumed |= stopped(t, ActionKind::block);
    if (progress_[t].waits == axioms::kNone) continue;
    assumed |= script_action(*script_, ThreadId(t), threads[t]).assumed;
    const Event& r = execution.events[static_cast<std::size_t>(progress_[t].waits)];
    waits_for_last &= r.rf == order(r.location).back();
  }
  f.ending = failed ? Ending::error : all_exited ? Ending::complete : Ending::blocked;
  f.deadlock = f.ending == Ending::blocked && !assumed && waits_for_last;
  return f;
}

// Every read's source, every choice and co determine an execution of a deterministic program.
std::string Candidate::key(bool with_co) const {
  std::string key;
  std::vector<const Event*> reads;
  const auto name = [&](int e) {
    const Event& event = execution.events[static_cast<std::size_t>(e)];
    key += static_cast<char>(event.thread);
    key += static_cast<char>(event.index);
  };
  for (const Event& e : execution.events) {
    if (e.type == Type::read || e.type == Type::other) reads.push_back(&e);
  }
  std::sort(reads.begin(), reads.end(), [](const Event* a, const Event* b) {
    return a->thread != b->thread ? a->thread < b->thread : a->index < b->index;
  });
  for (const Event* e : reads) {
    key += static_cast<char>(e->thread);
    key += static_cast<char>(e->index);
    if (e->type == Type::read) {
      name(e->rf);
    } else {
      key += std::to_string(e->value.lo);
    }
  }
  for (const std::vector<int>& co : execution.co) {
    if (!with_co) break;
    key += static_cast<char>(0x7f);
    for (std::size_t i = 1; i < co.size(); ++i) name(co[i]);
  }
  for (const Progress& p : progress_) key += static_cast<char>(p.count);
  return key;
}

bool confirmed(const Script& script, const axioms::Execution& x) {
  for (std::size_t t = 0; t < script.threads.size() && script.confirms; ++t) {
    std::vector<const Event*> events;
    for (const Event& e : x.events) {
      if (e.thread == static_cast<int>(t)) events.push_back(&e);
    }
    std::ranges::sort(events, {}, &Event::index);
    ScriptThread state = script_start(script, ThreadId(t));
    for (std::size_t i = 0; i < events.size(); i += events[i]->type == Type::read && events[i]->exclusive ? 2 : 1) {
      const Action a = script_action(script, ThreadId(t), state);
      if (a.confirms && i > 0 && events[i]->rf != events[i - 1]->rf) return false;
      script_step(script, ThreadId(t), state, events[i]->value);
    }
  }
  return true;
}

}  // namespace heddle::differential
