// Helping on the programs of SPORE §2.3 and App. C.
#include "differential/helping.hpp"

#include <gtest/gtest.h>

#include "explore/explore.hpp"
#include "machine/script/script_machine.hpp"
#include "script/script_text.hpp"

namespace heddle {
namespace {

std::string outcome(std::string_view text, ModelKind model = ModelKind::rc11) {
  ScriptMachine machine(parse_script(text));
  const Result r = explore(machine, {.model = model});
  if (r.findings.empty()) return "verified";
  return std::string(name(r.findings[0].error.kind)) + ": " + r.findings[0].error.message;
}

bool says(const std::string& outcome, const char* what) { return outcome.find(what) != std::string::npos; }

// A helped cas that all conditions hold for: the source is read, the write before it is released and acquired.
constexpr const char* kRight =
    "r0 = x acq; assume r0 == 0; y = 1 rel; mark x 0 1 acq_rel acq; r1 = cas x 0 1 acq_rel acq || "
    "r0 = y acq; if r0 != 1 skip 1; help x 0 1 acq_rel acq";

TEST(Helping, IsLeftOut) {
  for (const ModelKind model : {ModelKind::sc, ModelKind::ra, ModelKind::rc11}) {
    ScriptMachine machine(parse_script(kRight));
    const Result r = explore(machine, {.model = model});
    EXPECT_EQ(r.verdict, Verdict::verified);
    EXPECT_EQ(r.executions, 2u);  // y is seen or not; who does the cas makes no difference
    ScriptMachine without(differential::without_annotations(parse_script(kRight)));
    EXPECT_GT(explore(without, {.model = model}).executions, 2u);
  }
}

// No thread observes the write before the helped cas: an error may hide (HELPER-SYNC, Example 8).
TEST(Helping, NeedsTheWriteBeforeTheHelpedOperation) {
  const char* const text =
      "r0 = x acq; if r0 != 1 skip 2; r1 = y acq; assert r1 == 1 || "
      "r0 = x acq; y = 1 rel; mark x 0 1 acq_rel acq; r1 = cas x 0 1 acq_rel acq || help x 0 1 acq_rel acq";
  for (const ModelKind model : {ModelKind::sc, ModelKind::ra, ModelKind::rc11}) {
    EXPECT_TRUE(says(outcome(text, model), "annotation: wrong helping annotation: no operation marked as helped fits"));
  }
}

// NO-SOURCE-READ (App. C.1): the helped thread has not seen the value that it expects.
TEST(Helping, NeedsASource) {
  const char* const text =
      "r0 = y acq; x = 1 rel || z = 1 rel; mark x 1 2 acq_rel acq; r1 = cas x 1 2 acq_rel acq || "
      "r0 = z acq; if r0 != 1 skip 1; help x 1 2 acq_rel acq; y = 1 rel";
  EXPECT_TRUE(says(outcome(text), "has neither written nor read"));
}

TEST(Helping, NeedsRmwsOnly) {
  const std::string store = std::string(kRight) + " || x = 2 rel";
  EXPECT_TRUE(says(outcome(store), "written by a plain store"));
  const std::string same = std::string(kRight) + " || r0 = xchg x 0 acq_rel";
  EXPECT_TRUE(says(outcome(same), "gets the expected value again"));
  const std::string other = std::string(kRight) + " || r0 = xchg x 5 acq_rel";
  EXPECT_EQ(outcome(other), "verified");
}

// Another new value: not the same operation (HELPER-CF needs the same code).
TEST(Helping, NeedsTheSameOperation) {
  const char* const text =
      "r0 = x acq; y = 1 rel; mark x 0 1 acq_rel acq; r1 = cas x 0 1 acq_rel acq || "
      "r0 = y acq; if r0 != 1 skip 1; help x 0 2 acq_rel acq";
  EXPECT_TRUE(says(outcome(text), "no operation marked as helped fits"));
}

// RC11 asks for synchronisation; SC and RA have it anyway.
TEST(Helping, NeedsOrdersUnderRc11) {
  const char* const relaxed =
      "r0 = x acq; y = 1 rlx; mark x 0 1 acq_rel acq; r1 = cas x 0 1 acq_rel acq || "
      "r0 = y acq; if r0 != 1 skip 1; help x 0 1 acq_rel acq";
  EXPECT_TRUE(says(outcome(relaxed), "must be a release"));
  // Races are judged by the orders under sc too; under ra all atomics synchronise.
  EXPECT_TRUE(says(outcome(relaxed, ModelKind::sc), "must be a release"));
  EXPECT_EQ(outcome(relaxed, ModelKind::ra), "verified");
  const char* const sc_write =
      "r0 = x acq; y = 1 sc; mark x 0 1 acq_rel acq; r1 = cas x 0 1 acq_rel acq || "
      "r0 = y acq; if r0 != 1 skip 1; help x 0 1 acq_rel acq";
  EXPECT_TRUE(says(outcome(sc_write), "both SC if it is SC"));
  const char* const weak_failure =
      "r0 = x acq; y = 1 rel; mark x 0 1 acq_rel rlx; r1 = cas x 0 1 acq_rel rlx || "
      "r0 = y acq; if r0 != 1 skip 1; help x 0 1 acq_rel rlx";
  EXPECT_TRUE(says(outcome(weak_failure), "orders of the cas are too weak"));
}

// Two symmetric helpers: left-out help keeps their symmetry (§2.3.3).
TEST(Helping, KeepsSymmetry) {
  const std::string text = std::string(kRight) + " || r0 = y acq; if r0 != 1 skip 1; help x 0 1 acq_rel acq";
  ScriptMachine machine(parse_script(text), true);
  EXPECT_EQ(explore(machine, {.model = ModelKind::rc11}).executions, 3u);  // none, one or both see y
}

}  // namespace
}  // namespace heddle
