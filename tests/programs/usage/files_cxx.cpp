// The third file of files.c.
// $ heddle check files_cxx.cpp => exit 2, "main"
template <typename T>
static T doubled(T x) {
  return x + x;
}

extern "C" int twice(int x) { return doubled(x); }
