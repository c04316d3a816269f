// C++ exceptions of the program.
//
// An uncaught exception ends in std::terminate without unwinding, because no unwinder passes the foot of a fibre; our
// handler turns that into an error. Exception objects live in the thread's arena like other memory of the program: a
// fibre that is abandoned in the middle of a catch then leaks nothing. For this the two functions that libstdc++ itself
// calls are replaced for the whole process; outside of fibres they use malloc.
#include "native/exceptions.hpp"

#include <cxxabi.h>

#include <cstring>
#include <exception>

#include "native/access.hpp"
#include "native/lifetime.hpp"

namespace heddle::exceptions {
namespace {

// The ABI puts a header before the thrown object: __cxa_refcounted_exception, 128 bytes on x86-64 and on AArch64.
constexpr std::size_t kHeader = 128;

std::terminate_handler before = nullptr;

std::string type_name(const std::type_info& type) {
  int status = 0;
  char* const text = ::abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? text : type.name();
  std::free(text);
  return name;
}

// The exception is memory of the program, and so may its text be.
void refresh_current() {
  const std::exception_ptr current = std::current_exception();
  void* object = nullptr;
  std::memcpy(&object, static_cast<const void*>(&current), sizeof object);
  refresh(object);
}
std::string text_of(const char* p) {
  std::string text;
  for (char c = plain_get(p); c != '\0'; c = plain_get(++p)) text += c;
  return text;
}

// std::thread ends the process if it is destroyed, or assigned to, while there is something to join.
bool in_std_thread() {
  const SiteTable& sites = rt.image->sites;
  for (SiteId s = rt.site; s != kNoSite; s = sites[s].caller) {
    if (!is_library_file(sites[s].file)) return false;
    if (sites[s].file.ends_with("/std_thread.h")) return true;
  }
  return false;
}

[[noreturn]] void on_fibre() {
  HostScope scope;
  const std::type_info* const type = ::abi::__cxa_current_exception_type();
  if (type == nullptr && in_std_thread()) {
    fail(ErrorKind::thread, "a std::thread is destroyed or assigned to that is neither joined nor detached");
  }
  if (type == nullptr) fail(ErrorKind::crash, "std::terminate was called");
  std::string message = "uncaught exception of type " + type_name(*type);
  refresh_current();
  try {
    throw;
  } catch (const std::exception& e) {
    message += ": " + text_of(e.what());
  } catch (...) {
  }
  fail(ErrorKind::exception, message);
}

void terminate() {
  if (rt.current != nullptr) on_fibre();
  if (before != nullptr) before();
  std::abort();
}

}  // namespace

void refresh(void* thrown) {
  const Address a = address(thrown);
  const Block* const block = region::in_arena(a) ? heap::find(a) : nullptr;
  if (block != nullptr) plain_refresh(a, block->start + block->size - a);
}

void install() { before = std::set_terminate(terminate); }
void uninstall() { std::set_terminate(before); }

}  // namespace heddle::exceptions

extern "C" {

void* __cxa_allocate_exception(std::size_t size) noexcept {
  using namespace heddle;
  const std::size_t all = size + exceptions::kHeader;
  const bool program = rt.current != nullptr && !host::allocates;
  void* const p = program ? heap::allocate(all, 16, BlockKind::native, true) : std::malloc(all);
  if (p == nullptr) std::terminate();
  std::memset(p, 0, exceptions::kHeader);
  return static_cast<char*>(p) + exceptions::kHeader;
}

void __cxa_free_exception(void* thrown) noexcept {
  using namespace heddle;
  void* const p = static_cast<char*>(thrown) - exceptions::kHeader;
  if (!region::in_arena(address(p))) return std::free(p);
  if (rt.current != nullptr) lifetime::end_local(p);
}
}
