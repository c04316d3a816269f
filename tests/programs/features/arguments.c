// main may take arguments: the program's name.
// $ heddle check arguments.c => verified, 1 executions
#include <assert.h>

int main(int argc, char** argv) {
  assert(argc == 1 && argv[0] && !argv[1]);
  return 0;
}
