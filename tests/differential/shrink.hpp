// Making a script smaller while something about it stays true: what the fuzzer shows is what is left.
#pragma once

#include <functional>

#include "machine/script/script.hpp"

namespace heddle::differential {

// Branches over the place become longer or shorter.
void insert_instruction(std::vector<Instruction>& code, std::size_t at, const Instruction&);
void erase_instruction(std::vector<Instruction>& code, std::size_t at);

// A smallest script that can be reached by leaving out threads and instructions and by simplifying instructions, one
// at a time, such that `holds` is true of it. It must be true of the given one.
Script shrink(Script, const std::function<bool(const Script&)>& holds);

}  // namespace heddle::differential
