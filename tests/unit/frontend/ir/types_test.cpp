// From DWARF types to what a report says.
#include "frontend/ir/types.hpp"

#include <gtest/gtest.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace heddle::frontend {
namespace {

using llvm::dwarf::DW_ATE_signed;

class TypesTest : public ::testing::Test {
 protected:
  llvm::DIDerivedType* member(const char* name, uint64_t bits, uint64_t offset, llvm::DIType* type) {
    return b_.createMemberType(file_, name, file_, 1, bits, 8, offset, llvm::DINode::FlagZero, type);
  }
  llvm::DIDerivedType* bit_field(const char* name, uint64_t bits, uint64_t offset) {
    return b_.createBitFieldMemberType(file_, name, file_, 1, bits, offset, /*StorageOffsetInBits=*/0,
                                       llvm::DINode::FlagZero, number_);
  }
  llvm::DICompositeType* record(const char* name, uint64_t bits, llvm::ArrayRef<llvm::Metadata*> members) {
    return b_.createStructType(file_, name, file_, 1, bits, 8, llvm::DINode::FlagZero, nullptr,
                               b_.getOrCreateArray(members));
  }
  llvm::DICompositeType* array(llvm::DIType* element, llvm::ArrayRef<int64_t> counts) {
    llvm::SmallVector<llvm::Metadata*> ranges;
    for (const int64_t count : counts) ranges.push_back(b_.getOrCreateSubrange(0, count));
    return b_.createArrayType(0, 8, element, b_.getOrCreateArray(ranges));
  }

  llvm::LLVMContext context_;
  llvm::Module module_{"types", context_};
  llvm::DIBuilder b_{module_};
  llvm::DIFile* file_ = b_.createFile("a.c", "/");
  llvm::DIBasicType* number_ = b_.createBasicType("int", 32, DW_ATE_signed);
  std::vector<std::unique_ptr<Image::Type>> owner_;
  Types types_{owner_};
};

TEST_F(TypesTest, NamesAreTheSources) {
  llvm::DICompositeType* node = record("node", 32, {});
  EXPECT_EQ(type_name(nullptr), "void");
  EXPECT_EQ(type_name(b_.createPointerType(node, 64)), "struct node *");
  EXPECT_EQ(type_name(b_.createQualifiedType(llvm::dwarf::DW_TAG_const_type, number_)), "const int");
  EXPECT_EQ(type_name(b_.createTypedef(node, "node_t", file_, 1, file_)), "node_t");
}

TEST_F(TypesTest, ARecordHasItsMembers) {
  llvm::DICompositeType* inner = record("", 64, {member("low", 32, 0, number_), member("high", 32, 32, number_)});
  const Image::Type* type = types_.of(
      record("node", 128,
             {member("v", 32, 0, number_), member("", 64, 64, inner), bit_field("a", 3, 32), bit_field("b", 4, 35)}));
  ASSERT_TRUE(type);
  EXPECT_EQ(type->name, "struct node");
  EXPECT_EQ(type->size, 16u);
  std::string members;
  for (const auto& m : type->members) members += m.name + "@" + std::to_string(m.offset) + " ";
  EXPECT_EQ(members, "v@0 low@8 high@12 {a, b}@0 ");
  EXPECT_TRUE(type->members.back().type->bit_fields);
}

TEST_F(TypesTest, ATableIsAnArrayOfArrays) {
  const Image::Type* table = types_.of(array(number_, {2, 3}));
  ASSERT_TRUE(table && table->element && table->element->element);
  EXPECT_EQ(table->size, 24u);
  EXPECT_EQ(table->element->size, 12u);
  EXPECT_EQ(table->element->element->value.kind, ValueType::Kind::integer);
}

TEST_F(TypesTest, AnotherNameHasTheSameParts) {
  llvm::DICompositeType* node = record("node", 32, {member("v", 32, 0, number_)});
  const Image::Type* type = types_.of(b_.createTypedef(node, "node_t", file_, 1, file_));
  EXPECT_EQ(type->name, "node_t");
  EXPECT_EQ(type->members.size(), 1u);
  EXPECT_EQ(types_.of(node), types_.of(node));
  EXPECT_EQ(types_.of(nullptr), nullptr);
}

// A list's node has a pointer to one: the type ends there.
TEST_F(TypesTest, ARecordMayPointToItself) {
  llvm::DICompositeType* node = record("node", 64, {});
  node->replaceElements(b_.getOrCreateArray({member("next", 64, 0, b_.createPointerType(node, 64))}));
  const Image::Type* type = types_.of(node);
  ASSERT_EQ(type->members.size(), 1u);
  EXPECT_EQ(type->members[0].type->name, "struct node *");
  EXPECT_TRUE(type->members[0].type->members.empty());
}

}  // namespace
}  // namespace heddle::frontend
