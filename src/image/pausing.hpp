// What a library function has to do with time.
#pragma once

#include <cstdint>

namespace heddle {

// One that yields or sleeps does nothing else, and takes only numbers.
enum class Pausing : uint8_t { none, yields, sleeps, tells_time };

}  // namespace heddle
