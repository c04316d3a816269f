// A verdict that says less than it seems to begins with a warning.
// $ heddle check --format text no_complete_execution.c => exit 0, "warning: no execution is complete"
// $ heddle check --format json no_complete_execution.c => exit 0, ""warnings": ["
#include <heddle.h>

int main(void) {
  heddle_assume(0);
  return 0;
}
