// Only the first MiB of what an execution prints is kept, and the report says so.
// $ heddle check --format text output.c => exit 1, "more bytes were printed; only the first MiB is kept"
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 20000; ++i) printf("%s\n", "a line of about eighty characters, which is printed again and again and again..");
  return 1;
}
