// --keep-going finds both errors.
// $ heddle check --keep-going keep_going.c => error assertion, "first"
// $ heddle check --keep-going keep_going.c => error assertion, "second"
// Executions that end in an error count too: of 8, 4 do.
// $ heddle check --keep-going --max-executions 6 keep_going.c => error assertion, "raise --max-executions"
#include <assert.h>
#include <heddle.h>

int main(void) {
  const int first = heddle_choose(2), second = heddle_choose(2);
  if (heddle_choose(2))
    assert(first == 0);
  else
    assert(second == 0);
  return 0;
}
