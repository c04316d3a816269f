#include "cli/litmus.hpp"

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>

#include "cli/files.hpp"
#include "cli/supervise.hpp"
#include "core/steady_clock.hpp"
#include "litmus/print.hpp"
#include "litmus/read.hpp"
#include "report/json.hpp"

namespace heddle::cli {
namespace {

constexpr std::size_t kLargestFile = 1 << 20;

void say(const char* what) { std::fprintf(stderr, "heddle: %s\n", what); }

heddle::litmus::Litmus read(const std::string& file) {
  require_file(file);
  std::ifstream in(file, std::ios::binary);
  std::string text(kLargestFile + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad() || !in.eof()) {
    throw UserError(file + (in.bad() ? ": cannot be read" : ": larger than 1 MiB; this is not a litmus test"));
  }
  text.resize(static_cast<std::size_t>(in.gcount()));
  return heddle::litmus::parse(text, file);
}

// All of them, or nothing when one has a mistake; each mistake is told, and added to `mistakes`.
std::vector<heddle::litmus::Answer> read_all(const std::vector<std::string>& files, std::string& mistakes) {
  std::vector<heddle::litmus::Answer> tests;
  for (const std::string& file : files) {
    try {
      tests.push_back({read(file), {}});
    } catch (const UserError& e) {
      say(e.what());
      mistakes += (mistakes.empty() ? "" : "\n") + std::string(e.what());
    }
  }
  if (!mistakes.empty()) tests.clear();
  return tests;
}

void put(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

Answer failure(const Options& options, const std::string& message) {
  if (options.format != "json") return {kFailed, ""};
  RunInfo info;
  info.version = HEDDLE_VERSION;
  info.files = options.files;
  info.model = options.model;
  info.algorithm = options.algorithm;
  return {kFailed, json_failure(info, "failed", message)};
}

}  // namespace

Answer litmus(const Options& options) {
  try {
    const auto start = SteadyClock::now();
    std::string mistakes;
    std::vector<heddle::litmus::Answer> tests = read_all(options.files, mistakes);
    if (tests.empty()) return failure(options, mistakes);
    const bool json = options.format == "json";
    for (heddle::litmus::Answer& t : tests) {
      t.outcome =
          heddle::litmus::run(t.litmus, model_named(options.model).value(), algorithm_named(options.algorithm).value());
      if (!json) put(heddle::litmus::print_text(t.litmus, t.outcome));
    }
    const double seconds = seconds_since(start);
    if (!json) return {kVerified, ""};
    return {kVerified, heddle::litmus::print_json({HEDDLE_VERSION, options.model, options.algorithm, seconds}, tests)};
  } catch (const UserError& e) {
    say(e.what());
    return failure(options, e.what());
  } catch (const std::exception& e) {
    const std::string message = std::string("internal error: ") + e.what();
    say((message + "\nThere is no answer. Please report this together with the test.").c_str());
    return failure(options, message);
  }
}

}  // namespace heddle::cli
