// heddle_fuzz: random scripts, explored and brute-forced; the first disagreement is shrunk and shown.
//
//   heddle_fuzz [--model MODEL|all] [--programs N | --seconds S] [--seed X] [--first I] [--limit CANDIDATES]
//   [--algorithm spore|rcmc|await|rvf] [--symmetry | --helping | --crowds | --buffers] [--meetings] [--items | --jobs]
//   [--quiet]
//
// Program number i of seed X is the same in every run; --first starts at number I. Without --programs and --seconds it
// runs until stopped. Exit status: 0 no disagreement, 1 a disagreement, 2 bad arguments, 3 nothing was compared.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/error.hpp"
#include "differential/buffers.hpp"
#include "differential/compare.hpp"
#include "differential/crowds.hpp"
#include "differential/generate.hpp"
#include "differential/helping.hpp"
#include "differential/interleavings.hpp"
#include "differential/items.hpp"
#include "differential/jobs.hpp"
#include "differential/shrink.hpp"
#include "differential/symmetric.hpp"
#include "differential/values.hpp"
#include "differential/weak.hpp"
#include "script/script_c.hpp"
#include "script/script_text.hpp"

namespace heddle::differential {
namespace {

using axioms::Model;

struct Options {
  std::vector<Model> models{kModels.begin(), kModels.end()};
  uint64_t programs = 0;
  double seconds = 0;
  uint64_t seed = 1;
  uint64_t first = 0;
  uint64_t limit = 4000;
  Algorithm algorithm = Algorithm::spore;
  bool quiet = false;
  bool meetings = false;  // scripts in which threads meet
  bool helping = false;   // scripts with helped operations
  bool crowds = false;    // scripts in which many threads wait; no brute force
  bool symmetry = false;  // scripts with symmetric threads, compared up to their exchange
  bool buffers = false;   // the axioms of tso and pso against their machine; no explorer
  bool items = false;     // the exploration in parts against the whole; no brute force
  bool jobs = false;      // several processes against one; no brute force
};

struct Tally {
  uint64_t compared = 0;    // programs
  uint64_t too_large = 0;   // for the brute force
  uint64_t executions = 0;  // complete ones
  uint64_t blocked = 0;     // programs with blocked executions
  uint64_t errors = 0;      // programs with a failed assertion
  uint64_t deadlocks = 0;
  uint64_t races = 0;
  uint64_t classes = 0;    // of complete executions, up to symmetry
  uint64_t refused = 0;    // programs in which symmetry is not applicable, or help wrongly marked
  uint64_t right = 0;      // programs with an error and right marks
  uint64_t items = 0;      // work items
  uint64_t commuting = 0;  // classes of complete executions, where rmws commute
  uint64_t functions = 0;  // value functions of complete executions
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Seeds of neighbouring programs have nothing in common.
uint64_t mix(uint64_t seed, uint64_t program) {
  uint64_t z = seed * 0x9e3779b97f4a7c15u + program * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 31)) * 0x94d049bb133111ebu;
  return z ^ (z >> 29);
}

void show(const Script& script, Model model, const Options& options) {
  const auto difference = [&](const Script& s) {
    if (options.jobs) return jobs_disagreement(s, model, options.algorithm, options.symmetry, options.limit);
    if (options.items) {
      return items_disagreement(s, model, options.algorithm, options.symmetry, options.seed, options.limit);
    }
    if (options.algorithm == Algorithm::await) return await_disagreement(s, options.limit);
    if (options.algorithm == Algorithm::rvf) return rvf_disagreement(s, options.limit);
    if (options.crowds) return crowd_disagreement(s, model, options.limit);
    if (options.helping) return helping_disagreement(s, model, options.limit);
    if (options.buffers) return buffers_disagreement(s, model, options.limit);
    return options.symmetry ? symmetric_disagreement(s, model, options.limit)
                            : disagreement(s, model, options.limit, options.algorithm);
  };
  const Script small = shrink(script, [&](const Script& s) { return !difference(s).value_or("").empty(); });
  fmt::print("\nthe script, shrunk:\n{}\n", print_script(small));
  fmt::print("{}\n", difference(small).value_or(""));
  try {
    fmt::print("as C:\n{}\n", render_c(small).text);
  } catch (const UserError& e) {
    fmt::print("not as C: {}\n", e.what());
  }
}

void print_tally(Model model, const Tally& t, double seconds, bool buffers, bool explores) {
  if (!explores) {
    fmt::print("{}: axioms and checker agree on {} programs in {:.0f} s ({} executions); {} left out as too large\n",
               name(model), t.compared, seconds, t.executions, t.too_large);
    std::fflush(stdout);
    return;
  }
  if (buffers) {
    fmt::print("{}: axioms and machine agree on {} programs in {:.0f} s ({} outcomes); {} left out as too large\n",
               name(model), t.compared, seconds, t.executions, t.too_large);
    std::fflush(stdout);
    return;
  }
  if (t.items != 0) {
    fmt::print("{}: {} programs agree in {:.0f} s ({} complete executions in {} parts); {} left out as too large\n",
               name(model), t.compared, seconds, t.executions, t.items, t.too_large);
    std::fflush(stdout);
    return;
  }
  if (t.refused != 0 && t.classes == 0) {
    fmt::print(
        "{}: {} programs with helping agree in {:.0f} s ({} with an error, {} of them with right annotations; {} with "
        "wrong ones); {} left out as too large\n",
        name(model), t.compared, seconds, t.errors, t.right, t.refused, t.too_large);
    std::fflush(stdout);
    return;
  }
  if (t.classes != 0) {
    fmt::print(
        "{}: {} programs agree up to symmetry in {:.0f} s ({} executions in {} classes; symmetry refused in {}); "
        "{} left out as too large\n",
        name(model), t.compared, seconds, t.executions, t.classes, t.refused, t.too_large);
    std::fflush(stdout);
    return;
  }
  if (t.functions != 0) fmt::print("{}: {} value functions\n", name(model), t.functions);
  if (t.commuting != 0) fmt::print("{}: {} executions if rmws commute\n", name(model), t.commuting);
  fmt::print(
      "{}: {} programs agree in {:.0f} s ({} complete executions; {} programs with blocked ones, {} with a failed "
      "assertion, {} with a deadlock, {} with a race); {} left out as too large\n",
      name(model), t.compared, seconds, t.executions, t.blocked, t.errors, t.deadlocks, t.races, t.too_large);
  std::fflush(stdout);
}

// What disagrees; nothing if the brute force gives up.
void add(const Seen& seen, Tally& tally) {
  tally.blocked += seen.blocked;
  tally.errors += seen.error;
  tally.deadlocks += seen.deadlock;
  tally.races += seen.race;
}

std::optional<std::string> compare(const Script& script, Model model, const Options& options, Tally& tally) {
  const uint64_t limit = options.limit;
  if (options.jobs) {
    JobsTally jobs;
    auto difference = jobs_disagreement(script, model, options.algorithm, options.symmetry, limit, &jobs);
    tally.executions += jobs.executions;
    tally.errors += jobs.error;
    tally.items += jobs.bundles;
    return difference;
  }
  if (options.items) {
    ItemsTally items;
    auto difference =
        items_disagreement(script, model, options.algorithm, options.symmetry, options.seed, limit, &items);
    tally.executions += items.executions;
    tally.items += items.items;
    return difference;
  }
  if (options.crowds) {
    CrowdTally crowd;
    auto difference = crowd_disagreement(script, model, limit, &crowd);
    tally.executions += crowd.executions;
    tally.deadlocks += crowd.deadlock;
    return difference;
  }
  if (options.helping) {
    HelpingTally helping;
    auto difference = helping_disagreement(script, model, limit, &helping);
    tally.errors += helping.error;
    tally.refused += helping.refused;
    tally.right += helping.error && !helping.refused;
    return difference;
  }
  if (options.buffers) return buffers_disagreement(script, model, limit, &tally.executions);
  if (options.algorithm == Algorithm::await) {
    AwaitTally await;
    auto difference = await_disagreement(script, limit, &await);
    tally.executions += await.executions;
    tally.commuting += await.classes;
    add(await, tally);
    return difference;
  }
  if (options.algorithm == Algorithm::rvf) {
    RvfTally rvf;
    auto difference = rvf_disagreement(script, limit, &rvf);
    tally.executions += rvf.executions;
    tally.functions += rvf.functions;
    add(rvf, tally);
    return difference;
  }
  if (options.symmetry) {
    SymmetricTally symmetric;
    auto difference = symmetric_disagreement(script, model, limit, &symmetric);
    tally.executions += symmetric.executions;
    tally.classes += symmetric.classes;
    tally.refused += symmetric.refused;
    return difference;
  }
  if (!has_co(model) && options.algorithm == Algorithm::spore) {
    WeakTally weak;
    auto difference = weak_disagreement(script, limit, &weak);
    tally.executions += weak.executions;
    tally.blocked += weak.blocked != 0;
    tally.errors += weak.error;
    return difference;
  }
  const auto r = reference(script, model, limit);
  if (!r) return std::nullopt;
  tally.executions += r->complete.size();
  tally.blocked += !r->blocked.empty();
  tally.errors += r->error;
  tally.deadlocks += r->deadlock;
  tally.races += r->race;
  return disagreement(script, model, *r, options.algorithm);
}

// What several explorations make of too many arrivals is told by no oracle.
std::optional<std::string> compare_unless_crowded(const Script& script, Model model, const Options& options,
                                                  Tally& tally) {
  try {
    return compare(script, model, options, tally);
  } catch (const UserError& e) {
    if (!options.meetings) throw;
    return std::nullopt;
  }
}

// False at the first disagreement.
bool compare_one(const Script& script, Model model, const Options& options, uint64_t program, Tally& tally) {
  const auto difference = compare_unless_crowded(script, model, options, tally);
  ++(difference ? tally.compared : tally.too_large);
  if (!difference || difference->empty()) return true;
  fmt::print("{}: DISAGREEMENT on program {} of seed {}\n\n{}\n{}", name(model), program, options.seed,
             print_script(script), *difference);
  show(script, model, options);
  return false;
}

// A run that compared nothing is no success. Where symmetry is refused, or help wrongly marked, only the refusal was
// compared.
bool compared_something(const Options& options, const std::vector<Tally>& tallies) {
  bool all = true;
  for (std::size_t m = 0; m < tallies.size(); ++m) {
    const Tally& t = tallies[m];
    if (t.compared > t.refused) continue;
    all = false;
    fmt::print(stderr, "{}: nothing was compared: {} programs, {} refused, {} left out as too large\n",
               name(options.models[m]), t.compared + t.too_large, t.refused, t.too_large);
  }
  return all;
}

GenerateOptions generate_options(const Options& options) {
  GenerateOptions g;
  if (options.symmetry) {
    g.symmetric = true;
    g.accesses = 8;
    g.plain = false;
  }
  g.awaits = !options.symmetry;
  g.meetings = options.meetings;
  return g;
}

int run(const Options& options) {
  std::vector<Tally> tallies(options.models.size());
  const double start = now();
  double shown = start;
  const auto print_all = [&] {
    for (std::size_t m = 0; m < tallies.size(); ++m)
      print_tally(options.models[m], tallies[m], now() - start, options.buffers,
                  why_not(options.algorithm, options.models[m]).empty());
  };
  for (uint64_t program = options.first; options.programs == 0 || program - options.first < options.programs;
       ++program) {
    if (options.seconds > 0 && now() - start > options.seconds) break;
    const uint64_t seed = mix(options.seed, program);
    Script script = options.helping  ? generate_helping(seed)
                    : options.crowds ? generate_crowd(seed)
                                     : generate(seed, generate_options(options));
    script.confirms = program % 2 != 0 && options.algorithm == Algorithm::spore && !options.helping && !options.buffers;
    script.rechecks = options.algorithm == Algorithm::spore && !options.helping && !options.buffers && !options.items;
    for (std::size_t m = 0; m < tallies.size(); ++m) {
      if (!compare_one(script, options.models[m], options, program, tallies[m])) return 1;
    }
    if (!options.quiet && now() - shown > 10) {
      shown = now();
      print_all();
    }
  }
  print_all();
  return compared_something(options, tallies) ? 0 : 3;
}

[[noreturn]] void usage() {
  std::fputs(
      "usage: heddle_fuzz [--model MODEL|all] [--programs N | --seconds S] [--seed X] [--first I] "
      "[--limit CANDIDATES] [--algorithm spore|rcmc|await|rvf] [--symmetry | --helping | --crowds | --buffers] "
      "[--meetings] [--items | --jobs] [--quiet]\n",
      stderr);
  std::exit(2);
}

// A number, and nothing else.
template <typename T>
T number(const char* text, T at_least) {
  T value{};
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc() || stop != end || value < at_least) usage();
  return value;
}

