#include "models/axioms/execution.hpp"

#include <algorithm>

namespace heddle::axioms {
namespace {

bool is_write(const Event& e) { return e.type == Type::write || e.type == Type::init; }
bool is_access(const Event& e) { return is_write(e) || e.type == Type::read; }

bool sequenced(const Event& a, const Event& b) {
  if (a.type == Type::init) return b.type != Type::init;
  return a.thread == b.thread && a.index < b.index;
}

bool is_meeting(const Event& e) { return e.type == Type::arrive || e.type == Type::leave; }

bool meet(const Event& a, const Event& b) {
  return is_meeting(a) && is_meeting(b) && a.location == b.location && a.places == b.places;
}

bool synchronises(const Event& a, const Event& b) {
  if (a.type == Type::arrive) return b.type == Type::leave && meet(a, b) && a.phase == b.phase;
  return (a.type == Type::create && a.child == b.thread && b.index == 0) ||
         (a.type == Type::exit && b.type == Type::join && b.child == a.thread);
}

bool accesses_same(const Event& a, const Event& b) { return is_access(a) && is_access(b) && a.location == b.location; }

template <typename Definition>
void relate(const Execution& x, std::size_t a, Relation& r, Definition definition) {
  for (std::size_t b = 0; b < x.events.size(); ++b) {
    if (definition(x.events[a], x.events[b])) r.add(a, b);
  }
}

std::string malformed_read(const Execution& x, const Event& r) {
  if (r.rf < 0 || r.rf >= static_cast<int>(x.events.size())) return "a read reads from nothing";
  const Event& w = x.events[static_cast<std::size_t>(r.rf)];
  if (!is_write(w) || w.location != r.location) return "a read reads from no write of its location";
  if (w.value != r.value) return "a read has another value than its write";
  return {};
}

std::string malformed_co(const Execution& x) {
  std::vector<int> seen(x.events.size());
  for (const std::vector<int>& order : x.co) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Event& w = x.events[static_cast<std::size_t>(order[i])];
      ++seen[static_cast<std::size_t>(order[i])];
      if (!is_write(w) || w.location != x.events[static_cast<std::size_t>(order[0])].location)
        return "a co of two locations";
      if ((i == 0) != (w.type == Type::init)) return "a co that does not start with its one init";
    }
  }
  for (std::size_t e = 0; e < x.events.size(); ++e) {
    if (seen[e] != (is_write(x.events[e]) ? 1 : 0)) return "a write that is not in exactly one co";
  }
  return {};
}

std::string malformed_rmw(const Execution& x) {
  std::vector<int> seen(x.events.size());
  for (const auto& [r, w] : x.rmw) {
    const Event& read = x.events[static_cast<std::size_t>(r)];
    const Event& write = x.events[static_cast<std::size_t>(w)];
    ++seen[static_cast<std::size_t>(r)];
    ++seen[static_cast<std::size_t>(w)];
    if (read.type != Type::read || write.type != Type::write || read.location != write.location ||
        read.thread != write.thread || read.index + 1 != write.index) {
      return "an rmw that is no read and write of one location in a row";
    }
  }
  for (std::size_t e = 0; e < x.events.size(); ++e) {
    if (seen[e] != (x.events[e].exclusive ? 1 : 0)) return "an exclusive event that is not in exactly one rmw";
  }
  return {};
}

std::string malformed_threads(const Execution& x) {
  std::vector<std::pair<int, int>> names;
  for (const Event& e : x.events) {
    if (e.type != Type::init) names.emplace_back(e.thread, e.index);
  }
  std::sort(names.begin(), names.end());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool first = i == 0 || names[i].first != names[i - 1].first;
    if (names[i].second != (first ? 0 : names[i - 1].second + 1)) return "a thread with a gap";
  }
  return {};
}

void append(std::string& s, Value v) {
  s += std::to_string(v.lo);
  if (v.hi != 0) s += ":" + std::to_string(v.hi);
}

void append_name(std::string& s, const Event& e) {
  if (e.type == Type::init) {
    s += "init";
  } else {
    s += std::to_string(e.thread);
    s += '.';
    s += std::to_string(e.index);
  }
}

void append_label(std::string& s, const Execution& x, const Event& e) {
  static constexpr const char* kNames[] = {"init", "R",    "W",      "F",     "create",
                                           "join", "exit", "arrive", "leave", "choose"};
  s += kNames[static_cast<int>(e.type)];
  if (is_access(e) || e.type == Type::fence) {
    if (e.exclusive) s += "x";
    s += '.';
    s += name(e.mode);
  }
  if (e.child != kNone) s += ' ' + std::to_string(e.child);
  if (is_access(e) || is_meeting(e)) s += ' ' + std::to_string(e.location);
  if (is_meeting(e)) s += ':' + std::to_string(e.places) + '@' + std::to_string(e.phase);
  if (e.type == Type::arrive) s += '+' + std::to_string(e.weight) + '-' + std::to_string(e.last);
  if (is_access(e) || e.type == Type::leave || e.type == Type::other) {
    s += '=';
    append(s, e.value);
  }
  if (e.type == Type::read) {
    s += '<';
    append_name(s, x.events[static_cast<std::size_t>(e.rf)]);
  }
}

}  // namespace

