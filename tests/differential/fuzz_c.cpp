// heddle_fuzz_c: random scripts as C programs through the whole pipeline, compared with the brute force of the script.
//
//   heddle_fuzz_c --heddle PROGRAM [--algorithm rcmc|await | --symmetry found|declared] [--model MODEL|all]
//                 [--programs N | --seconds S] [--seed X] [--first I]
//
// Compared are the verdict, the kinds of the errors, and the number of executions. Exit status: 0 no disagreement, 1 a
// disagreement, 2 bad arguments, 3 nothing was compared.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "differential/brute_force.hpp"
#include "differential/compare.hpp"
#include "differential/generate.hpp"
#include "differential/interleavings.hpp"
#include "differential/shrink.hpp"
#include "differential/symmetric.hpp"
#include "script/script_c.hpp"
#include "script/script_text.hpp"

namespace heddle::differential {
namespace {

using axioms::Model;

constexpr uint64_t kLimit = 4000;
constexpr const char* kRefused = "symmetry refused";

struct Options {
  std::string heddle;
  Algorithm algorithm = Algorithm::spore;
  RenderTwins twins = RenderTwins::hidden;  // else executions are counted up to exchange of twins
  std::vector<Model> models = {Model::sc, Model::tso, Model::pso, Model::ra, Model::rc11};
  uint64_t programs = 0;
  double seconds = 0;
  uint64_t seed = 1;
  uint64_t first = 0;  // the number of the first program
};

// The script that render_c renders: an await is a read and an assume. The last two registers, which no generated script
// uses, hold what a cas expects, and whether it has read that.
Script without_awaits(Script s) {
  constexpr unsigned kWanted = kScriptRegisters - 2;
  constexpr unsigned kFound = kScriptRegisters - 1;
  const auto set = [](unsigned reg, Calculation calculation, ScriptValue a, ScriptValue b) {
    Instruction i;
    i.op = ScriptOp::set;
    i.reg = static_cast<uint8_t>(reg);
    i.calculation = calculation;
    i.operand = a;
    i.second_reg = b.reg;
    i.constant = b.constant;
    return i;
  };
  // What skips the one skips the other.
  const auto insert_after = [](std::vector<Instruction>& code, std::size_t pc, const Instruction& next) {
    insert_instruction(code, pc, Instruction(code[pc]));
    code[pc + 1] = next;
  };
  for (auto& code : s.threads) {
    for (std::size_t pc = 0; pc < code.size(); ++pc) {
      if (code[pc].await == Await::none) continue;
      Instruction assume;
      assume.op = ScriptOp::assume;
      assume.reg = code[pc].reg;
      assume.equal = code[pc].await == Await::equal;
      assume.constant = code[pc].constant;
      code[pc].await = Await::none;
      code[pc].assumed = false;
      if (const ScriptValue wanted = code[pc].second(); wanted.reg >= 0) {
        const auto read = static_cast<int8_t>(assume.reg);
        insert_instruction(code, pc++, set(kWanted, Calculation::add, wanted, {}));
        insert_after(code, pc++, set(kFound, Calculation::eq, {read, 0}, {kWanted, 0}));
        assume.reg = kFound;
        assume.constant = 1;
      }
      insert_after(code, pc++, assume);
    }
  }
  return s;
}

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/heddle-fuzz-XXXXXX";
    if (mkdtemp(name) == nullptr) throw std::runtime_error("cannot make a folder in /tmp");
    path_ = name;
  }
  ~Folder() {
    std::remove(program().c_str());
    rmdir(path_.c_str());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string program() const { return path_ + "/program.c"; }

 private:
  std::string path_;
};

struct Run {
  int status = 0;
  std::string output;
};

Run run(const std::string& command) {
  Run r;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) r.output.append(buffer, n);
  const int status = pclose(pipe);
  r.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return r;
}

std::string join(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : ", ") + w;
  return text.empty() ? "none" : text;
}

// By brute force; up to exchange of twins if the program shows them.
std::optional<Reference> wanted_of(const Script& script, Model model, RenderTwins twins) {
  auto r = reference(script, model, kLimit);
  if (!r || twins == RenderTwins::hidden) return r;
  r->complete.clear();
  brute_force(script, model, kLimit, [&](const Full& f) {
    if (f.ending == Ending::complete) r->complete.insert(symmetric_form(script, f.execution));
  });
  return r;
}

