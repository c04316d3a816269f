// The twins of all threads of a script at once.
#pragma once

#include "machine/script/twins.hpp"

namespace heddle {

// The twin of each thread.
inline std::vector<ThreadId> script_twins(const Script& script) {
  std::vector<ThreadId> twins(script.threads.size(), kNoThread);
  for (std::size_t t = 0; t < script.threads.size(); ++t) {
    for (uint32_t pc = 0; pc < script.threads[t].size(); ++pc) {
      const Instruction& i = script.threads[t][pc];
      if (i.op == ScriptOp::create) twins[i.thread] = script_twin(script, ThreadId(t), pc);
    }
  }
  return twins;
}

}  // namespace heddle
