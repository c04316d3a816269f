// Two kinds of code run on a fibre: the program's and ours. Memory that the program allocates comes from its arena;
// ours must not.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <vector>

namespace heddle {

namespace host {
// While it is set, operator new on a fibre serves the machine, not the program. A failed fibre leaves it set.
inline bool allocates = false;
}  // namespace host

class HostScope {
 public:
  HostScope() : before_(host::allocates) { host::allocates = true; }
  ~HostScope() { host::allocates = before_; }
  HostScope(const HostScope&) = delete;
  HostScope& operator=(const HostScope&) = delete;

 private:
  bool before_;
};

// Our own containers may grow while a fibre runs; these need no HostScope.
template <typename T>
struct HostAllocator {
  using value_type = T;
  HostAllocator() = default;
  template <typename U>
  constexpr HostAllocator(const HostAllocator<U>&) {}
  T* allocate(std::size_t n) {
    void* const p = alignof(T) > alignof(std::max_align_t) ? std::aligned_alloc(alignof(T), n * sizeof(T))
                                                           : std::malloc(n * sizeof(T));
    if (p == nullptr) std::abort();
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) { std::free(p); }
  friend constexpr bool operator==(const HostAllocator&, const HostAllocator&) { return true; }
};
template <typename T>
using HostVector = std::vector<T, HostAllocator<T>>;

}  // namespace heddle