// What heddle says of the program against what the brute force says of the script; empty if they agree. There are from
// `least` to `most` executions.
std::string difference(const Reference& r, const Run& run, uint64_t least, uint64_t most) {
  if (run.status != 0 && run.status != 1 && run.status != 3)
    return fmt::format("exit status {}\n{}", run.status, run.output);
  const auto json = nlohmann::json::parse(run.output, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return fmt::format("no JSON: {}\n", run.output);
  std::set<std::string> found;
  for (const auto& error : json["errors"]) found.insert(error["kind"].get<std::string>());
  if (found.contains("symmetry")) return kRefused;
  std::set<std::string> possible;
  if (r.error) possible.insert("assertion");
  if (r.race) possible.insert("race");
  if (r.deadlock) possible.insert("deadlock");
  const auto kinds = fmt::format("errors found: {}; there are: {}\n", join(found), join(possible));
  if (found.empty() != possible.empty()) return kinds;
  for (const std::string& kind : found) {
    if (!possible.contains(kind)) return kinds;
  }
  const auto executions = json["executions"].get<uint64_t>();
  const int without_errors = executions != 0 ? 0 : 3;
  if (run.status != (found.empty() ? without_errors : 1)) return fmt::format("exit status {}, {}", run.status, kinds);
  if (r.error || r.race || (executions >= least && executions <= most)) return "";
  return fmt::format("{} executions instead of {} to {}\n", executions, least, most);
}

std::string flags(const Options& options) {
  if (options.algorithm == Algorithm::rcmc) return "--algorithm rcmc --count-duplicates";
  if (options.algorithm == Algorithm::await) return "--algorithm await --no-commute";
  return options.twins == RenderTwins::hidden ? "" : "--symmetry";
}

// Nothing if the script is too large for the brute force.
std::optional<std::string> check(const Script& script, Model model, const Options& options, const Folder& folder) {
  const auto r = wanted_of(script, model, options.twins);
  if (!r) return std::nullopt;
  std::ofstream(folder.program()) << render_c(script, options.twins).text;
  const auto checked = [&](const std::string& flags) {
    return run(fmt::format("{} check --keep-going --format json {} --model {} {} 2>&1", options.heddle, flags,
                           name(model), folder.program()));
  };
  const uint64_t all = r->complete.size();
  const std::string different = difference(*r, checked(flags(options)), all, all);
  if (!different.empty() || options.algorithm != Algorithm::await) return different;
  // The compiler may see that a result is not used, or not, but never that a used one is not.
  const auto most = enumerate_classes(script, true, 25 * kLimit);
  const auto least = enumerate_classes(without_dead_results(script), true, 25 * kLimit);
  if (!most || !least) return std::nullopt;
  return difference(*r, checked("--algorithm await"), least->complete.size(), most->complete.size());
}

// Whether a shrunk script still keeps the rules of POSIX: every thread is joined, no mutex is unlocked that is not
// held.
bool proper(const Script& s) {
  std::size_t joins = 0;
  for (const auto& code : s.threads) {
    int held = 0;
    for (const Instruction& i : code) {
      held += i.op == ScriptOp::lock || i.op == ScriptOp::trylock ? 1 : i.op == ScriptOp::unlock ? -1 : 0;
      joins += i.op == ScriptOp::join;
    }
    if (held != 0) return false;
  }
  return joins + 1 == s.threads.size();
}

void show(const Script& script, Model model, const Options& options, const Folder& folder) {
  const auto differs = [&](const Script& s) {
    const std::string text = check(s, model, options, folder).value_or("");
    return !text.empty() && text != kRefused;
  };
  const Script small = shrink(script, [&](const Script& s) { return proper(s) && differs(s); });
  fmt::print("shrunk:\n{}\n{}\n{}", print_script(small), render_c(small, options.twins).text,
             check(small, model, options, folder).value_or(""));
}

int fuzz(const Options& options) {
  const Folder folder;
  GenerateOptions generate_options;
  generate_options.only_c = true;
  generate_options.accesses = 9;
  generate_options.awaits = options.algorithm == Algorithm::await;
  generate_options.symmetric = options.twins != RenderTwins::hidden;
  const auto start = std::chrono::steady_clock::now();
  uint64_t program = options.first;
  uint64_t compared = 0;
  uint64_t left_out = 0;
  uint64_t refused = 0;
  for (; options.programs == 0 || program < options.first + options.programs; ++program) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (options.seconds > 0 && elapsed.count() > options.seconds) break;
    const Script script = without_awaits(generate(options.seed * 1'000'000'007 + program, generate_options));
    for (const Model model : options.models) {
      const std::optional<std::string> different = check(script, model, options, folder);
      ++(different ? compared : left_out);
      refused += different == kRefused;
      if (!different || different->empty() || *different == kRefused) continue;
      fmt::print("{}: DISAGREEMENT on program {} of seed {}\n\n{}\n{}\n", name(model), program, options.seed,
                 print_script(script), *different);
      show(script, model, options, folder);
      return 1;
    }
  }
  fmt::print("{} programs: {} comparisons agree ({} refusals of symmetry among them), {} left out as too large\n",
             program - options.first, compared, refused, left_out);
  if (compared > refused) return 0;
  fmt::print(stderr, "nothing was compared: all programs were refused or too large\n");
  return 3;
}

[[noreturn]] void usage() {
  std::fputs(
      "usage: heddle_fuzz_c --heddle PROGRAM [--algorithm rcmc|await | --symmetry found|declared] [--model MODEL|all] "
      "[--programs N | --seconds S] [--seed X] [--first I]\n",
      stderr);
  std::exit(2);
}

// A number, and nothing else.
template <typename T>
T number(const std::string& text, T at_least) {
  T value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || value < at_least) usage();
  return value;
}

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--heddle") {
      o.heddle = value;
    } else if (name == "--model" && value != "all" && model_named(value) && has_co(*model_named(value))) {
      o.models = {*model_named(value)};
    } else if (name == "--algorithm" && value == "await") {
      o.algorithm = Algorithm::await;
      o.models = {Model::sc};
    } else if (name == "--algorithm" && value == "rcmc") {
      o.algorithm = Algorithm::rcmc;
      o.models = {Model::rc11, Model::wrc11};
    } else if (name == "--symmetry" && (value == "found" || value == "declared")) {
      o.twins = value == "found" ? RenderTwins::same_function : RenderTwins::declared;
    } else if (name == "--model" && value == "all") {
    } else if (name == "--programs") {
      o.programs = number<uint64_t>(value, 1);
    } else if (name == "--seconds") {
      o.seconds = number<double>(value, 1e-9);
    } else if (name == "--seed") {
      o.seed = number<uint64_t>(value, 0);
    } else if (name == "--first") {
      o.first = number<uint64_t>(value, 0);
    } else {
      usage();
    }
  }
  if (argc % 2 == 0 || o.heddle.empty()) usage();
  return o;
}

}  // namespace
}  // namespace heddle::differential

int main(int argc, char** argv) { return heddle::differential::fuzz(heddle::differential::parse(argc, argv)); }
