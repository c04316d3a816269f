#include "differential/items.hpp"

#include <deque>
#include <random>
#include <set>

#include "core/stop.hpp"
#include "differential/collect.hpp"

namespace heddle::differential {
namespace {

class RandomSharing : public Sharing {
 public:
  RandomSharing(std::mt19937_64& random, std::deque<std::string>& pool) : random_(random), pool_(pool) {}

  // The oldest item; some of all that is left; or all, and the exploration is given up.
  bool wants_all() override { return random_() % 3 == 0; }
  std::vector<bool> look(const Result&, std::vector<std::string> rest) override {
    if (random_() % 3 != 0) {
      if (rest.empty()) return {};
      pool_.push_back(std::move(rest.front()));
      return {true};
    }
    const bool end = random_() % 4 == 0;
    std::vector<bool> taken(rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
      taken[i] = end || random_() % 3 == 0;
      if (taken[i]) pool_.push_back(std::move(rest[i]));
    }
    if (end) throw Stopped();
    return taken;
  }

 private:
  std::mt19937_64& random_;
  std::deque<std::string>& pool_;
};

void add(Explored& all, Explored part) {
  for (auto [sum, more] : {std::pair(&all.complete, &part.complete), std::pair(&all.blocked, &part.blocked)}) {
    for (const auto& [form, times] : *more) (*sum)[form] += times;
  }
  all.result.executions += part.result.executions;
  all.result.blocked += part.result.blocked;
  for (Finding& f : part.result.findings) all.result.findings.push_back(std::move(f));
}

std::set<ErrorKind> errors(const Result& r) {
  std::set<ErrorKind> kinds;
  for (const Finding& f : r.findings) kinds.insert(f.error.kind);
  return kinds;
}

// The first few.
std::string difference(const char* kind, const std::map<std::string, unsigned>& whole,
                       const std::map<std::string, unsigned>& parts) {
  constexpr std::size_t kEnough = 2000;
  std::string text;
  for (const auto& [form, times] : whole) {
    if (text.size() > kEnough) return text;
    const auto it = parts.find(form);
    const unsigned found = it == parts.end() ? 0 : it->second;
    if (found != times) {
      text += std::string(kind) + ", " + std::to_string(times) + " times by the whole, " + std::to_string(found) +
              " times by the parts: " + form + "\n";
    }
  }
  for (const auto& [form, times] : parts) {
    if (text.size() > kEnough) return text;
    if (!whole.contains(form)) text += std::string(kind) + ", by the parts only: " + form + "\n";
  }
  return text;
}

}  // namespace

Explored collect_by_items(const Script& script, const Request& request, uint64_t seed, bool symmetry, uint64_t& items) {
  std::mt19937_64 random(seed);
  std::deque<std::string> pool;
  RandomSharing sharing(random, pool);
  Request whole = request;
  whole.sharing = &sharing;
  Explored all = collect(script, whole, {}, symmetry);
  for (; !pool.empty(); ++items) {
    const std::string item = std::move(pool.front());
    pool.pop_front();
    Request part = whole;
    part.work = item;
    add(all, collect(script, part, {}, symmetry));
  }
  return all;
}

std::optional<std::string> items_disagreement(const Script& script, axioms::Model model, Algorithm algorithm,
                                              bool symmetry, uint64_t seed, uint64_t limit, ItemsTally* tally) {
  Request request;
  request.algorithm = algorithm;
  request.model = model;
  request.keep_going = true;
  request.max_executions = limit;
  const Explored whole = collect(script, request, {}, symmetry);
  if (!saw_all(whole.result)) return std::nullopt;
  request.max_executions = 0;
  uint64_t items = 0;
  const Explored parts = collect_by_items(script, request, seed, symmetry, items);
  if (tally != nullptr) *tally = {items, whole.result.executions};
  std::string text = difference("complete", whole.complete, parts.complete);
  text += difference("blocked", whole.blocked, parts.blocked);
  if (errors(whole.result) != errors(parts.result)) text += "other errors\n";
  return text;
}

}  // namespace heddle::differential
