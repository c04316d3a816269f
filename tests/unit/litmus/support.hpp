// What the tests of litmus tests share.
#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "litmus/read.hpp"
#include "litmus/run.hpp"

namespace heddle::litmus {

// What parsing or running says against a test; empty if nothing.
inline std::string error_of(const std::string& text) {
  try {
    run(parse(text, "t.litmus"), ModelKind::sc);
  } catch (const UserError& e) {
    return e.what();
  }
  return "";
}

inline std::vector<std::string> states(const std::string& text, ModelKind model) {
  const Litmus litmus = parse(text, "t.litmus");
  std::vector<std::string> out;
  for (const auto& s : run(litmus, model).states) out.push_back(state(litmus, s));
  return out;
}

// A test of one thread whose code stands on line 4.
inline std::string one_thread(const std::string& code, const std::string& condition = "exists true",
                              const std::string& init = "") {
  return "C t\n{" + init + "}\nP0 (int* x, atomic_int* y) {\n" + code + "\n}\n" + condition + "\n";
}

// The only final state of a thread.
inline std::string result(const std::string& code, const std::string& observed, const std::string& init = "") {
  const auto all = states(one_thread(code, "locations [" + observed + "] exists true", init), ModelKind::rc11);
  return all.size() == 1 ? all[0] : std::to_string(all.size()) + " states";
}

}  // namespace heddle::litmus
