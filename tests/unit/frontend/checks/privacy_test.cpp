// Which memory only its own thread can reach.
#include "frontend/checks/privacy.hpp"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueSymbolTable.h>
#include <llvm/Support/SourceMgr.h>

namespace heddle::frontend {
namespace {

TEST(Privacy, SettledVariablesAndPointersIntoThem) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const auto module = llvm::parseAssemblyString(R"(
    @global = global i32 0
    @constant = constant i32 0
    define void @f(ptr %argument) {
      %"<heddle>settled" = alloca [4 x i32]
      %other = alloca i32
      %inside = getelementptr i32, ptr %"<heddle>settled", i64 2
      %beside = getelementptr i32, ptr %other, i64 1
      ret void
    })",
                                                error, context);
  ASSERT_TRUE(module) << error.getMessage().str();
  llvm::Function& f = *module->getFunction("f");
  const Privacy privacy(f);
  const auto value = [&](const char* name) -> llvm::Value* { return f.getValueSymbolTable()->lookup(name); };
  ASSERT_EQ(privacy.escaping().size(), 1u);
  EXPECT_EQ(privacy.escaping()[0], value("other"));
  for (const char* name : {"<heddle>settled", "inside"}) EXPECT_TRUE(privacy.is_private(value(name))) << name;
  for (const char* name : {"other", "beside", "argument"}) EXPECT_FALSE(privacy.is_private(value(name))) << name;
  EXPECT_FALSE(privacy.is_private(module->getNamedGlobal("constant")));
  EXPECT_TRUE(privacy.is_private_or_constant(module->getNamedGlobal("constant")));
  EXPECT_FALSE(privacy.is_private_or_constant(module->getNamedGlobal("global")));
  // What the instrumentation adds is not the program's.
  auto* added = new llvm::AllocaInst(llvm::Type::getInt32Ty(context), 0, "<heddle>added", f.begin()->begin());
  EXPECT_FALSE(privacy.knows(*added));
  EXPECT_TRUE(privacy.knows(*llvm::cast<llvm::AllocaInst>(value("other"))));
}

}  // namespace
}  // namespace heddle::frontend
