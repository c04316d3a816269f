// The graph's clocks and lists against relations computed from scratch, and cut / restrict against a graph that never
// had the removed events.
#include "graph/graph.hpp"

#include <gtest/gtest.h>

#include "unit/graph/random_graphs.hpp"

namespace heddle {
namespace {

using differential::to_execution;

Action access(ActionKind kind, Address addr, Mode mode, uint64_t operand = 0) {
  Action a;
  a.kind = kind;
  a.addr = addr;
  a.mode = a.fail_mode = mode;
  a.size = 8;
  a.operand = {operand, 0};
  a.op = RmwOp::add;
  return a;
}

TEST(Graph, ClocksAreTheHbAndPorfPrefixes) {
  on_random_graphs(800, [](const Graph& g, const Script& script, std::size_t number) {
    const axioms::Execution x = to_execution(g, script);
    const axioms::Relations relations(x);
    const axioms::Relation hb = axioms::hb(relations);
    const axioms::Relation porf = plus(relations.sb | relations.asw | relations.rf);
    const std::size_t inits = script.locations.size();
    for (std::size_t a = 0; a < g.size(); ++a) {
      for (std::size_t b = 0; b < g.size(); ++b) {
        ASSERT_EQ(g.hb(EventId(a), EventId(b)), hb(a + inits, b + inits)) << "graph " << number;
        ASSERT_EQ(g.cb(EventId(a), EventId(b)), porf(a + inits, b + inits)) << "graph " << number;
      }
    }
  });
}

TEST(Graph, CutForgetsWithoutATrace) {
  on_random_graphs(400, [](const Graph& g, const Script& script, std::size_t number) {
    for (std::size_t n = g.size(); n-- > 0;) {
      Graph once = g;
      once.cut(n);
      Graph twice = g;
      twice.cut((n + g.size()) / 2);
      twice.cut(n);
      ASSERT_EQ(once.size(), n);
      ASSERT_EQ(axioms::canonical(to_execution(once, script)), axioms::canonical(to_execution(twice, script)))
          << "graph " << number;
      ASSERT_EQ(once.sc_accesses() + once.sc_fences(), [&] {
        std::size_t count = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const Event& e = g[EventId(i)];
          count += e.mode == Mode::sc && (e.is_access() || e.kind == EventKind::fence);
        }
        return count;
      }());
    }
  });
}

// What restrict keeps must look exactly as in the graph that it came from: same labels, rf, co order, hb, porf.
TEST(Graph, RestrictKeepsThePrefixAsItWas) {
  on_random_graphs(400, [](const Graph& g, const Script&, std::size_t number) {
    const auto w = EventId(g.size() - 1);
    if (!g[w].is_write()) return;
    for (EventId r = g.accesses(g[w].loc); r != kNoEvent; r = g[r].loc_prev) {
      if (!g[r].is_read() || g.cb(r, w)) continue;
      bool dangling = false;
      std::vector<EventId> kept;
      for (std::size_t i = 0; i < g.size(); ++i) {
        const auto e = EventId(i);
        if (e <= r || e == w || g.cb(e, w)) kept.push_back(e);
      }
      const auto rank = [&](EventId e) {
        const auto at = std::find(kept.begin(), kept.end(), e);
        return at == kept.end() ? kNoEvent : EventId(at - kept.begin());
      };
      for (const EventId e : kept)
        dangling |= e != r && g[e].is_read() && g[e].rf != kInit && rank(g[e].rf) == kNoEvent;
      if (dangling) continue;  // the explorer never asks for it
      Graph part = g;
      const auto renamed = part.restrict(g, r, w);
      ASSERT_EQ(part.size(), kept.size());
      ASSERT_EQ(index(renamed.read), index(rank(r)));
      ASSERT_EQ(index(renamed.write), kept.size() - 1);
      part.set_rf(renamed.read, renamed.write);
      ASSERT_EQ(part[renamed.read].value, g[w].value);
      for (const EventId a : kept) {
        const EventId pa = rank(a);
        ASSERT_EQ(part[pa].po, g[a].po);
        ASSERT_EQ(part[pa].thread, g[a].thread);
        ASSERT_EQ(part.event(part[pa].thread, part[pa].po), pa);
        if (g[a].is_read() && a != r && g[a].rf != kInit) {
          ASSERT_EQ(part[pa].rf, rank(g[a].rf));
        }
        for (const EventId b : kept) {
          if (b == r || b == a) continue;
          ASSERT_EQ(part.hb(pa, rank(b)), g.hb(a, b)) << "graph " << number;
          ASSERT_EQ(part.cb(pa, rank(b)), g.cb(a, b)) << "graph " << number;
          if (a == w || b == w || !g[a].is_write() || !g[b].is_write() || g[a].loc != g[b].loc) continue;
          ASSERT_EQ(part[pa].co < part[rank(b)].co, g[a].co < g[b].co) << "graph " << number;
        }
      }
    }
  });
}

TEST(Graph, PlaceMovesAWriteInCo) {
  Locations locations;
  Graph g(locations);
  const LocId x = g.location(8);
  g.set_base(x, {7, 0});
  std::vector<EventId> w;
  for (uint64_t n = 0; n < 4; ++n) {
    w.push_back(g.add_store(kMain, access(ActionKind::store, 8, Mode::rlx, n)));
    g.place(w.back(), kInit);
  }
  EXPECT_EQ(g.co_first(x), w[3]);
  EXPECT_EQ(g.co_last(x), w[0]);
  g.place(w[3], w[1]);
  std::vector<EventId> order;
  for (EventId e = g.co_first(x); e != kNoEvent; e = g[e].co_next) {
    order.push_back(e);
    EXPECT_EQ(g[e].co, order.size());
  }
  EXPECT_EQ(order, (std::vector{w[2], w[1], w[3], w[0]}));
}

TEST(Graph, ACasIsExclusiveOnlyWhenItReadsWhatItExpects) {
  Locations locations;
  Graph g(locations);
  const LocId x = g.location(8);
  g.set_base(x, {7, 0});
  const EventId w = g.add_store(kMain, access(ActionKind::store, 8, Mode::rlx, 5));
  g.place(w, kInit);
  Action cas = access(ActionKind::cas, 8, Mode::sc, 9);
  cas.fail_mode = Mode::rlx;
  cas.expected = {5, 0};
  const EventId r = g.add_read(kMain, cas, w);
  EXPECT_TRUE(g.open(r));
  EXPECT_EQ(g[r].mode, Mode::sc);
  EXPECT_EQ(g.sc_accesses(), 1u);
  g.set_rf(r, kInit);
  EXPECT_FALSE(g.open(r));
  EXPECT_EQ(g[r].mode, Mode::rlx);
  EXPECT_EQ(g[r].value, (Value{7, 0}));
  EXPECT_EQ(g.sc_accesses(), 0u);
}

}  // namespace
}  // namespace heddle
