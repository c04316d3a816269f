// Inline assembly: instructions on shared memory become the IR of atomic accesses, so that all later passes see them.
//
// Known are barriers and hints, loads and stores, read-modify-writes of x86-64 (x86.cpp) and AArch64
// (arm.cpp), and what a statement does with their results: moves, arithmetic, flags. Orders are those that
// make the compilation of C11 atomics to these instructions right (Batty et al., POPL 2012; Podkopaev, Lahav,
// Vafeiadis, POPL 2019): what the processor may do, the access in the IR may do as well. One
// thing is more than the processor does: dmb ishst becomes a release fence, which also orders earlier loads.
//
// A statement that touches no memory and consists of instructions that only compute stays as it is, and runs natively.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <string>
#include <vector>

namespace heddle::frontend {

// Replaces a statement. False if heddle does not know all of it; then nothing has changed.
bool lower_assembly(llvm::CallInst& call);
// Whether it only computes, and may stay.
bool only_computes(const llvm::CallBase& call);

namespace assembly {

// An operand as it is written.
struct Operand {
  enum Kind { none, reg, immediate, memory, stack, label } kind = none;  // stack: of x86, 8(%rsp)
  std::string name;       // of a register: its name, or "$" and the number of the statement's operand; of a label
  unsigned width = 0;     // of a register, in bits, as far as its name or modifier tells; else 0
  int64_t value = 0;      // of an immediate
  std::string text = {};  // as it was written
};

struct Line {
  std::string mnemonic;  // in lower case; "1:" for a label
  std::vector<Operand> operands;
};

// Thrown where a statement is not known. The caller takes back what was built.
struct Unknown {};

// The statement's operands and what it has done so far.
class Statement {
 public:
  Statement(llvm::CallInst& call, bool arm);

  const std::vector<Line>& lines() const { return lines_; }
  llvm::IRBuilder<>& b() { return b_; }

  // The contents of a register as an i64, zero-extended; Unknown if nothing is known of it.
  llvm::Value* get(const Operand& o);
  // Whether it has contents.
  bool has(const Operand& o) const;
  // Writes the lowest bits. On x86 the rest stays if there are less than 32, else it is zero.
  void set(const Operand& o, unsigned bits, llvm::Value* value);
  // Of a register or an operand of the statement; 0 if it does not tell.
  unsigned width(const Operand& o) const;
  // The address of a memory operand.
  llvm::Value* address(const Operand& o);
  // Of a condition that an output wants, "z" for "=@ccz"; the caller says what it is.
  std::vector<std::string> wanted_flags() const;
  void set_flag(const std::string& name, llvm::Value* i1);

  llvm::Value* load(llvm::Value* address, unsigned bits, llvm::AtomicOrdering order);
  void store(llvm::Value* address, unsigned bits, llvm::Value* value, llvm::AtomicOrdering order);
  llvm::Value* rmw(llvm::AtomicRMWInst::BinOp op, llvm::Value* address, unsigned bits, llvm::Value* value,
                   llvm::AtomicOrdering order);
  // The old value, as many bits; whether it was the expected one is in `success`.
  llvm::Value* cas(llvm::Value* address, unsigned bits, llvm::Value* expected, llvm::Value* desired,
                   llvm::AtomicOrdering order, llvm::AtomicOrdering failure, llvm::Value*& success);
  // The made-up time (library/clocks.hpp), as an i64.
  llvm::Value* cycles();
  void fence(llvm::AtomicOrdering order) { b_.CreateFence(order); }

  // Puts the outputs where the call's result is used, and removes the call.
  void finish();

 private:
  struct Place {      // an operand of the statement
    int result = -1;  // which part of the call's result it is
    llvm::Type* type = nullptr;
    llvm::Value* value = nullptr;    // that it has in the beginning
    llvm::Value* pointer = nullptr;  // memory
    llvm::Type* element = nullptr;   // what lies there
    int same_as = -1;                // an input that is tied to this output
    std::string fixed;               // the register's name, or the flag "@ccz"
  };
  struct Contents {
    llvm::Value* value = nullptr;
    unsigned known = 0;  // bits
  };

  void read_constraints();
  int number_of(const std::string& name) const;
  std::string key(const Operand& o) const;
  llvm::Value* as_i64(llvm::Value* v);
  llvm::Value* from_i64(llvm::Value* v, llvm::Type* type);

  llvm::CallInst& call_;
  bool arm_;
  llvm::IRBuilder<> b_;
  std::vector<Line> lines_;
  std::vector<Place> places_;
  std::map<std::string, Contents> contents_;
};

// What barriers and hints are called. True if the line is one.
bool lower_barrier(Statement& s, const Line& line);

void lower_x86(Statement& s);
void lower_arm(Statement& s);
// Instructions that only compute, of either processor.
bool computes(const std::string& mnemonic, bool arm);

}  // namespace assembly
}  // namespace heddle::frontend
