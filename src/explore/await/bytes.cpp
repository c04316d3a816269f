#include "explore/await/bytes.hpp"

namespace heddle {

void StepWriter::thread(ThreadId t) {
  number(t != kNoThread);
  if (t != kNoThread) number(static_cast<uint64_t>(paths_.path(t)));
}

void StepWriter::label(const Label& l) {
  thread(l.thread);
  thread(l.creates);
  thread(l.joins);
  number(static_cast<uint64_t>(l.effect));
  if (l.effect != Effect::none) number(locations_.address(l.loc));
  number(l.choice);
  number(l.met.at != kNoLoc);
  if (l.met.at == kNoLoc) return;
  number(locations_.address(l.met.at));
  number(l.met.places);
  number(l.met.phase);
  number(l.met.leaves);
}

void StepWriter::labels(std::span<const Label> list) {
  number(list.size());
  for (const Label& l : list) label(l);
}

void StepWriter::sleep(const SleepSet& set) {
  number(set.strict);
  number(set.steps.size());
  for (const Sleeper& s : set.steps) {
    label(s.step);
    number(s.open);
  }
}

// A wakeup sequence may be long: no recursion.
void StepWriter::tree(const WakeupTrees& trees, const WakeupTrees::Tree& tree) {
  std::vector<WakeupTrees::Node> way{tree.first};
  while (!way.empty()) {
    const WakeupTrees::Node n = way.back();
    number(n != WakeupTrees::kNone);
    if (n == WakeupTrees::kNone) {
      way.pop_back();
      continue;
    }
    label(trees.label(n));
    way.back() = trees.next(n);
    way.push_back(trees.children(n).first);
  }
}

ThreadId StepReader::thread() { return flag() ? paths_.thread_at(ThreadPath(number())) : kNoThread; }

Label StepReader::label() {
  Label l;
  l.thread = thread();
  l.creates = thread();
  l.joins = thread();
  l.effect = static_cast<Effect>(number(static_cast<uint64_t>(Effect::bxor) + 1));
  if (l.effect != Effect::none) l.loc = locations_(number());
  l.choice = static_cast<uint32_t>(number());
  if (flag()) {
    l.met.at = locations_(number());
    l.met.places = static_cast<uint32_t>(number());
    l.met.phase = static_cast<uint32_t>(number());
    l.met.leaves = flag();
  }
  return l;
}

std::vector<Label> StepReader::labels() {
  std::vector<Label> list(count());
  for (Label& l : list) l = label();
  return list;
}

SleepSet StepReader::sleep() {
  SleepSet set;
  set.strict = flag();
  set.steps.resize(count());
  for (Sleeper& s : set.steps) {
    s.step = label();
    s.open = flag();
  }
  return set;
}

WakeupTrees::Tree StepReader::tree(WakeupTrees& trees) {
  WakeupTrees::Tree tree;
  std::vector<WakeupTrees::Node> way{WakeupTrees::kNone};
  while (!way.empty()) {
    if (flag()) {
      way.push_back(trees.append(tree, way.back(), label()));
    } else {
      way.pop_back();
    }
  }
  return tree;
}

}  // namespace heddle
