// Steps, wakeup sequences and wakeup trees as bytes: threads by their paths, locations by their addresses.
#pragma once

#include <span>
#include <vector>

#include "core/bytes.hpp"
#include "core/thread_paths.hpp"
#include "explore/await/wakeup_tree.hpp"
#include "graph/locations.hpp"

namespace heddle {

class StepWriter : public ByteWriter {
 public:
  StepWriter(const ThreadPaths& paths, const Locations& locations) : paths_(paths), locations_(locations) {}

  void label(const Label& l);
  void labels(std::span<const Label> list);
  void sleep(const SleepSet& set);
  void tree(const WakeupTrees& trees, const WakeupTrees::Tree& tree);

 private:
  void thread(ThreadId t);

  const ThreadPaths& paths_;
  const Locations& locations_;
};

class StepReader : public ByteReader {
 public:
  StepReader(std::string_view bytes, ThreadPaths& paths, Locations& locations)
      : ByteReader(bytes), paths_(paths), locations_(locations) {}

  Label label();
  std::vector<Label> labels();
  SleepSet sleep();
  WakeupTrees::Tree tree(WakeupTrees& trees);

 private:
  ThreadId thread();

  ThreadPaths& paths_;
  Locations& locations_;
};

}  // namespace heddle
