// What a check is about, for a process that goes on with it or helps: heddle itself, the program, and the options that
// decide what is explored. If any of it differs, the work items of one are not those of the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "explore/explore.hpp"
#include "machine/machine.hpp"

namespace heddle::cli {

struct Identity {
  std::string version;  // of heddle
  uint64_t build = 0;   // a hash of its file
  std::string options;  // that decide
  uint64_t code = 0;    // a hash of the program as LLVM has it
  uint64_t rules = 0;   // item_rules: where it lies in memory, and all else that work items depend on

  std::string bytes() const;
  // Throws std::runtime_error.
  static Identity of_bytes(std::string_view bytes);
};

Identity identity_of(const Options& options, uint64_t code, const Machine& machine, const Request& request);
// A part of it that is known before the program is compiled.
Identity identity_of_heddle();

// Why this is not what the other one is about; empty if it is.
std::string difference(const Identity& other, const Identity& mine);

// Starts this program again, in place, such that the libraries lie at the same addresses in every process: programs
// have some of them in their memory. Where that is not allowed, it goes on as it is; then the rules may differ.
void put_libraries_in_place(const std::vector<std::string>& words);

}  // namespace heddle::cli
