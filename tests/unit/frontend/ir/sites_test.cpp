// From debug locations to places of the source.
#include "frontend/ir/sites.hpp"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

namespace heddle::frontend {
namespace {

// main calls ns::get, which is inlined: its load is at header.hpp:5, the call at main.cpp:9.
constexpr const char* kInlined = R"(
  @x = global i32 0
  define i32 @main() !dbg !10 {
    %a = load i32, ptr @x, !dbg !20
    %b = load i32, ptr @x, !dbg !21
    %c = load i32, ptr @x, !dbg !20, !heddle.volatile !2
    %d = load i32, ptr @x
    ret i32 %a, !dbg !22
  }
  !llvm.module.flags = !{!0}
  !llvm.dbg.cu = !{!1}
  !0 = !{i32 2, !"Debug Info Version", i32 3}
  !1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3)
  !2 = !{}
  !3 = !DIFile(filename: "/src/main.cpp", directory: "/src")
  !4 = !DIFile(filename: "/src/./lib/../header.hpp", directory: "/src")
  !5 = !DISubroutineType(types: !2)
  !6 = !DINamespace(name: "ns", scope: null)
  !10 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 7, type: !5, unit: !1)
  !11 = distinct !DISubprogram(name: "get", scope: !6, file: !4, line: 4, type: !5, unit: !1)
  !20 = !DILocation(line: 5, column: 3, scope: !11, inlinedAt: !22)
  !21 = !DILocation(line: 0, scope: !10)
  !22 = distinct !DILocation(line: 9, column: 2, scope: !10)
)";

class SitesTest : public ::testing::Test {
 protected:
  SitesTest() {
    llvm::SMDiagnostic error;
    module_ = llvm::parseAssemblyString(kInlined, error, context_);
    if (!module_) throw std::runtime_error(error.getMessage().str());
    for (llvm::Instruction& i : llvm::instructions(*module_->getFunction("main"))) code_.push_back(&i);
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  std::vector<const llvm::Instruction*> code_;
  Sites sites_;
};

TEST_F(SitesTest, AnInlinedPlaceKnowsItsCaller) {
  const Site inner = sites_.table()[sites_.of(*code_[0])];
  EXPECT_EQ(inner.file, "/src/header.hpp");
  EXPECT_EQ(inner.line, 5u);
  EXPECT_EQ(inner.column, 3u);
  EXPECT_EQ(inner.function, "ns::get");
  const Site outer = sites_.table()[inner.caller];
  EXPECT_EQ(outer.file, "/src/main.cpp");
  EXPECT_EQ(outer.line, 9u);
  EXPECT_EQ(outer.function, "main");
  EXPECT_EQ(outer.caller, kNoSite);
}

TEST_F(SitesTest, APlaceHasOneId) {
  const SiteId first = sites_.of(*code_[0]);
  EXPECT_FALSE(sites_.table()[first].is_volatile);
  EXPECT_EQ(sites_.of(*code_[2]), first);
  EXPECT_TRUE(sites_.table()[first].is_volatile);
  EXPECT_EQ(sites_.where(first), "/src/header.hpp:5");
  const SiteId other = sites_.copy(first);
  EXPECT_NE(other, first);
  EXPECT_EQ(sites_.table()[other].line, 5u);
}

TEST_F(SitesTest, CodeWithoutALineIsAtItsFunction) {
  EXPECT_EQ(sites_.where(*code_[1]), "/src/main.cpp:7");
  EXPECT_EQ(sites_.where(*code_[3]), "/src/main.cpp:7");
  EXPECT_EQ(sites_.where(kNoSite), "unknown place");
}

}  // namespace
}  // namespace heddle::frontend
