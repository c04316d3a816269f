#include "core/finding_bytes.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace heddle {
namespace {

Finding example(SiteTable& sites) {
  sites.add({.file = "unused.c", .line = 1, .function = "f"});
  const SiteId outer = sites.add({.file = "a.c", .line = 7, .column = 3, .function = "main"});
  const SiteId inner = sites.add({.file = "b.h", .line = 9, .function = "load", .caller = outer, .is_volatile = true});
  Finding f;
  f.error = {.kind = ErrorKind::race,
             .message = "a race",
             .thread = ThreadId(1),
             .site = inner,
             .other_thread = kMain,
             .other_site = outer,
             .clash = Clash::gone,
             .other_after = 4};
  f.trace.threads = {{kMain, kNoThread, "main"}, {ThreadId(1), kMain, "f"}};
  TraceStep store;
  store.thread = kMain;
  store.action.kind = ActionKind::store;
  store.action.mode = Mode::rel;
  store.action.addr = UINT64_MAX;
  store.action.size = 16;
  store.action.site = outer;
  store.action.operand = {1, UINT64_MAX};
  store.written = store.action.operand;
  store.location = "x";
  store.type = {ValueType::Kind::enumeration, true, {{-1, "minus"}, {5, "five"}}};
  store.position = 1;
  store.hb = {1};
  store.co = 1;
  store.released = true;
  TraceStep load = store;
  load.thread = ThreadId(1);
  load.action.kind = ActionKind::load;
  load.action.site = inner;
  load.read = load.written;
  load.written.reset();
  load.rf = 0;
  load.hb = {1, 1};
  load.blocked = true;
  load.performed = false;
  load.holders = {{kMain, outer}};
  f.trace.steps = {store, load};
  f.trace.objects = {{0x10, "x"}, {0x20, "y"}};
  f.trace.output = "hello";
  f.trace.settings = std::string("a\0b", 3);
  return f;
}

TEST(FindingBytes, AreReadAgain) {
  SiteTable sites;
  const Finding f = example(sites);
  const std::string bytes = finding_bytes(f, sites);
  ReadFindings read;
  read.add(bytes);
  read.add(bytes);
  ASSERT_EQ(read.findings.size(), 2u);
  EXPECT_EQ(read.sites.size(), 3u);  // the unknown one, and two
  for (const Finding& g : read.findings) {
    EXPECT_EQ(g.error.kind, f.error.kind);
    EXPECT_EQ(g.error.message, "a race");
    EXPECT_EQ(g.error.other_after, 4u);
    EXPECT_EQ(g.error.clash, Clash::gone);
    const Site& inner = read.sites[g.error.site];
    EXPECT_EQ(inner.file, "b.h");
    EXPECT_TRUE(inner.is_volatile);
    EXPECT_EQ(read.sites[inner.caller].line, 7u);
    EXPECT_EQ(inner.caller, g.error.other_site);
    ASSERT_EQ(g.trace.steps.size(), 2u);
    EXPECT_EQ(g.trace.steps[0].action.operand, f.trace.steps[0].action.operand);
    EXPECT_EQ(g.trace.steps[0].type.enumerators, f.trace.steps[0].type.enumerators);
    EXPECT_EQ(g.trace.steps[0].rf, -1);
    EXPECT_EQ(g.trace.steps[1].rf, 0);
    EXPECT_EQ(g.trace.steps[1].hb, f.trace.steps[1].hb);
    EXPECT_EQ(g.trace.steps[1].holders[0].site, g.error.other_site);
    EXPECT_FALSE(g.trace.steps[1].written);
    EXPECT_EQ(g.trace.objects, f.trace.objects);
    EXPECT_EQ(g.trace.settings, f.trace.settings);
    EXPECT_EQ(g.trace.threads[0].parent, kNoThread);
    // And once more they are the same.
    ReadFindings again;
    again.add(finding_bytes(g, read.sites));
    EXPECT_EQ(finding_bytes(again.findings[0], again.sites), finding_bytes(g, read.sites));
  }
}

TEST(FindingBytes, WhatIsDamagedIsRefused) {
  SiteTable sites;
  const std::string bytes = finding_bytes(example(sites), sites);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    ReadFindings read;
    EXPECT_THROW(read.add(bytes.substr(0, n)), std::runtime_error) << n;
    EXPECT_TRUE(read.findings.empty());
  }
  ReadFindings read;
  EXPECT_THROW(read.add(bytes + "x"), std::runtime_error);
}

}  // namespace
}  // namespace heddle
