// Graphs to bytes and back, and bytes that are no graph.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "unit/graph/random_graphs.hpp"

namespace heddle {
namespace {

using differential::to_execution;

// Another process: the same threads have other ids there.
class OtherIds : public ThreadPaths {
 public:
  ThreadPath path(ThreadId t) const override { return ThreadPath(index(t)); }
  ThreadId thread_at(ThreadPath p) override {
    if (p == ThreadPath(0)) return kMain;
    return ids_.emplace(p, ThreadId(20 - static_cast<uint64_t>(p))).first->second;
  }
  ThreadId back(ThreadId t) const {
    for (const auto& [path, id] : ids_) {
      if (id == t) return ThreadId(static_cast<uint64_t>(path));
    }
    return kMain;
  }

 private:
  std::map<ThreadPath, ThreadId> ids_;
};

class SameIds : public ThreadPaths {
 public:
  ThreadPath path(ThreadId t) const override { return ThreadPath(index(t)); }
  ThreadId thread_at(ThreadPath p) override { return ThreadId(static_cast<uint64_t>(p)); }
};

Conditions conditions;

std::string saved(const Graph& g) {
  Writer out;
  g.save(out, SameIds());
  return out.bytes();
}

TEST(GraphBytes, WhatIsReadIsWhatWasWritten) {
  on_random_graphs(300, [](const Graph& g, const Script& script, std::size_t) {
    ASSERT_EQ(g.check(), "");
    const std::string bytes = saved(g);
    Locations locations;
    locations(0x1234);  // other ids
    Graph again(locations);
    SameIds paths;
    Reader in(bytes);
    again.load(in, paths, conditions);
    ASSERT_TRUE(in.at_end());
    ASSERT_EQ(again.check(), "");
    ASSERT_EQ(axioms::canonical(to_execution(again, script)), axioms::canonical(to_execution(g, script)));
    ASSERT_EQ(saved(again), bytes);
    for (std::size_t a = 0; a < g.size(); ++a) {
      for (std::size_t b = 0; b < g.size(); ++b) {
        ASSERT_EQ(again.hb(EventId(a), EventId(b)), g.hb(EventId(a), EventId(b)));
        ASSERT_EQ(again.cb(EventId(a), EventId(b)), g.cb(EventId(a), EventId(b)));
      }
    }
  });
}

TEST(GraphBytes, ThreadsMayHaveOtherIdsThere) {
  on_random_graphs(100, [](const Graph& g, const Script&, std::size_t) {
    Locations locations;
    Graph again(locations);
    OtherIds paths;
    const std::string bytes = saved(g);
    Reader in(bytes);
    again.load(in, paths, conditions);
    ASSERT_EQ(again.size(), g.size());
    for (std::size_t i = 0; i < g.size(); ++i) {
      ASSERT_EQ(paths.back(again[EventId(i)].thread), g[EventId(i)].thread);
      ASSERT_EQ(again[EventId(i)].po, g[EventId(i)].po);
    }
  });
}

// Refused, or another graph, which may be nonsense. The sanitizers look over its shoulder.
TEST(GraphBytes, DamagedBytesAreRefused) {
  std::mt19937_64 random(1);
  std::size_t refused = 0;
  on_random_graphs(60, [&](const Graph& g, const Script&, std::size_t n) {
    std::string bytes = saved(g);
    if (n % 2 == 0) {
      bytes.resize(random() % bytes.size());
    } else {
      bytes[random() % bytes.size()] ^= static_cast<char>(1u << random() % 8);
    }
    Locations locations;
    Graph again(locations);
    OtherIds paths;
    try {
      Reader in(bytes);
      again.load(in, paths, conditions);
      ASSERT_NE(n % 2, 0u) << "bytes are missing";
    } catch (const std::runtime_error&) {
      ++refused;
    }
  });
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace heddle
