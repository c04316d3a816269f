#include "differential/symmetric.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "differential/brute_force.hpp"
#include "differential/collect.hpp"
#include "script/twins.hpp"

namespace heddle::differential {
namespace {

using axioms::Event;
using axioms::Execution;
using axioms::Type;

// The threads in groups that can be exchanged.
std::vector<std::vector<int>> groups_of(const Script& script) {
  const std::vector<ThreadId> twins = script_twins(script);
  std::vector<std::vector<int>> groups;
  std::vector<std::size_t> group(twins.size());
  for (std::size_t t = 0; t < twins.size(); ++t) {
    if (twins[t] == kNoThread) {
      group[t] = groups.size();
      groups.emplace_back();
    } else {
      group[t] = group[index(twins[t])];
    }
    groups[group[t]].push_back(static_cast<int>(t));
  }
  return groups;
}

// Every exchange of threads within their groups, as what each thread becomes.
void for_each_exchange(const std::vector<std::vector<int>>& groups, std::size_t g, std::vector<int>& to,
                       const std::function<void()>& visit) {
  if (g == groups.size()) return visit();
  std::vector<int> order = groups[g];
  do {
    for (std::size_t i = 0; i < order.size(); ++i) to[static_cast<std::size_t>(groups[g][i])] = order[i];
    for_each_exchange(groups, g + 1, to, visit);
  } while (std::next_permutation(order.begin(), order.end()));
}

std::vector<std::vector<std::size_t>> by_thread(const Execution& x, std::size_t threads) {
  std::vector<std::vector<std::size_t>> events(threads);
  for (std::size_t e = 0; e < x.events.size(); ++e) {
    if (x.events[e].type != Type::init) events[static_cast<std::size_t>(x.events[e].thread)].push_back(e);
  }
  for (auto& list : events) {
    std::sort(list.begin(), list.end(),
              [&](std::size_t a, std::size_t b) { return x.events[a].index < x.events[b].index; });
  }
  return events;
}

// Joins in a row may come in any order.
void sort_joins(Execution& x, std::size_t threads) {
  for (const auto& events : by_thread(x, threads)) {
    for (std::size_t i = 0; i < events.size();) {
      std::vector<int> children;
      std::size_t j = i;
      for (; j < events.size() && x.events[events[j]].type == Type::join; ++j) {
        children.push_back(x.events[events[j]].child);
      }
      std::sort(children.begin(), children.end());
      for (std::size_t k = 0; k < children.size(); ++k) x.events[events[i + k]].child = children[k];
      i = std::max(j, i + 1);
    }
  }
}

// A thread that is stuck in a row of joins has got to one or another of them.
Execution without_last_joins(const Execution& x, std::size_t threads) {
  std::vector<bool> keep(x.events.size(), true);
  for (const auto& events : by_thread(x, threads)) {
    for (std::size_t i = events.size(); i-- > 0 && x.events[events[i]].type == Type::join;) keep[events[i]] = false;
  }
  return restricted(x, keep);
}

// A mutex that is held has the number of its holder, from 1.
Execution exchanged(const Script& script, const Execution& x, const std::vector<int>& to) {
  Execution y = x;
  for (Event& e : y.events) {
    const bool access = e.type == Type::read || e.type == Type::write;
    if (access && script.locations[script_location(e.location)].mutex && e.value.lo != 0) {
      e.value.lo = static_cast<uint64_t>(to[e.value.lo - 1]) + 1;
    }
    if (e.thread != axioms::kNone) e.thread = to[static_cast<std::size_t>(e.thread)];
    // The creates stay as they are: each creates the thread with the name that it has now.
    if (e.type == Type::join) e.child = to[static_cast<std::size_t>(e.child)];
  }
  sort_joins(y, to.size());
  return y;
}

bool has_co_cycle(const Execution& x) {
  const axioms::Relations r(x);
  return !acyclic(r.sb | r.asw | r.rf | r.co);
}

struct SymmetricReference {
  std::set<std::string> complete;  // forms
  std::set<std::string> blocked;
  std::set<std::string> all;  // canonical forms of the complete ones
  bool error = false;
  bool deadlock = false;
  bool cycle = false;
  bool crowded = false;
  std::string broken;
};

bool found(const Result& r, ErrorKind a, ErrorKind b) {
  return std::any_of(r.findings.begin(), r.findings.end(),
                     [&](const Finding& f) { return f.error.kind == a || f.error.kind == b; });
}

// More arrive in a phase than there are places: that is all that is told, unless an error or refusal comes before.
std::string crowd_disagrees(const Script& script, axioms::Model model, const SymmetricReference& wanted) {
  Request request;
  request.model = model;
  request.keep_going = true;
  request.races_ignore = true;
  try {
    const Result r = collect(script, request, {}, true).result;
    if (!wanted.error && !found(r, ErrorKind::symmetry, ErrorKind::symmetry)) return "a crowd was not seen\n";
  } catch (const UserError&) {
  }
  return "";
}

}  // namespace

Execution restricted(const Execution& x, const std::vector<bool>& keep) {
  Execution y;
  std::vector<int> renamed(x.events.size(), axioms::kNone);
  for (std::size_t e = 0; e < x.events.size(); ++e) {
    if (!keep[e]) continue;
    renamed[e] = static_cast<int>(y.events.size());
    y.events.push_back(x.events[e]);
  }
  const auto name = [&](int e) { return e == axioms::kNone ? e : renamed[static_cast<std::size_t>(e)]; };
  for (Event& e : y.events) e.rf = name(e.rf);
  for (const std::vector<int>& co : x.co) {
    y.co.emplace_back();
    for (const int w : co) {
      if (name(w) != axioms::kNone) y.co.back().push_back(name(w));
    }
  }
  for (const auto& [r, w] : x.rmw) {
    if (name(w) != axioms::kNone) {
      y.rmw.emplace_back(name(r), name(w));
    } else if (name(r) != axioms::kNone) {
      y.events[static_cast<std::size_t>(name(r))].exclusive = false;
    }
  }
  return y;
}

std::string symmetric_form(const Script& script, const Execution& from) {
  const Execution x = without_last_joins(from, script.threads.size());
  std::vector<int> to(script.threads.size());
  std::string least;
  for_each_exchange(groups_of(script), 0, to, [&] {
    std::string form = axioms::canonical(exchanged(script, x, to));
    if (least.empty() || form < least) least = std::move(form);
  });
  return least;
}

std::optional<std::string> symmetric_disagreement(const Script& script, axioms::Model model, uint64_t limit,
                                                  SymmetricTally* tally) {
  SymmetricReference wanted;
  const bool all = brute_force(script, model, limit, [&](const Full& f) {
    wanted.crowded |= f.ending == Ending::crowded;
    if (f.ending == Ending::crowded) return;
    if (f.ending == Ending::complete && confirmed(script, f.execution)) {
      wanted.all.insert(axioms::canonical(f.execution));
      wanted.complete.insert(symmetric_form(script, f.execution));
    }
    if (f.ending == Ending::blocked) wanted.blocked.insert(symmetric_form(script, f.execution));
    wanted.error |= f.ending == Ending::error;
    wanted.deadlock |= f.deadlock;
    wanted.cycle |= has_co_cycle(f.execution);
  });
  if (!all) return std::nullopt;
  if (wanted.crowded) return crowd_disagrees(script, model, wanted);

  std::string text;
  std::set<std::string> complete;
  Request request;
  request.model = model;
  request.keep_going = true;
  request.races_ignore = true;
  const Explored explored = collect(
      script, request,
      [&](const Full& f) {
        const bool ended = f.ending == Ending::complete;
        const std::string form = symmetric_form(script, f.execution);
        // One in which an await has lost may be reached by several ways: it waits in the end whoever has won.
        if (ended && !complete.insert(form).second) text += "explored twice: " + form + "\n";
        if (!(ended ? wanted.complete : wanted.blocked).contains(form)) text += "wrong: " + form + "\n";
      },
      true, [&] { complete.clear(); });
  const Result& r = explored.result;
  const bool refused = found(r, ErrorKind::symmetry, ErrorKind::symmetry);
  const bool apart = std::any_of(r.findings.begin(), r.findings.end(), [](const Finding& f) {
    return f.error.kind == ErrorKind::symmetry && f.error.message.find("joins") != std::string::npos;
  });
  if (refused && !apart && !wanted.error && !wanted.cycle) text += "wrong refusal of symmetry\n";
  if (!refused && !wanted.error) {
    for (const std::string& form : wanted.complete) {
      if (!complete.contains(form)) text += "missing: " + form + "\n";
    }
  }
  if (!refused && found(r, ErrorKind::assertion, ErrorKind::assertion) != wanted.error) text += "wrong assertion\n";
  if (!refused && !wanted.error && found(r, ErrorKind::deadlock, ErrorKind::livelock) != wanted.deadlock) {
    text += "wrong deadlock\n";
  }
  if (tally != nullptr) *tally = {wanted.complete.size(), wanted.all.size(), refused};
  return text;
}

}  // namespace heddle::differential
