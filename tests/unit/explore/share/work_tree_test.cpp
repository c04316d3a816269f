// Work whose parts are not independent, as several processes would share it, but one after the other. heddle_fuzz
// --jobs has real processes.
#include "explore/share/work_tree.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/stop.hpp"
#include "explore/explore.hpp"
#include "machine/script/script_machine.hpp"
#include "script/script_text.hpp"

namespace heddle {
namespace {

// Takes all that is left when it is asked for the first time.
class Beginning : public Sharing {
 public:
  bool wants_all() override { return true; }
  std::vector<bool> look(const Result&, std::vector<std::string> rest) override {
    item = rest.front();
    throw Stopped();
  }

  std::string item;
};

// Has the work told and given away, each time that it is asked.
class Others : public Sharing {
 public:
  bool wants_all() override { return true; }
  bool others_wait() override { return true; }
  void tell(std::string what) override { told = std::move(what); }
  std::vector<bool> look(const Result&, std::vector<std::string>) override {
    above = tree->told(above, told, true);
    return {};
  }

  std::unique_ptr<WorkTree> tree;
  WorkTree::Node above = WorkTree::kNone;
  std::string told;
};

struct Counts {
  uint64_t executions = 0;
  uint64_t blocked = 0;
  uint64_t parts = 0;

  void add(const Result& r) {
    executions += r.executions;
    blocked += r.blocked;
  }
};

// What is damaged is refused, or is another tree; nothing else comes of it.
void expect_safe(Algorithm algorithm, const std::string& bytes) {
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THROW(work_tree(algorithm)->load(bytes.substr(0, n)), std::runtime_error);
    std::string changed = bytes;
    changed[n] = static_cast<char>(changed[n] ^ 1);
    try {
      const auto tree = work_tree(algorithm);
      tree->load(changed);
      while (tree->take()) {
      }
    } catch (const std::runtime_error&) {
    }
  }
}

Counts in_parts(const Script& script, Request request) {
  ScriptMachine machine(script);
  Beginning beginning;
  request.sharing = &beginning;
  Counts counts;
  counts.add(run_algorithm(machine, request));
  Others others;
  others.tree = work_tree(request.algorithm);
  request.sharing = &others;
  for (std::optional<WorkTree::Item> item = {{beginning.item}}; item; item = others.tree->take()) {
    ++counts.parts;
    request.work = item->bytes;
    others.above = item->above;
    counts.add(run_algorithm(machine, request));
    others.tree->told(others.above, others.told, false);
    const std::string bytes = others.tree->bytes();
    if (counts.parts == 3) expect_safe(request.algorithm, bytes);
    others.tree = work_tree(request.algorithm);
    others.tree->load(bytes);
  }
  EXPECT_EQ(others.tree->waiting(), 0U);
  return counts;
}

class WorkTreeTest : public testing::TestWithParam<Algorithm> {};

TEST_P(WorkTreeTest, ThePartsAreTheWhole) {
  const char* const scripts[] = {
      "|| x = 1 sc; r0 = y sc || y = 1 sc; r0 = x sc || x = 2 sc; y = 2 sc",
      "|| r0 = choose 2; r0 = choose 2; r0 = x sc || x = 1 sc || r1 = choose 3; x = 2 sc",
      "|| y = 1 sc; r3 = x acq; y = 1 sc || r1 = y acq; or x 2 acq || r2 = x acq; y = 1 sc || y = 1 sc; r1 = y acq",
      "|| lock m; x = 1 sc; unlock m || lock m; r0 = x sc; unlock m || lock m; x = 2 sc; unlock m",
  };
  for (const char* const text : scripts) {
    const Script script = parse_script(text);
    Request request;
    request.algorithm = GetParam();
    request.model = ModelKind::sc;
    ScriptMachine machine(script);
    const Result whole = explore(machine, request);
    const Counts counts = in_parts(script, request);
    EXPECT_EQ(counts.executions, whole.executions) << text;
    EXPECT_EQ(counts.blocked, whole.blocked) << text;
    EXPECT_GE(counts.parts, 3U) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, WorkTreeTest, testing::Values(Algorithm::await, Algorithm::rvf),
                         [](const auto& info) { return std::string(name(info.param)); });

}  // namespace
}  // namespace heddle
