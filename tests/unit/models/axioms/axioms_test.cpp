// Executions written down by hand, and what the literal axioms say of them.
#include "models/axioms/axioms.hpp"

#include <gtest/gtest.h>

namespace heddle::axioms {
namespace {

constexpr Address kX = 8;
constexpr Address kY = 16;

// Builds an execution line by line. Locations are initialised to 0; co is the order of writing unless said otherwise.
class Builder {
 public:
  Builder() {
    for (const Address l : {kX, kY}) {
      Event e;
      e.type = Type::init;
      e.location = l;
      x.co.push_back({static_cast<int>(x.events.size())});
      x.events.push_back(e);
    }
  }

  int write(int thread, Address l, uint64_t v, Mode mode = Mode::rlx) {
    const int e = add(thread, Type::write, mode);
    x.events.back().location = l;
    x.events.back().value = {v, 0};
    co(l).push_back(e);
    return e;
  }
  int read(int thread, Address l, int from, Mode mode = Mode::rlx) {
    const int e = add(thread, Type::read, mode);
    x.events.back().location = l;
    x.events.back().rf = from;
    x.events.back().value = x.events[static_cast<std::size_t>(from)].value;
    return e;
  }
  int rmw(int thread, Address l, int from, uint64_t v, Mode read_mode = Mode::rlx, Mode write_mode = Mode::rlx) {
    const int r = read(thread, l, from, read_mode);
    const int w = write(thread, l, v, write_mode);
    x.events[static_cast<std::size_t>(r)].exclusive = x.events[static_cast<std::size_t>(w)].exclusive = true;
    x.rmw.emplace_back(r, w);
    return w;
  }
  int fence(int thread, Mode mode) { return add(thread, Type::fence, mode); }
  int other(int thread, Type type, int child = kNone) {
    const int e = add(thread, type, Mode::na);
    x.events.back().child = child;
    return e;
  }
  std::vector<int>& co(Address l) { return x.co[l == kX ? 0 : 1]; }
  int init(Address l) { return co(l)[0]; }

