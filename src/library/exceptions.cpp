// The functions of the C++ runtime that the machine does itself. Destructors of globals run at the end of a process; an
// execution ends with its threads.
#include "native/exceptions.hpp"

#include <cxxabi.h>

#include <cstddef>
#include <cstring>
#include <exception>

#include "library/table.hpp"
#include "native/access.hpp"

extern "C" void* __cxa_allocate_exception(std::size_t size) noexcept;  // native/exceptions.cpp
extern "C" void __cxa_free_exception(void* thrown) noexcept;

namespace heddle::library {
namespace {

void no_op() {}
void pure_virtual() { fail(ErrorKind::crash, "a pure virtual function was called"); }

constexpr std::size_t kHeader = 128;  // of the runtime, before the object: the count, 12 unused bytes, and more

// To find a virtual base of the object that is thrown, the unwinder reads the object itself.
bool has_virtual_base(const std::type_info* type) {
  if (const auto* one = dynamic_cast<const ::abi::__si_class_type_info*>(type))
    return has_virtual_base(one->__base_type);
  const auto* const several = dynamic_cast<const ::abi::__vmi_class_type_info*>(type);
  for (unsigned i = 0; several != nullptr && i < several->__base_count; ++i) {
    const ::abi::__base_class_type_info& base = several->__base_info[i];
    if (base.__is_virtual_p() || has_virtual_base(base.__base_type)) return true;
  }
  return false;
}
[[noreturn]] void throw_(void* object, std::type_info* type, void (*destroy)(void*)) {
  if (has_virtual_base(type)) exceptions::refresh(object);
  undo::keep_bytes(static_cast<char*>(object) - kHeader, kHeader);
  ::abi::__cxa_throw(object, type, destroy);
}

// std::exception_ptr for compiled/exceptions.cpp, which keeps the pointer to the object in the program's memory. The
// count of references stands before the object and is the runtime's. A thread that gives back a reference may end the
// object's life, after all that other threads have done with it. So to give one back is an action, of a word beside the
// count that the runtime does not use. Another word tells whether the object ever had a second one.
using std::exception_ptr;
static_assert(sizeof(exception_ptr) == sizeof(void*));

struct Borrowed {
  explicit Borrowed(void* object) { std::memcpy(&room, &object, sizeof room); }
  exception_ptr& get() { return *reinterpret_cast<exception_ptr*>(room); }
  alignas(exception_ptr) unsigned char room[sizeof(exception_ptr)];
};
void* object_of(const exception_ptr& p) {
  void* object = nullptr;
  std::memcpy(&object, static_cast<const void*>(&p), sizeof object);
  return object;
}
constexpr std::size_t kSharedOffset = 4;
constexpr std::size_t kOrderOffset = 8;

void put_in_order(void* object) {
  const Address header = address(object) - kHeader;
  if (*static_cast<uint32_t*>(pointer(header + kSharedOffset)) == 0) return;
  atomic_rmw(header + kOrderOffset, 8, RmwOp::add, {1, 0}, {Mode::acqrel, Mode::na, Purpose::other});
}

// The count is the runtime's, and the log of undo.hpp does not have what it was.
void add_reference(void* object) {
  undo::forget();
  *static_cast<uint32_t*>(pointer(address(object) - kHeader + kSharedOffset)) = 1;
  Borrowed copy(object);
  alignas(exception_ptr) unsigned char kept[sizeof(exception_ptr)];
  new (kept) exception_ptr(copy.get());  // never destroyed: the reference is the program's
}
void remove_reference(void* object) {
  put_in_order(object);
  undo::forget();
  Borrowed(object).get().~exception_ptr();
}
void end_catch() {
  void* const object = object_of(std::current_exception());
  if (object != nullptr) put_in_order(object);
  ::abi::__cxa_end_catch();
}
void* current_exception_object() { return object_of(std::current_exception()); }
const std::type_info* exception_type(void* object) {
  Borrowed copy(object);
  return copy.get() ? copy.get().__cxa_exception_type() : nullptr;
}
[[noreturn]] void rethrow(void* object) {
  undo::forget();
  std::rethrow_exception(Borrowed(object).get());
}

}  // namespace

std::span<const Row> exception_functions() {
  static const Row table[] = {
      row("__cxa_throw", throw_),
      row("__heddle_exception_add_reference", add_reference),
      row("__heddle_exception_remove_reference", remove_reference),
      row("__heddle_exception_current", current_exception_object),
      row("__heddle_exception_type", exception_type),
      row("__heddle_exception_rethrow", rethrow),
      row("__cxa_end_catch", end_catch),
      row("__cxa_finalize", no_op),
      // The standard streams are the process's: they are there before the program, and stay.
      row("_ZNSt8ios_base4InitC1Ev", no_op),
      row("_ZNSt8ios_base4InitD1Ev", no_op),
      row("__cxa_pure_virtual", pure_virtual),
      row("__cxa_allocate_exception", ::__cxa_allocate_exception),
      row("__cxa_free_exception", ::__cxa_free_exception),
  };
  return table;
}

}  // namespace heddle::library
