// A script as a C11 program, one source line per instruction, so that the same random programs that test the explorers
// can go through the whole pipeline.
//
// An await becomes a load (exchange, cas) followed by an assume: the same complete executions; what would be a deadlock
// of the script is then only a blocked execution.
#pragma once

#include <string>
#include <vector>

#include "machine/script/script.hpp"

namespace heddle {

struct ScriptSource {
  std::string text;
  std::vector<std::vector<unsigned>> lines;  // of each instruction of each thread, from 1
};

// How the program shows that threads are twins: not at all, by running one function, or by saying so too.
enum class RenderTwins : uint8_t { hidden, same_function, declared };

// Throws UserError when C has no such operation (nand, max, min).
ScriptSource render_c(const Script&, RenderTwins = RenderTwins::hidden);

}  // namespace heddle
