// What other objects do with a mutex: pthread_mutex_t or mtx_t.
#pragma once

#include "core/ids.hpp"

namespace heddle::library {

int lock_mutex(void* mutex);
int unlock_mutex(void* mutex);
bool holds_mutex(const void* mutex);  // the current thread

}  // namespace heddle::library
