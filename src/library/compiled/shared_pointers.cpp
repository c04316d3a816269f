// The free functions for atomic access to a std::shared_ptr: each pointer is guarded by one of a few mutexes.
#include <memory>
#include <mutex>
#include <utility>

namespace {

constexpr unsigned char kNone = 255;
constexpr unsigned kMutexes = 16;

unsigned char key_of(const void* p) { return (reinterpret_cast<unsigned long>(p) >> 4) % kMutexes; }

}  // namespace

[[clang::no_destroy]] constinit std::mutex heddle_pointer_mutexes[kMutexes];

namespace std {

_Sp_locker::_Sp_locker(const void* p) noexcept : _M_key1(key_of(p)), _M_key2(kNone) {
  heddle_pointer_mutexes[_M_key1].lock();
}

// Always in the same order.
_Sp_locker::_Sp_locker(const void* p, const void* q) noexcept : _M_key1(key_of(p)), _M_key2(key_of(q)) {
  if (_M_key2 < _M_key1) swap(_M_key1, _M_key2);
  heddle_pointer_mutexes[_M_key1].lock();
  if (_M_key2 != _M_key1) heddle_pointer_mutexes[_M_key2].lock();
}

_Sp_locker::~_Sp_locker() {
  if (_M_key2 != kNone && _M_key2 != _M_key1) heddle_pointer_mutexes[_M_key2].unlock();
  heddle_pointer_mutexes[_M_key1].unlock();
}

}  // namespace std
