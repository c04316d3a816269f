#include "machine/script/twins.hpp"

#include <algorithm>

namespace heddle {

ThreadId script_twin(const Script& script, ThreadId parent, uint32_t pc) {
  const auto& code = script.threads[index(parent)];
  if (pc == 0 || code[pc].op != ScriptOp::create || code[pc - 1].op != ScriptOp::create) return kNoThread;
  const unsigned twin = code[pc - 1].thread;
  const unsigned child = code[pc].thread;
  // A branch may lead around the first create.
  const bool straight = std::none_of(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(pc),
                                     [](const Instruction& i) { return i.op == ScriptOp::skip; });
  return straight && twin < child && script.threads[twin] == script.threads[child] ? ThreadId(twin) : kNoThread;
}

}  // namespace heddle
