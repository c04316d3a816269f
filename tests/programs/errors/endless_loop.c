// A loop without a visible action never ends: said, not hung.
// $ heddle check endless_loop.c => incomplete, "without a visible action"
int main(void) {
  for (;;) {
  }
}
