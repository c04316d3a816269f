// A function that nobody defines is named, with its place.
// $ heddle check undefined.c => exit 2, "surely_not_there"
// $ heddle check undefined.c => exit 2, "undefined.c:7"
extern int surely_not_there(int);

int main(void) {
  return surely_not_there(1);
}
