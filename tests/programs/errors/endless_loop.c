// A loop without a visible action never ends: said, not hung.
// $ heddle check endless_loop.c => incomplete, "endless loop"
int main(void) {
  for (;;) {
  }
}
