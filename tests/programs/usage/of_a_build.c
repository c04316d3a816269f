// With the flags of a build (tests/unit/cli/CMakeLists.txt makes one), or with those after --.
// $ heddle check of_a_build.c -- -DVALUE=2 => verified
// $ heddle check of_a_build.c => exit 2, "undeclared identifier 'VALUE'"
// $ heddle check -p . of_a_build.c => exit 2, "./compile_commands.json: cannot be read"
// $ heddle check --build nowhere of_a_build.c => exit 2, "-p wants the folder of a build"
#include <assert.h>

int main(void) {
  assert(VALUE == 2);
}
