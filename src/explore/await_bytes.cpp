#include "explore/await_bytes.hpp"

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
  if (l.loc != kNoLoc) number(locations_.address(l.loc));
  number(l.choice);
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

void StepWriter::tree(const WakeupTrees& trees, const WakeupTrees::Tree& tree) {
  for (WakeupTrees::Node n = tree.first; n != WakeupTrees::kNone; n = trees.next(n)) {
    number(1);
    label(trees.label(n));
    this->tree(trees, trees.children(n));
  }
  number(0);
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
  while (flag()) {
    const Label root = label();
    trees.append(tree, root, this->tree(trees));
  }
  return tree;
}

}  // namespace heddle
