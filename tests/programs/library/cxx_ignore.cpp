// With --races ignore every plain access is an action. Ordinary C++ must work there as well.
// $ heddle check cxx_ignore.cpp => verified, 1 executions
// $ heddle check --races ignore cxx_ignore.cpp => verified, 1 executions
// $ heddle check --races ignore cxx_ignore.cpp -- -DTHROWS => error exception, "uncaught exception of type std::out_of_range: map::at"
#include <pthread.h>

#include <algorithm>
#include <cassert>
#include <list>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

struct Base {
  virtual ~Base() = default;
  virtual int number() const { return 1; }
};
struct Left : virtual Base {
  int left = 2;
};
struct Right : virtual Base {
  int right = 3;
};
struct Both : Left, Right {
  int number() const override { return left + right; }
};

struct Failure : virtual std::exception {
  std::string text;
  explicit Failure(std::string t) : text(std::move(t)) {}
  const char* what() const noexcept override { return text.c_str(); }
};

static std::map<int, std::string>* names;
static std::list<int>* queue;
static std::unordered_map<std::string, int>* table;
static std::string* caught;
static std::unique_ptr<Base> object;

static void* work(void*) {
  for (int i = 0; i < 4; ++i) (*names)[i * 7 % 4] = "number " + std::to_string(i);
  names->erase(2);
  for (int i = 0; i < 3; ++i) queue->push_front(i);
  queue->sort();
  for (const char* word : {"a", "bc", "a", ""}) ++(*table)[word];
  std::ostringstream out;
  out << "x=" << 42 << ' ' << 1.5 << ' ' << std::string("end");
  try {
    if (out.str().size() == 12) throw std::runtime_error("text " + out.str());
  } catch (const std::exception& e) {
    *caught = e.what();
  }
  try {
    throw Failure("virtual");
  } catch (const std::exception& e) {
    *caught += e.what();
  }
  object = std::make_unique<Both>();
#ifdef THROWS
  names->at(99);
#endif
  return nullptr;
}

int main() {
  names = new std::map<int, std::string>;
  queue = new std::list<int>;
  table = new std::unordered_map<std::string, int>;
  caught = new std::string;
  pthread_t t;
  pthread_create(&t, nullptr, work, nullptr);
  pthread_join(t, nullptr);
  assert(names->size() == 3 && names->begin()->second == "number 0");
  int sum = 0;
  for (const auto& [key, name] : *names) sum += key;
  assert(sum == 4);
  assert(queue->size() == 3 && queue->front() == 0 && queue->back() == 2);
  assert(table->size() == 3 && table->at("a") == 2);
  assert(*caught == "text x=42 1.5 endvirtual");
  auto* const right = dynamic_cast<Right*>(object.get());
  assert(right && right->right == 3 && object->number() == 5);
  std::istringstream in("12 word 2.5");
  int i;
  std::string s;
  double d;
  in >> i >> s >> d;
  assert(in && i == 12 && s == "word" && d == 2.5);
  object.reset();
  delete names;
  delete queue;
  delete table;
  delete caught;
  return 0;
}
