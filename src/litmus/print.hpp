// What `heddle litmus` prints: docs/litmus.md.
#pragma once

#include <span>
#include <string>

#include "litmus/run.hpp"

namespace heddle::litmus {

struct Answer {
  Litmus litmus;
  Outcome outcome;
};

// As herd7 prints it, with an empty line at the end.
std::string print_text(const Litmus&, const Outcome&);

struct RunInfo {
  std::string version;
  std::string model;
  std::string algorithm;
  double seconds = 0;  // of the whole run
};

std::string print_json(const RunInfo&, std::span<const Answer>);

}  // namespace heddle::litmus
