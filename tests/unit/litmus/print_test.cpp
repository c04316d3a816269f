// The output, byte for byte.
#include "litmus/print.hpp"

#include <gtest/gtest.h>

#include "unit/litmus/support.hpp"

namespace heddle::litmus {
namespace {

Answer answer(const std::string& text, ModelKind model) {
  Answer a{parse(text, "t.litmus"), {}};
  a.outcome = run(a.litmus, model);
  a.outcome.seconds = 0.0125;
  return a;
}

const char* const kTest = "C R+W {} P0 (int* x) { *x = 1; } P1 (int* x) { int r0 = *x; } locations [x;] ";

TEST(LitmusPrint, Text) {
  const Answer a = answer(std::string(kTest) + "exists (1:r0=1)", ModelKind::rc11);
  EXPECT_EQ(print_text(a.litmus, a.outcome),
            "Test R+W Allowed\n"
            "States 2\n"
            "1:r0=0; x=1;\n"
            "1:r0=1; x=1;\n"
            "Ok\n"
            "Witnesses\n"
            "Positive: 1 Negative: 1\n"
            "Flag data-race\n"
            "Condition exists (1:r0=1)\n"
            "Observation R+W Sometimes 1 1\n"
            "Time R+W 0.01\n"
            "\n");
}

// Witnesses are for or against the condition, the observation is of the proposition.
TEST(LitmusPrint, ForbiddenAndRequired) {
  const Answer no = answer(std::string(kTest) + "~exists (x=1)", ModelKind::sc);
  EXPECT_EQ(print_text(no.litmus, no.outcome),
            "Test R+W Forbidden\nStates 1\nx=1;\nNo\nWitnesses\nPositive: 0 Negative: 2\nFlag data-race\n"
            "Condition ~exists (x=1)\nObservation R+W Always 2 0\nTime R+W 0.01\n\n");
  const Answer yes = answer("C t {} ~exists false", ModelKind::sc);
  EXPECT_EQ(print_text(yes.litmus, yes.outcome),
            "Test t Forbidden\nStates 1\n\nOk\nWitnesses\nPositive: 1 Negative: 0\n"
            "Condition ~exists (false)\nObservation t Never 0 1\nTime t 0.01\n\n");
  const Answer all = answer("C t {} forall true", ModelKind::sc);
  EXPECT_EQ(print_text(all.litmus, all.outcome),
            "Test t Required\nStates 1\n\nOk\nWitnesses\nPositive: 1 Negative: 0\n"
            "Condition forall (true)\nObservation t Always 1 0\nTime t 0.01\n\n");
}

TEST(LitmusPrint, Json) {
  const std::vector<Answer> answers = {
      answer(std::string(kTest) + "~exists (1:r0=1)", ModelKind::rc11),
      answer("C t { x=-1; y=0x20000000000000 } exists (x=0 /\\ y=0)", ModelKind::rc11)};
  EXPECT_EQ(print_json({"1.2.3", "rc11", "spore", 0.5}, answers),
            R"json({
  "version": "1.2.3",
  "model": "rc11",
  "algorithm": "spore",
  "tests": [
    {
      "file": "t.litmus",
      "name": "R+W",
      "quantifier": "~exists",
      "condition": "~exists (1:r0=1)",
      "ok": false,
      "observation": "sometimes",
      "positive": 1,
      "negative": 1,
      "states": [
        {
          "1:r0": 0,
          "x": 1
        },
        {
          "1:r0": 1,
          "x": 1
        }
      ],
      "race": true,
      "seconds": 0.0125
    },
    {
      "file": "t.litmus",
      "name": "t",
      "quantifier": "exists",
      "condition": "exists (x=0 /\\ y=0)",
      "ok": false,
      "observation": "never",
      "positive": 0,
      "negative": 1,
      "states": [
        {
          "x": -1,
          "y": "9007199254740992"
        }
      ],
      "race": false,
      "seconds": 0.0125
    }
  ],
  "seconds": 0.5
}
)json");
}

}  // namespace
}  // namespace heddle::litmus