  std::string_view sc() const { return violated(Model::sc, x); }
  std::string_view rc11() const { return violated(Model::rc11, x); }
  bool happens_before(int a, int b) const {
    return hb(Relations(x))(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
  }

  Execution x;

 private:
  int add(int thread, Type type, Mode mode) {
    Event e;
    e.type = type;
    e.mode = mode;
    e.thread = thread;
    for (const Event& other : x.events) e.index += other.thread == thread ? 1 : 0;
    x.events.push_back(e);
    return static_cast<int>(x.events.size()) - 1;
  }
};

TEST(Axioms, StoreBuffering) {
  for (const Mode mode : {Mode::rlx, Mode::sc}) {
    Builder b;
    b.write(1, kX, 1, mode);
    b.read(1, kY, b.init(kY), mode);
    b.write(2, kY, 1, mode);
    b.read(2, kX, b.init(kX), mode);
    EXPECT_EQ(malformed(b.x), "");
    EXPECT_EQ(b.sc(), "SC");
    EXPECT_EQ(b.rc11(), mode == Mode::sc ? "SC-ACYCLICITY" : "");
  }
}

TEST(Axioms, ReleaseSynchronisesWithAcquire) {
  Builder b;
  const int data = b.write(1, kX, 1);
  const int flag = b.write(1, kY, 1, Mode::rel);
  const int seen = b.read(2, kY, flag, Mode::acq);
  b.read(2, kX, b.init(kX));
  EXPECT_TRUE(b.happens_before(data, seen));
  EXPECT_FALSE(b.happens_before(seen, data));
  EXPECT_EQ(b.rc11(), "COHERENCE");
  b.x.events[static_cast<std::size_t>(seen)].mode = Mode::rlx;
  EXPECT_FALSE(b.happens_before(data, seen));
  EXPECT_EQ(b.rc11(), "");
  EXPECT_EQ(b.sc(), "SC");
}

TEST(Axioms, FencesSynchronise) {
  Builder b;
  const int data = b.write(1, kX, 1);
  const int release = b.fence(1, Mode::rel);
  const int flag = b.write(1, kY, 1);
  const int seen = b.read(2, kY, flag);
  const int acquire = b.fence(2, Mode::acq);
  EXPECT_TRUE(b.happens_before(release, acquire));
  EXPECT_TRUE(b.happens_before(data, acquire));
  EXPECT_FALSE(b.happens_before(data, seen));
  EXPECT_FALSE(b.happens_before(flag, acquire));
}

TEST(Axioms, ReleaseSequenceGoesThroughRmwsOnly) {
  Builder b;
  const int release = b.write(1, kX, 1, Mode::rel);
  const int later = b.write(1, kX, 2);
  const int update = b.rmw(2, kX, release, 5);
  b.co(kX) = {b.init(kX), release, update, later};
  const int through_rmw = b.read(3, kX, update, Mode::acq);
  const int through_store = b.read(4, kX, later, Mode::acq);
  EXPECT_EQ(b.rc11(), "");
  EXPECT_TRUE(b.happens_before(release, through_rmw));
  EXPECT_FALSE(b.happens_before(release, through_store));
}

TEST(Axioms, ARmwIsAtomic) {
  Builder b;
  b.write(1, kX, 1);
  b.rmw(2, kX, b.init(kX), 2);
  EXPECT_EQ(b.rc11(), "ATOMICITY");
  EXPECT_EQ(b.sc(), "ATOMICITY");
  std::swap(b.co(kX)[1], b.co(kX)[2]);
  EXPECT_EQ(b.rc11(), "");
  EXPECT_EQ(b.sc(), "");
}

TEST(Axioms, NothingComesOutOfThinAir) {
  Builder b;
  const int first = b.read(1, kX, b.init(kX));
  const int to_y = b.write(1, kY, 0);
  b.read(2, kY, to_y);
  const int to_x = b.write(2, kX, 0);
  EXPECT_EQ(b.rc11(), "");
  b.x.events[static_cast<std::size_t>(first)].rf = to_x;
  EXPECT_EQ(b.rc11(), "SBRF");
  EXPECT_EQ(b.sc(), "SC");
}

TEST(Axioms, CoherenceOrdersReadsOfOneLocation) {
  Builder b;
  const int w = b.write(1, kX, 1);
  b.read(2, kX, w);
  b.read(2, kX, b.init(kX));
  EXPECT_EQ(b.rc11(), "COHERENCE");
}

TEST(Axioms, CreationAndJoinHappenBefore) {
  Builder b;
  const int before = b.write(0, kX, 1);
  const int create = b.other(0, Type::create, 1);
  const int child = b.read(1, kX, before);
  const int write = b.write(1, kY, 1);
  const int exit = b.other(1, Type::exit);
  const int join = b.other(0, Type::join, 1);
  const int after = b.read(0, kY, write);
  EXPECT_EQ(b.rc11(), "");
  EXPECT_TRUE(b.happens_before(create, child));
  EXPECT_TRUE(b.happens_before(before, child));
  EXPECT_TRUE(b.happens_before(exit, join));
  EXPECT_TRUE(b.happens_before(write, after));
  EXPECT_FALSE(b.happens_before(join, child));
}

// main: x =sc 1; create 2 ‖ 1: y =sc 1; r = x sc (0) ‖ 2: s = y sc (0), its first event.
TEST(Axioms, CreationOrdersScAccesses) {
  Builder b;
  b.write(0, kX, 1, Mode::sc);
  b.other(0, Type::create, 2);
  b.write(1, kY, 1, Mode::sc);
  b.read(1, kX, b.init(kX), Mode::sc);
  const int read = b.read(2, kY, b.init(kY), Mode::sc);
  EXPECT_EQ(b.rc11(), "SC-ACYCLICITY");
  b.x.events[static_cast<std::size_t>(read)].mode = Mode::acq;
  EXPECT_EQ(b.rc11(), "");
}

TEST(Axioms, Races) {
  Builder b;
  const int plain = b.write(1, kX, 1, Mode::na);
  const int flag = b.write(1, kY, 1, Mode::rel);
  const int seen = b.read(2, kY, flag, Mode::acq);
  const int read = b.read(2, kX, plain, Mode::na);
  EXPECT_TRUE(empty(races(Model::rc11, b.x)));
  b.x.events[static_cast<std::size_t>(seen)].mode = Mode::rlx;
  const Relation r = races(Model::rc11, b.x);
  EXPECT_TRUE(r(static_cast<std::size_t>(plain), static_cast<std::size_t>(read)));
  EXPECT_TRUE(r(static_cast<std::size_t>(read), static_cast<std::size_t>(plain)));
  EXPECT_FALSE(r(static_cast<std::size_t>(flag), static_cast<std::size_t>(seen)));
}

TEST(Axioms, MalformedExecutions) {
  Builder b;
  const int w = b.write(1, kX, 1);
  const int r = b.read(2, kX, w);
  EXPECT_EQ(malformed(b.x), "");
  Execution x = b.x;
  x.events[static_cast<std::size_t>(r)].value = {7, 0};
  EXPECT_NE(malformed(x), "");
  x = b.x;
  x.events[static_cast<std::size_t>(r)].rf = b.init(kY);
  EXPECT_NE(malformed(x), "");
  x = b.x;
  x.co[0].pop_back();
  EXPECT_NE(malformed(x), "");
  x = b.x;
  x.events[static_cast<std::size_t>(w)].exclusive = true;
  EXPECT_NE(malformed(x), "");
  x = b.x;
  x.events[static_cast<std::size_t>(r)].index = 3;
  EXPECT_NE(malformed(x), "");
}

TEST(Axioms, CanonicalFormForgetsTheOrderOfAddition) {
  Builder a;
  const int w = a.write(1, kX, 1);
  const int v = a.write(2, kX, 2);
  a.read(2, kX, w);
  a.co(kX) = {a.init(kX), v, w};
  Builder b;
  const int v2 = b.write(2, kX, 2);
  const int w2 = b.write(1, kX, 1);
  b.read(2, kX, w2);
  EXPECT_EQ(canonical(a.x), canonical(b.x));
  b.co(kX) = {b.init(kX), w2, v2};
  EXPECT_NE(canonical(a.x), canonical(b.x));
  EXPECT_EQ(final_memory(a.x)[0].lo, 1u);
  EXPECT_EQ(final_memory(b.x)[0].lo, 2u);
}

}  // namespace
}  // namespace heddle::axioms
