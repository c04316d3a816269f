# Compiler flags for all of heddle's own code.

# -Wpedantic is left out because it rejects __int128, which 16-byte atomics need.
add_compile_options(-Wall -Wextra -Wnon-virtual-dtor -Woverloaded-virtual -Wpointer-arith -Wvla
                    -Wno-missing-field-initializers)  # designated initialisers name what matters
# g++ 12 sees overlaps in "a" + string that are not there (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)
endif()
if(HEDDLE_WERROR)
  add_compile_options(-Werror)
endif()

if(HEDDLE_SANITIZE)
  # Lines are enough for a report; without optimisation the tests take several times as long.
  # A null pointer is a crash that the address sanitizer shows; checks for it double the time to compile.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,object-size,vptr -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -O1 -g1)
  add_link_options(-fsanitize=address,undefined)
endif()

set(heddle_use_lto OFF)
if(HEDDLE_LTO AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT HEDDLE_SANITIZE)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT heddle_use_lto OUTPUT heddle_lto_reason LANGUAGES CXX)
  if(NOT heddle_use_lto)
    message(STATUS "Link-time optimisation is off: ${heddle_lto_reason}")
  endif()
endif()

function(heddle_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
endfunction()

# What runs in every execution is worth more time of the compiler. With the sanitizers it is not.
function(heddle_hot name)
  if(NOT HEDDLE_SANITIZE)
    target_compile_options(${name} PRIVATE -O3)
  endif()
endfunction()

# NAME_checked: the same library with HEDDLE_ASSERT on, for programs that must notice every broken invariant. It links
# the checked form of each library that has one. In a Debug build every library is checked.
function(heddle_checked_library name)
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    add_library(${name}_checked INTERFACE)
    target_link_libraries(${name}_checked INTERFACE ${name})
    return()
  endif()
  get_target_property(folder ${name} SOURCE_DIR)
  get_target_property(sources ${name} SOURCES)
  get_target_property(libraries ${name} LINK_LIBRARIES)
  list(TRANSFORM sources PREPEND ${folder}/)
  heddle_library(${name}_checked ${sources})
  set_target_properties(${name}_checked PROPERTIES UNITY_BUILD ON)
  get_target_property(includes ${name} INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(${name}_checked PUBLIC ${includes})
  target_compile_definitions(${name}_checked PUBLIC HEDDLE_CHECKED=1)
  foreach(library IN LISTS libraries)
    if(TARGET ${library}_checked)
      set(library ${library}_checked)
    endif()
    target_link_libraries(${name}_checked PUBLIC ${library})
  endforeach()
endfunction()

# Link-time optimisation, and more of the ordinary one, of what runs in every execution. The objects also hold ordinary
# code, so that the tests, which link without it, use the same libraries.
function(heddle_optimise_at_link program)
  if(heddle_use_lto)
    foreach(library IN LISTS ARGN)
      target_compile_options(${library} PRIVATE -O3 -flto=auto -ffat-lto-objects)
    endforeach()
    target_link_options(${program} PRIVATE -flto=auto -O3)
  endif()
endfunction()
