// Prints what NAME.expected has to say, found by brute force over the literal axioms. A file whose allowed line the
// axioms contradict is reported, and not written: find out first which of the two is wrong.
//
// usage: heddle_litmus_expect [--write] FILE.litmus...
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "litmus/litmus_file.hpp"
#include "litmus/read.hpp"

namespace heddle::litmus {
namespace {

bool expect(const std::filesystem::path& path, bool write) {
  const std::string text = read_text(path);
  const Litmus litmus = parse(text, path.string());
  ByModel states;
  Models reachable;
  for (const ModelKind m : kModels) {
    const Found found = by_brute_force(litmus, m);
    of(states, m) = found.states;
    if (found.reachable) reachable.insert(m);
  }
  const std::string expected = print_expected(states);
  if (!write) std::cout << expected;
  if (const Models promised = allowed(text); promised != reachable) {
    std::cerr << path.string() << ": allowed: " << to_string(promised)
              << ", but by the axioms: " << to_string(reachable) << "\n";
    return false;
  }
  if (write) std::ofstream(std::filesystem::path(path).replace_extension(".expected")) << expected;
  return true;
}

}  // namespace
}  // namespace heddle::litmus

int main(int argc, char** argv) {
  const bool write = argc > 1 && std::strcmp(argv[1], "--write") == 0;
  if (argc < (write ? 3 : 2)) {
    std::cerr << "usage: heddle_litmus_expect [--write] FILE.litmus...\n";
    return 2;
  }
  bool agree = true;
  for (int i = write ? 2 : 1; i < argc; ++i) {
    try {
      agree = heddle::litmus::expect(argv[i], write) && agree;
    } catch (const std::exception& e) {
      std::cerr << argv[i] << ": " << e.what() << "\n";
      agree = false;
    }
  }
  return agree ? 0 : 1;
}
