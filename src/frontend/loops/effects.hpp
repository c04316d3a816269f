// What an instruction does, as far as loops are concerned: one lattice, which all passes of this room ask.
#pragma once

#include <llvm/IR/Instructions.h>

#include "frontend/program/request.hpp"

namespace heddle::frontend {

// Each includes those before it.
enum class Effect : uint8_t {
  nothing,  // it computes, or tells LLVM, a debugger or heddle something; it may be done or left out
  traps,    // likewise, but it may stop the program: a division
  pauses,   // time passes
  orders,   // a fence
  reads,    // memory, private or shared, atomically or not
  changes,  // memory, or what is not known
};

Effect effect_of(const llvm::Instruction& i, const OfFunction& only_pauses);

// Of a function from whose name one can tell nothing.
Effect effect_of(const llvm::Instruction& i);

// The place that an atomic access reads; null if it is none.
const llvm::Value* place_read(const llvm::Instruction& i);

// What the value is before it was cast to or from a pointer.
const llvm::Value* same_bits(const llvm::Value* v);

// Whether the two accesses are of the same place.
bool is_same_place(const llvm::Instruction& one, const llvm::Instruction& other);

}  // namespace heddle::frontend
