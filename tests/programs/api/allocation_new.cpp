// operator new fails with an exception, or with null if it must not throw.
// $ heddle check allocation_new.cpp => verified, 1 executions
#include <cassert>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <vector>

int main() {
  volatile std::size_t huge = PTRDIFF_MAX;
  int caught = 0;
  try {
    (void)::operator new(huge);
  } catch (const std::bad_alloc&) {
    ++caught;
  }
  try {
    new char[huge];
  } catch (const std::bad_alloc&) {
    ++caught;
  }
  try {
    new int[huge];
  } catch (const std::bad_alloc&) {
    ++caught;
  }
  try {
    std::vector<int>().reserve(huge);
  } catch (const std::length_error&) {
    ++caught;
  }
  assert(caught == 4);
  assert(new (std::nothrow) char[huge] == nullptr);
}
