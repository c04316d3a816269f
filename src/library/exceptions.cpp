// The functions of the C++ runtime that the machine does itself. Destructors of globals run at the end of a process; an
// execution ends with its threads.
#include <cstddef>

#include "library/table.hpp"
#include "native/threads.hpp"

extern "C" void* __cxa_allocate_exception(std::size_t size) noexcept;  // native/exceptions.cpp
extern "C" void __cxa_free_exception(void* thrown) noexcept;

namespace heddle::library {
namespace {

void no_op() {}
void pure_virtual() { fail(ErrorKind::crash, "a pure virtual function was called"); }

}  // namespace

std::span<const Row> exception_functions() {
  static const Row table[] = {
      row("__cxa_finalize", no_op),
      row("__cxa_pure_virtual", pure_virtual),
      row("__cxa_allocate_exception", ::__cxa_allocate_exception),
      row("__cxa_free_exception", ::__cxa_free_exception),
  };
  return table;
}

}  // namespace heddle::library
