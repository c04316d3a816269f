// clang's own message comes through.
// $ heddle check syntax_error.c => exit 2, "syntax_error.c:5:10: error:"
// $ heddle check --format json syntax_error.c => exit 2, "error:"
int main(void) {
  return oops;
}
