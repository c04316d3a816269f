// What clang and libstdc++ tell by names alone: the only place where the front end looks at names that clang gives to
// values, or at paths of libstdc++'s headers. If one of them changes, its test in
// tests/unit/frontend/ir/clang_names_test.cpp fails, and this is where to mend it. All else is
// told without names: rewrite/peeks.cpp, and docs/how-it-works.md on bytes without a value.
//
// Symbols that an ABI fixes are no such names, nor are those of functions.
#pragma once

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

namespace heddle::frontend {

// A temporary that clang passes to a function by value, or one whose result nobody uses ("agg.tmp"). The life of these
// is not marked. If it is not recognised, accesses after its end go unnoticed.
//   clang: CreateAggTemp in CGCall.cpp (EmitCallArg), CGExprAgg.cpp (EnsureDest), CGExpr.cpp (EmitAnyExprToTemp)
bool is_unmarked_temporary(const llvm::AllocaInst& local);

// Of these, one that is nobody's argument ("agg.tmp.ensured"). If it is not recognised, it seems to end with the last
// call that gets its address.
//   clang: CGExprAgg.cpp, EnsureDest and EnsureSlot
bool is_unused_temporary(const llvm::AllocaInst& local);

// Where clang notes for a debugger the address of a parameter that is passed by address (".indirect_addr"). If it is
// not recognised, the address seems to escape, and the life of the argument is not marked.
//   clang: CGDecl.cpp, EmitParmDecl
bool is_address_for_debugger(const llvm::Value& place);

// A change of some bits of a word of std::vector<bool>, which need not have been written before. If it is not
// recognised, the first push_back is a read of uninitialised memory.
//   libstdc++: bits/stl_bvector.h
bool is_in_vector_bool(const llvm::Instruction& i);

// A string literal, to which reports have no other name (".str"). If it is not recognised, they show that one.
//   clang: CodeGenModule.cpp, GetAddrOfConstantStringFromLiteral
bool is_string_literal(const llvm::GlobalVariable& g);

}  // namespace heddle::frontend
