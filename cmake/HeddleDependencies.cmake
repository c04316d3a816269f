# What heddle stands on. All of it comes as Debian packages: scripts/install-deps.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark QUIET)

# LLVM's own include folder can hold a libc++ cxxabi.h that breaks g++, so it must be searched last; CMake's
# imported target would put it first.
set(HEDDLE_LLVM_ROOT /usr/lib/llvm-19 CACHE PATH "Where LLVM 19 is installed")
find_library(HEDDLE_LLVM_LIBRARY NAMES LLVM-19 LLVM HINTS ${HEDDLE_LLVM_ROOT}/lib NO_CACHE REQUIRED)
add_library(heddle_llvm INTERFACE)
target_compile_options(heddle_llvm INTERFACE "SHELL:-idirafter ${HEDDLE_LLVM_ROOT}/include")
target_link_libraries(heddle_llvm INTERFACE ${HEDDLE_LLVM_LIBRARY})