std::string malformed(const Execution& x) {
  for (const Event& e : x.events) {
    if (e.type != Type::read) continue;
    if (std::string p = malformed_read(x, e); !p.empty()) return p;
  }
  for (const auto check : {malformed_co, malformed_rmw, malformed_threads}) {
    if (std::string p = check(x); !p.empty()) return p;
  }
  return {};
}

Relations::Relations(const Execution& x)
    : E(x.events.size()),
      R(E),
      W(E),
      F(E),
      rlx(E),
      acq(E),
      rel(E),
      sc(E),
      locked(E),
      T(E),
      sb(x.events.size()),
      asw(sb),
      rf(sb),
      co(sb),
      rmw(sb),
      same_loc(sb),
      rb(sb) {
  for (std::size_t a = 0; a < x.events.size(); ++a) {
    const Event& e = x.events[a];
    E.add(a);
    if (e.type == Type::read) R.add(a);
    if (is_write(e)) W.add(a);
    if (e.type == Type::fence) F.add(a);
    if (is_atomic(e.mode)) rlx.add(a);
    if (is_acquire(e.mode)) acq.add(a);
    if (is_release(e.mode)) rel.add(a);
    if (is_sc(e.mode)) sc.add(a);
    if (e.locked || e.exclusive) locked.add(a);
    if (e.type == Type::create || e.type == Type::join || e.type == Type::exit || e.type == Type::arrive) T.add(a);
    if (e.type == Type::read) rf.add(static_cast<std::size_t>(e.rf), a);
    relate(x, a, sb, sequenced);
    if (T[a] && e.type != Type::join) relate(x, a, asw, synchronises);
    if (is_access(e)) relate(x, a, same_loc, accesses_same);
  }
  for (const std::vector<int>& order : x.co) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        co.add(static_cast<std::size_t>(order[i]), static_cast<std::size_t>(order[j]));
      }
    }
  }
  for (const auto& [r, w] : x.rmw) rmw.add(static_cast<std::size_t>(r), static_cast<std::size_t>(w));
  rb = seq(inverse(rf), co);
}

Attendance attendance(const Execution& x, Address location, uint64_t places, uint64_t phase, const Set& among) {
  Attendance n{0, places};
  Event here;
  here.type = Type::leave;
  here.location = location;
  here.places = places;
  for (std::size_t e = 0; e < x.events.size(); ++e) {
    const Event& a = x.events[e];
    if (!among[e] || a.type != Type::arrive || !meet(a, here)) continue;
    if (a.phase == phase) n.arrived += a.weight;
    if (a.phase < phase) n.places -= a.last;
  }
  return n;
}

Relation eco(const Relations& x) { return plus(x.co | x.rf | x.rb); }

std::string canonical(const Execution& x, bool with_co) {
  std::vector<const Event*> order;
  order.reserve(x.events.size());
  for (const Event& e : x.events) {
    if (e.type != Type::init) order.push_back(&e);
  }
  std::sort(order.begin(), order.end(), [](const Event* a, const Event* b) {
    return std::pair(a->thread, a->index) < std::pair(b->thread, b->index);
  });
  std::string s;
  s.reserve(16 * order.size());
  int thread = kNone;
  for (const Event* e : order) {
    if (e->thread != thread) s += std::to_string(thread = e->thread) + ": ";
    append_label(s, x, *e);
    s += "; ";
  }
  if (!with_co) return s;
  std::vector<const std::vector<int>*> cos;
  for (const std::vector<int>& co : x.co) {
    if (co.size() > 1) cos.push_back(&co);
  }
  const auto location = [&](const std::vector<int>* co) {
    return x.events[static_cast<std::size_t>(co->front())].location;
  };
  std::sort(cos.begin(), cos.end(), [&](const auto* a, const auto* b) { return location(a) < location(b); });
  for (const std::vector<int>* co : cos) {
    s += "co " + std::to_string(location(co)) + ":";
    for (std::size_t i = 1; i < co->size(); ++i) {
      s += ' ';
      append_name(s, x.events[static_cast<std::size_t>((*co)[i])]);
    }
    s += "; ";
  }
  return s;
}

std::vector<Value> final_memory(const Execution& x) {
  std::vector<Value> values;
  values.reserve(x.co.size());
  for (const std::vector<int>& co : x.co) values.push_back(x.events[static_cast<std::size_t>(co.back())].value);
  return values;
}

}  // namespace heddle::axioms
