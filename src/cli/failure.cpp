#include "cli/failure.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/outputs.hpp"
#include "cli/supervise.hpp"
#include "core/error.hpp"

namespace heddle::cli {

Answer or_failure(const Options& options, const std::function<Answer()>& run, const std::function<RunInfo()>& info) {
  const auto failure = [&](const std::string& message) {
    return Answer{kFailed, put_out_failure(options, info(), "failed", message)};
  };
  try {
    return run();
  } catch (const UserError& e) {
    begin_reporting();
    // What clang had to say is on stderr already.
    if (*e.what()) std::fprintf(stderr, "heddle: %s\n", e.what());
    return failure(e.what());
  } catch (const std::exception& e) {
    begin_reporting();
    std::fprintf(stderr,
                 "heddle: internal error: %s\n"
                 "There is no verdict. Please report this together with the program and the command.\n",
                 e.what());
    return failure(fmt::format("internal error: {}", e.what()));
  }
}

}  // namespace heddle::cli
