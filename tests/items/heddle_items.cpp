// heddle_items: a program is explored as a whole, and in parts. The exploration gives work items away at random
// moments; each is explored by a process of its own. All together must find the same executions, each as often.
//
//   heddle_items [--algorithm A] [--model M] [--items N] [--seed X] [--no-symmetry] FILE [-- CLANG ARGUMENTS]
//
// Exit status: 0 the same, 1 a difference, 2 something else went wrong, or no item was given away.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "explore/explore.hpp"
#include "explore/rcmc/fingerprint.hpp"
#include "frontend/compile.hpp"
#include "frontend/load/load.hpp"
#include "library/library.hpp"
#include "native/native.hpp"

namespace heddle {
namespace {

struct Options {
  Algorithm algorithm = Algorithm::spore;
  ModelKind model = ModelKind::rc11;
  std::size_t items = 12;
  uint64_t seed = 1;
  bool symmetry = true;
  std::string item;      // a file: explore only that, and tell what is found
  std::string settings;  // of the machine, for the item
  std::string file;
  std::vector<std::string> clang_args;
};

// "complete 0123…", and how often.
using Found = std::map<std::string, unsigned>;

class Collector : public Observer {
 public:
  Collector(Found& found, bool with_co) : found_(found), with_co_(with_co) {}

  void start_again() override { found_.clear(); }
  void execution(const Graph& g, Machine& machine, bool complete) override {
    const Fingerprint f = fingerprint(g, machine, with_co_);
    char text[64];
    std::snprintf(text, sizeof text, "%s %016llx%016llx", complete ? "complete" : "blocked",
                  static_cast<unsigned long long>(f.high), static_cast<unsigned long long>(f.low));
    ++found_[text];
  }

 private:
  Found& found_;
  bool with_co_;
};

// Gives away some of the choices, no more than so many.
class RandomSharing : public Sharing {
 public:
  RandomSharing(uint64_t seed, std::size_t most) : random_(seed), most_(most) {}

  std::vector<std::string> items;

  bool wants_all() override { return items.size() < most_ && random_() % 3 == 0; }
  std::vector<bool> look(const Result&, std::vector<std::string> rest) override {
    if (rest.empty()) return {};
    items.push_back(std::move(rest.front()));
    return {true};
  }

 private:
  std::mt19937_64 random_;
  std::size_t most_;
};

NativeOptions native_options(const Options& o) {
  NativeOptions n;
  n.symmetry = o.symmetry && why_not(o.algorithm, o.model, Feature::symmetry).empty();
  n.helping = why_not(o.algorithm, o.model, Feature::helping).empty();
  return n;
}

std::string contents_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Result explore_in(NativeMachine& machine, const Options& o, Found& found, Sharing* sharing, std::string_view work) {
  Collector collector(found, has_co(o.model));
  Request request;
  request.algorithm = o.algorithm;
  request.model = o.model;
  request.observer = &collector;
  request.sharing = sharing;
  request.work = work;
  if (!request.is_part()) return explore(machine, request);
  machine.set_settings(o.settings.empty() ? machine.settings() : contents_of(o.settings));
  Result result = run_algorithm(machine, request);
  if (!result.broken.empty()) throw UserError("the exploration has to start again, but this is only a part of it");
  return result;
}

void add_result(const Result& r, Found& found) {
  for (const Finding& f : r.findings) ++found["error " + std::string(name(f.error.kind))];
}

int run_item(NativeMachine& machine, const Options& o) {
  Found found;
  add_result(explore_in(machine, o, found, nullptr, contents_of(o.item)), found);
  for (const auto& [text, times] : found) std::cout << times << ' ' << text << '\n';
  return std::cout.flush() ? 0 : 2;
}

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string command(const Options& o, const std::string& self, const std::string& item, const std::string& settings) {
  std::string out = quoted(self) + " --algorithm " + std::string(name(o.algorithm)) + " --model " +
                    std::string(name(o.model)) + (o.symmetry ? "" : " --no-symmetry") + " --item " + quoted(item) +
                    " --settings " + quoted(settings) + " " + quoted(o.file) + " --";
  for (const std::string& word : o.clang_args) out += " " + quoted(word);
  return out;
}

// Explores one item in a new process.
bool explore_apart(const std::string& command, Found& found) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return false;
  std::string text;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  const int status = pclose(pipe);
  std::istringstream lines(text);
  unsigned times = 0;
  for (std::string what; lines >> times && std::getline(lines >> std::ws, what);) found[what] += times;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int run_whole(NativeMachine& machine, const Options& o, const std::string& self) {
  Found whole;
  add_result(explore_in(machine, o, whole, nullptr, {}), whole);

  Found parts;
  RandomSharing sharing(o.seed, o.items);
  add_result(explore_in(machine, o, parts, &sharing, {}), parts);
  std::string folder = "/tmp/heddle-items-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return 2;
  const std::string settings = folder + "/settings";
  std::ofstream(settings, std::ios::binary) << machine.settings();
  std::size_t alone = 0;
  for (const auto& [text, times] : parts) alone += times;
  bool good = true;
  for (std::size_t i = 0; i < sharing.items.size() && good; ++i) {
    const std::string file = folder + "/" + std::to_string(i);
    std::ofstream(file, std::ios::binary) << sharing.items[i];
    good = explore_apart(command(o, self, file, settings), parts);
    unlink(file.c_str());
  }
  unlink(settings.c_str());
  rmdir(folder.c_str());
  if (!good) return 2;

  std::size_t total = 0;
  for (const auto& [text, times] : whole) total += times;
  std::printf("%zu results as a whole; %zu items, %zu results without them\n", total, sharing.items.size(), alone);
  if (sharing.items.empty() || total == 0) {
    std::fputs("nothing was compared\n", stderr);
    return 2;
  }
  if (whole == parts) return 0;
  for (const auto& [text, times] : whole) {
    if (parts[text] != times) std::printf("%u as a whole, %u in parts: %s\n", times, parts[text], text.c_str());
  }
  for (const auto& [text, times] : parts) {
    if (times != 0 && !whole.contains(text)) std::printf("%u in parts only: %s\n", times, text.c_str());
  }
  return 1;
}

Options parse(int argc, char** argv) {
  Options o;
  int i = 1;
  for (; i < argc && std::string(argv[i]) != "--"; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with("--")) {
      o.file = word;
      continue;
    }
    if (word == "--no-symmetry") {
      o.symmetry = false;
      continue;
    }
    if (i + 1 == argc) throw UserError(word + " needs a value");
    const std::string value = argv[++i];
    if (word == "--algorithm") o.algorithm = algorithm_named(value).value();
    if (word == "--model") o.model = model_named(value).value();
    if (word == "--items") o.items = std::stoul(value);
    if (word == "--seed") o.seed = std::stoull(value);
    if (word == "--item") o.item = value;
    if (word == "--settings") o.settings = value;
  }
  if (i < argc) o.clang_args.assign(argv + i + 1, argv + argc);
  if (o.file.empty()) throw UserError("no file given");
  return o;
}

int run(int argc, char** argv) {
  const Options o = parse(argc, argv);
  NativeMachine machine(load(compile({.files = {o.file}, .clang_args = o.clang_args}), library::resolve),
                        native_options(o));
  if (!o.item.empty()) return run_item(machine, o);
  return run_whole(machine, o, argv[0]);
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  try {
    return heddle::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "heddle_items: %s\n", e.what());
    return 2;
  }
}
