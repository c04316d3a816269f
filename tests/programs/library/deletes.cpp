// Who deletes says again what new was told.
// $ heddle check deletes.cpp -- -std=c++20 => verified
// $ heddle check deletes.cpp -- -std=c++20 -DSIZE => error memory, "is released with operator delete for a size of 32"
// $ heddle check deletes.cpp -- -std=c++20 -DBASE => error memory, "is released with operator delete for a size of 8"
// $ heddle check deletes.cpp -- -std=c++20 -DPLAIN => error memory, "operator delete without its alignment"
// $ heddle check deletes.cpp -- -std=c++20 -DALIGNED => error memory, "operator delete for an alignment of 64"
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

struct Base {
  long a = 1;
};
struct Derived : Base {
  long b[2] = {2, 3};
};
struct alignas(64) Line {
  char text[64];
};
struct Big {
  virtual ~Big() = default;
  long more[3] = {};
};
struct Bigger : Big {
  long most[5] = {};
};

int main() {
#ifdef SIZE
  ::operator delete(::operator new(64), std::size_t{32});
#elif defined BASE
  Base* p = new Derived;
  delete p;
#elif defined PLAIN
  ::operator delete(::operator new(64, std::align_val_t{64}));
#elif defined ALIGNED
  ::operator delete(::operator new(64), std::align_val_t{64});
#else
  delete new Line;
  delete[] new Line[3];
  delete new Derived;
  Big* big = new Bigger;
  delete big;
  delete[] new std::string[4];
  delete[] new char[0];
  ::operator delete(::operator new(8, std::align_val_t{8}), std::align_val_t{8});
  ::operator delete(::operator new(24), std::nothrow);
  std::vector<Line> lines(3);
  lines.resize(7);
  std::vector<int> none;
  none.reserve(0);
  std::map<int, std::string> names{{1, "one"}, {2, std::string(100, 'x')}};
  names.erase(1);
  auto shared = std::make_shared<Line>();
  std::shared_ptr<Base> base(new Derived);
  std::unique_ptr<Big> owner = std::make_unique<Bigger>();
#endif
}
