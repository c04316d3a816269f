// Where the loader puts a program's code, constants and variables.
#include "frontend/load/code_memory.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/ObjectYAML/yaml2obj.h>
#include <llvm/Support/YAMLTraits.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.hpp"
#include "image/region.hpp"

namespace heddle::testing {
namespace {

constexpr const char* kObject = R"(
--- !ELF
FileHeader: { Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_REL, Machine: EM_X86_64 }
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Size: 64 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Size: 64 }
  - { Name: .data.rel.ro, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Size: 32 }
)";

// The kernel writes there, or refuses.
bool is_writable(void* p) {
  const int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  const bool written = read(zeros, p, 1) == 1;
  EXPECT_TRUE(written || errno == EFAULT);
  close(zeros);
  return written;
}

class CodeMemory : public ::testing::Test {
 protected:
  CodeMemory() {
    llvm::yaml::Input input(kObject);
    const auto failed = [](const llvm::Twine& what) { ADD_FAILURE() << what.str(); };
    if (!llvm::yaml::convertYAML(input, stream_, failed)) throw std::runtime_error("no object file");
    object_ = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes_, "object")));
    memory_ = std::make_unique<JitMemory>(*object_);
    memory_->reserveAllocationSpace(64, llvm::Align(16), 16, llvm::Align(16), 96, llvm::Align(16));
  }

  llvm::SmallString<0> bytes_;
  llvm::raw_svector_ostream stream_{bytes_};
  std::unique_ptr<llvm::object::ObjectFile> object_;
  std::unique_ptr<JitMemory> memory_;
};

TEST_F(CodeMemory, EachKindLiesInTheImage) {
  uint8_t* code = memory_->allocateCodeSection(64, 16, 0, ".text");
  uint8_t* constant = memory_->allocateDataSection(16, 16, 1, ".rodata", /*read_only=*/true);
  uint8_t* variable = memory_->allocateDataSection(64, 16, 2, ".data", /*read_only=*/false);
  uint8_t* relocated = memory_->allocateDataSection(32, 16, 3, ".data.rel.ro", /*read_only=*/false);
  for (const uint8_t* p : {code, constant, variable, relocated}) {
    EXPECT_TRUE(region::in_image(reinterpret_cast<Address>(p)));
    EXPECT_EQ(reinterpret_cast<Address>(p) % 16, 0u);
  }
  // A restart puts back the variables, and nothing else.
  EXPECT_EQ(reinterpret_cast<uint8_t*>(memory_->writable()), variable);
  EXPECT_EQ(memory_->writable_size(), 64u);
}

TEST_F(CodeMemory, OnlyVariablesStayWritable) {
  uint8_t* code = memory_->allocateCodeSection(64, 16, 0, ".text");
  uint8_t* constant = memory_->allocateDataSection(16, 16, 1, ".rodata", /*read_only=*/true);
  uint8_t* variable = memory_->allocateDataSection(64, 16, 2, ".data", /*read_only=*/false);
  uint8_t* relocated = memory_->allocateDataSection(32, 16, 3, ".data.rel.ro", /*read_only=*/false);
  for (uint8_t* p : {code, constant, variable, relocated}) EXPECT_TRUE(is_writable(p));
  std::string error;
  EXPECT_FALSE(memory_->finalizeMemory(&error)) << error;
  for (uint8_t* p : {code, constant, relocated}) EXPECT_FALSE(is_writable(p));
  EXPECT_TRUE(is_writable(variable));
}

TEST_F(CodeMemory, MoreThanWasLaidOutIsRefused) {
  memory_->allocateCodeSection(64, 16, 0, ".text");
  EXPECT_THROW(memory_->allocateCodeSection(1 << 20, 16, 1, ".text.more"), UserError);
}

}  // namespace
}  // namespace heddle::testing
