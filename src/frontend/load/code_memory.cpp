#include "frontend/load/code_memory.hpp"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Memory.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>

#include "core/assert.hpp"
#include "core/error.hpp"
#include "image/region.hpp"

// libgcc's register of unwind tables; each takes a whole .eh_frame section.
extern "C" void __register_frame(void*);
extern "C" void __deregister_frame(void*);

namespace heddle {
namespace {

std::size_t align_up(std::size_t n, std::size_t align) { return (n + align - 1) & ~(align - 1); }

bool becomes_constant(llvm::StringRef section) { return section.starts_with(".data.rel.ro"); }

}  // namespace

JitMemory::JitMemory(const llvm::object::ObjectFile& object) {
  for (const llvm::object::SectionRef& section : object.sections()) {
    const uint64_t flags = llvm::object::ELFSectionRef(section).getFlags();
    const bool writable = (flags & llvm::ELF::SHF_ALLOC) && (flags & llvm::ELF::SHF_WRITE);
    llvm::Expected<llvm::StringRef> name = section.getName();
    if (!name)
      llvm::consumeError(name.takeError());
    else if (writable && !becomes_constant(*name))
      variables_ += section.getSize();
  }
}

JitMemory::~JitMemory() { deregisterEHFrames(); }

uint8_t* JitMemory::Area::take(std::size_t bytes, std::size_t align) {
  HEDDLE_ASSERT(std::has_single_bit(align) && used <= size);
  const std::size_t at = align_up(used, align);
  if (at + bytes > size) throw UserError("the program does not fit the memory laid out for it");
  used = at + bytes;
  return reinterpret_cast<uint8_t*>(start + at);
}

JitMemory::Area JitMemory::map(std::size_t bytes) {
  if (bytes == 0) return {};
  const std::size_t size = align_up(bytes, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
  return {static_cast<std::byte*>(region::map_image(size)), size, 0};
}

// LLVM's sizes count each section with its padding. `data` is for the relocated constants and the variables together:
// the constants get all that the variables do not surely need.
void JitMemory::reserveAllocationSpace(uintptr_t code, llvm::Align code_align, uintptr_t constants,
                                       llvm::Align constants_align, uintptr_t data, llvm::Align data_align) {
  code_ = map(code + code_align.value());
  constants_ = map(constants + constants_align.value());
  relocated_ = map(data - std::min(data, variables_) + data_align.value());
  writable_ = map(data + data_align.value());
}

uint8_t* JitMemory::allocateCodeSection(uintptr_t size, unsigned align, unsigned, llvm::StringRef) {
  return code_.take(size, align);
}

uint8_t* JitMemory::allocateDataSection(uintptr_t size, unsigned align, unsigned, llvm::StringRef name,
                                        bool read_only) {
  if (name == ".got") {
    offsets_ = map(size);
    return offsets_.take(size, align);
  }
  Area& area = becomes_constant(name) ? relocated_ : read_only ? constants_ : writable_;
  return area.take(size, align ? align : 1);
}

void JitMemory::registerEHFrames(uint8_t* address, uint64_t, std::size_t) {
  __register_frame(address);
  frames_.push_back(address);
}

void JitMemory::deregisterEHFrames() {
  for (uint8_t* frame : frames_) __deregister_frame(frame);
  frames_.clear();
}

bool JitMemory::finalizeMemory(std::string* error) {
  const auto protect = [&](const Area& area, int permissions) {
    if (area.size == 0 || mprotect(area.start, area.size, permissions) == 0) return true;
    if (error) *error = "mprotect failed";
    return false;
  };
  if (code_.size != 0) llvm::sys::Memory::InvalidateInstructionCache(code_.start, code_.size);
  const bool ok = protect(code_, PROT_READ | PROT_EXEC) && protect(constants_, PROT_READ) &&
                  protect(relocated_, PROT_READ) && protect(offsets_, PROT_READ);
  return !ok;
}

}  // namespace heddle
