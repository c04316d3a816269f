// One run tells all that is missing, with the place of the first use and the remedy.
// $ heddle check missing.cpp => exit 2, "3 things", "missing.cpp:18: call of undefined function 'first(int)': define it", "missing.cpp:19: call of undefined function 'testing::Test::Test()': libgtest is precompiled: pass its sources", "missing.cpp:20: use of undefined variable 'second'"
// $ heddle check missing.cpp library.a => exit 2, "library.a: no such file"
// $ heddle check missing.cpp -- ../libx.a => exit 2, "../libx.a after --: is compiled already"
// $ heddle check missing.cpp -- libx.so.1 => exit 2, "give its source files instead"
int first(int);
extern int second;
namespace testing {
class Test {
 public:
  Test();
  int member = 0;
};
}  // namespace testing

int main() {
  int sum = 0;
  sum += first(1);
  testing::Test t;
  sum += second;
  sum += first(2);
  return sum + t.member;
}
