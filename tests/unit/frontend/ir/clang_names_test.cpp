// The names that the front end looks at are those that this clang and this libstdc++ give. If a test fails with a new
// one, ir/clang_names.cpp is to be mended; the second half of each says what goes wrong otherwise.
#include "frontend/ir/clang_names.hpp"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>

#include "unit/frontend/double.hpp"
#include "unit/frontend/named.hpp"

namespace heddle::testing {
namespace {

using namespace llvm;

// How many instructions, or global variables, of clang's code for the source the predicate recognises.
template <class T, class Predicate>
unsigned recognised(const std::string& source, Predicate is) {
  LLVMContext context;
  const std::unique_ptr<Module> module = clang_module(context, source, ".cpp");
  unsigned n = 0;
  if constexpr (std::is_same_v<T, GlobalVariable>) {
    for (const GlobalVariable& g : module->globals()) n += is(g);
  } else {
    for (const Function& f : *module) {
      for (const Instruction& i : instructions(f)) n += isa<T>(i) && is(*cast<T>(&i));
    }
  }
  return n;
}

// Two arguments by value, one of them passed by address with a destructor, and a temporary that is not used.
const std::string kTemporaries = R"(
  struct Plain { int a[8]; }; struct Owner { int a; Owner(); ~Owner(); }; int n = 3; int* kept;
  Owner::Owner() { a = n; kept = &a; } Owner::~Owner() { n = 0; }
  void take(Plain p) { kept = p.a; }
  void own(Owner o) { kept = &o.a; }
)";

TEST(ClangNames, Temporaries) {
  const std::string source = kTemporaries + "int main() { Owner(); take(Plain()); own(Owner()); }";
  EXPECT_EQ(recognised<AllocaInst>(source, frontend::is_unmarked_temporary), 3u);
  EXPECT_EQ(recognised<AllocaInst>(source, frontend::is_unused_temporary), 1u);
}

// Whether a temporary has ended before the last load of the program; else it lives as long as its function.
bool ends_early() {
  const auto end = std::ranges::find(calls(), "local_end", &Call::name);
  return std::find_if(end, calls().end(), [](const Call& c) { return c.name == "plain_load"; }) != calls().end();
}

TEST(ClangNames, TheEndOfATemporary) {
  const std::string source = kTemporaries + "int main() { Owner(); return n; }";
  EXPECT_EQ(end_of(source, ".cpp", ValueNames::clangs), "0");
  EXPECT_TRUE(ends_early());
  EXPECT_EQ(end_of(source, ".cpp", ValueNames::others), "0");
  EXPECT_FALSE(ends_early());
}

TEST(ClangNames, TheAddressOfAParameterForADebugger) {
  const std::string source = kTemporaries + "int main() { own(Owner()); return 0; }";
  EXPECT_EQ(recognised<StoreInst>(
                source, [](const StoreInst& s) { return frontend::is_address_for_debugger(*s.getPointerOperand()); }),
            1u);
}

TEST(ClangNames, BitsOfAVector) {
  const std::string source = "#include <vector>\nint main() { std::vector<bool> v; v.push_back(true); return v[0]; }";
  const auto changes_bits = [](const BinaryOperator& op) {
    const auto* load = dyn_cast<LoadInst>(op.getOperand(0));
    return (op.getOpcode() == Instruction::Or || op.getOpcode() == Instruction::And) && load &&
           frontend::is_in_vector_bool(*load);
  };
  EXPECT_GE(recognised<BinaryOperator>(source, changes_bits), 2u);
  EXPECT_EQ(end_of(source, ".cpp", ValueNames::clangs), "1");
  EXPECT_GE(count("plain_peek"), 1u);
}

TEST(ClangNames, StringLiterals) {
  const std::string source =
      "const char* a = \"one\"; const char b[] = \"two\"; int main() { return a[0] == \"x\"[b[0]]; }";
  EXPECT_EQ(recognised<GlobalVariable>(source, frontend::is_string_literal), 2u);
}

}  // namespace
}  // namespace heddle::testing
