// What only the real machine knows is refused by name.
// $ heddle check machine.c -- -DUSE=__builtin_frame_address(0) => exit 2, "is not supported"
// $ heddle check machine.c -- -DUSE=__builtin_return_address(0) => exit 2, "is not supported"
// $ heddle check machine.c -- -DUSE=__builtin_thread_pointer() => exit 2, "is not supported"
static void* volatile p;

int main(void) {
  p = USE;
  return 0;
}