std::vector<Model> models(const std::string& name) {
  if (name == "all") return {kModels.begin(), kModels.end()};
  if (const auto model = model_named(name)) return {*model};
  usage();
}

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--quiet" || name == "--symmetry" || name == "--helping" || name == "--meetings" ||
        name == "--crowds" || name == "--buffers" || name == "--items" || name == "--jobs") {
      (name == "--quiet"      ? o.quiet
       : name == "--symmetry" ? o.symmetry
       : name == "--helping"  ? o.helping
       : name == "--meetings" ? o.meetings
       : name == "--crowds"   ? o.crowds
       : name == "--buffers"  ? o.buffers
       : name == "--items"    ? o.items
                              : o.jobs) = true;
      continue;
    }
    if (i + 1 == argc) usage();
    const char* value = argv[++i];
    if (name == "--model") {
      o.models = models(value);
    } else if (name == "--programs") {
      o.programs = number<uint64_t>(value, 1);
    } else if (name == "--seconds") {
      o.seconds = number<double>(value, 1e-9);
    } else if (name == "--seed") {
      o.seed = number<uint64_t>(value, 0);
    } else if (name == "--first") {
      o.first = number<uint64_t>(value, 0);
    } else if (name == "--algorithm") {
      const auto algorithm = algorithm_named(value);
      if (!algorithm) usage();
      o.algorithm = *algorithm;
    } else if (name == "--limit") {
      o.limit = number<uint64_t>(value, 0);
    } else {
      usage();
    }
  }
  if (o.algorithm != Algorithm::spore && (o.symmetry || o.helping)) usage();
  if (o.algorithm == Algorithm::await && (o.buffers || o.items)) usage();
  // Without an explorer for it, a model's axioms and checker are compared with each other.
  const bool explores = o.algorithm != Algorithm::spore || o.symmetry || o.helping || o.items || o.jobs;
  std::erase_if(o.models, [&](Model m) { return explores && !why_not(o.algorithm, m).empty(); });
  std::erase_if(o.models, [&](Model m) { return o.buffers && m != Model::tso && m != Model::pso; });
  if (o.models.empty()) usage();
  return o;
}

}  // namespace
}  // namespace heddle::differential

int main(int argc, char** argv) { return heddle::differential::run(heddle::differential::parse(argc, argv)); }
