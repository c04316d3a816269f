// Where the loader puts a program: code, constants and writable data, each kind together, inside the image part of
// image/region.hpp.
#pragma once

#include <llvm/ExecutionEngine/RuntimeDyld.h>

#include <cstddef>
#include <vector>

namespace heddle {

class JitMemory : public llvm::RuntimeDyld::MemoryManager {
 public:
  explicit JitMemory(const llvm::object::ObjectFile& object);
  ~JitMemory() override;

  // The program's variables: what a restart has to put back.
  std::byte* writable() const { return writable_.start; }
  std::size_t writable_size() const { return writable_.used; }

  bool needsToReserveAllocationSpace() override { return true; }
  void reserveAllocationSpace(uintptr_t code, llvm::Align code_align, uintptr_t constants, llvm::Align constants_align,
                              uintptr_t data, llvm::Align data_align) override;
  uint8_t* allocateCodeSection(uintptr_t size, unsigned align, unsigned id, llvm::StringRef name) override;
  uint8_t* allocateDataSection(uintptr_t size, unsigned align, unsigned id, llvm::StringRef name,
                               bool read_only) override;
  void registerEHFrames(uint8_t* address, uint64_t load_address, std::size_t size) override;
  void deregisterEHFrames() override;
  bool finalizeMemory(std::string* error) override;

 private:
  struct Area {
    std::byte* start = nullptr;
    std::size_t size = 0;
    std::size_t used = 0;

    uint8_t* take(std::size_t bytes, std::size_t align);
  };
  static Area map(std::size_t bytes);

  std::size_t variables_ = 0;  // bytes of writable sections
  Area code_;
  Area constants_;
  Area relocated_;  // constant once the addresses in it are filled in: vtables
  Area offsets_;    // the global offset table, which LLVM's estimate of sizes leaves out
  Area writable_;
  std::vector<uint8_t*> frames_;
};

}  // namespace heddle
