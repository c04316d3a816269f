// The exceptions of the standard library: their texts are memory of the program.
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>

namespace std {

// libstdc++ shares one text between copies and counts them. Here each has its own: counting would be visible to the
// other threads.
namespace {

const char* copy_text(const char* from, size_t n) {
  char* const to = static_cast<char*>(::operator new(n + 1));
  memcpy(to, from, n);
  to[n] = '\0';
  return to;
}
const char* copy_text(const char* from) { return copy_text(from, strlen(from)); }
void drop_text(const char* text) { ::operator delete(const_cast<char*>(text)); }

}  // namespace

__cow_string::__cow_string() : _M_p(copy_text("")) {}
__cow_string::__cow_string(const string& from) : _M_p(copy_text(from.data(), from.size())) {}
__cow_string::__cow_string(const char* from, size_t n) : _M_p(copy_text(from, n)) {}
__cow_string::__cow_string(const __cow_string& from) noexcept : _M_p(copy_text(from._M_p)) {}
__cow_string::__cow_string(__cow_string&& from) noexcept : _M_p(copy_text(from._M_p)) {}
__cow_string& __cow_string::operator=(const __cow_string& from) noexcept {
  if (this == &from) return *this;
  drop_text(_M_p);
  _M_p = copy_text(from._M_p);
  return *this;
}
__cow_string& __cow_string::operator=(__cow_string&& from) noexcept {
  return *this = static_cast<const __cow_string&>(from);
}
__cow_string::~__cow_string() { drop_text(_M_p); }

exception::~exception() noexcept = default;
const char* exception::what() const noexcept { return "std::exception"; }
bad_exception::~bad_exception() noexcept = default;
const char* bad_exception::what() const noexcept { return "std::bad_exception"; }
bad_alloc::~bad_alloc() noexcept = default;
const char* bad_alloc::what() const noexcept { return "std::bad_alloc"; }
bad_array_new_length::~bad_array_new_length() noexcept = default;
const char* bad_array_new_length::what() const noexcept { return "std::bad_array_new_length"; }
bad_cast::~bad_cast() noexcept = default;
const char* bad_cast::what() const noexcept { return "std::bad_cast"; }
bad_typeid::~bad_typeid() noexcept = default;
const char* bad_typeid::what() const noexcept { return "std::bad_typeid"; }
bad_function_call::~bad_function_call() noexcept = default;
const char* bad_function_call::what() const noexcept { return "bad_function_call"; }
bad_weak_ptr::~bad_weak_ptr() noexcept = default;
const char* bad_weak_ptr::what() const noexcept { return "bad_weak_ptr"; }

#define HEDDLE_ERROR_WITH_TEXT(type)                                                             \
  type::type(const string& text) : exception(), _M_msg(text) {}                                  \
  type::type(const char* text) : exception(), _M_msg(text, strlen(text)) {}                      \
  type::type(const type& from) noexcept : exception(), _M_msg(from._M_msg) {}                    \
  type::type(type&& from) noexcept : exception(), _M_msg(from._M_msg) {}                         \
  type& type::operator=(const type& from) noexcept {                                             \
    _M_msg = from._M_msg;                                                                        \
    return *this;                                                                                \
  }                                                                                              \
  type& type::operator=(type&& from) noexcept { return *this = static_cast<const type&>(from); } \
  type::~type() noexcept = default;                                                              \
  const char* type::what() const noexcept { return _M_msg._M_p; }
HEDDLE_ERROR_WITH_TEXT(logic_error)
HEDDLE_ERROR_WITH_TEXT(runtime_error)

#define HEDDLE_ERROR(type, base)                 \
  type::type(const string& text) : base(text) {} \
  type::type(const char* text) : base(text) {}   \
  type::~type() noexcept = default;
HEDDLE_ERROR(domain_error, logic_error)
HEDDLE_ERROR(invalid_argument, logic_error)
HEDDLE_ERROR(length_error, logic_error)
HEDDLE_ERROR(out_of_range, logic_error)
HEDDLE_ERROR(range_error, runtime_error)
HEDDLE_ERROR(overflow_error, runtime_error)
HEDDLE_ERROR(underflow_error, runtime_error)

void __throw_bad_exception() { throw bad_exception(); }
void __throw_bad_alloc() { throw bad_alloc(); }
void __throw_bad_array_new_length() { throw bad_array_new_length(); }
void __throw_bad_cast() { throw bad_cast(); }
void __throw_bad_typeid() { throw bad_typeid(); }
void __throw_bad_function_call() { throw bad_function_call(); }
void __throw_logic_error(const char* text) { throw logic_error(text); }
void __throw_domain_error(const char* text) { throw domain_error(text); }
void __throw_invalid_argument(const char* text) { throw invalid_argument(text); }
void __throw_length_error(const char* text) { throw length_error(text); }
void __throw_out_of_range(const char* text) { throw out_of_range(text); }
void __throw_runtime_error(const char* text) { throw runtime_error(text); }
void __throw_range_error(const char* text) { throw range_error(text); }
void __throw_overflow_error(const char* text) { throw overflow_error(text); }
void __throw_underflow_error(const char* text) { throw underflow_error(text); }
void __throw_out_of_range_fmt(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw out_of_range(text);
}

}  // namespace std

// std::exception_ptr. The runtime counts references (library/exceptions.cpp).
extern "C" {
void __heddle_exception_add_reference(void* object);
void __heddle_exception_remove_reference(void* object);
void* __heddle_exception_current();
const std::type_info* __heddle_exception_type(void* object);
[[noreturn]] void __heddle_exception_rethrow(void* object);
}

namespace std {
namespace __exception_ptr {

exception_ptr::exception_ptr(void* object) noexcept : _M_exception_object(object) { _M_addref(); }
void exception_ptr::_M_addref() noexcept {
  if (_M_exception_object != nullptr) __heddle_exception_add_reference(_M_exception_object);
}
void exception_ptr::_M_release() noexcept {
  if (_M_exception_object == nullptr) return;
  __heddle_exception_remove_reference(_M_exception_object);
  _M_exception_object = nullptr;
}
void* exception_ptr::_M_get() const noexcept { return _M_exception_object; }
const type_info* exception_ptr::__cxa_exception_type() const noexcept {
  return __heddle_exception_type(_M_exception_object);
}

}  // namespace __exception_ptr

exception_ptr current_exception() noexcept { return exception_ptr(__heddle_exception_current()); }
void rethrow_exception(exception_ptr p) { __heddle_exception_rethrow(p._M_get()); }

nested_exception::~nested_exception() noexcept = default;

}  // namespace std

// What the compiler calls.
extern "C" {
void __cxa_bad_cast() { throw std::bad_cast(); }
void __cxa_bad_typeid() { throw std::bad_typeid(); }
void __cxa_throw_bad_array_new_length() { throw std::bad_array_new_length(); }
}
