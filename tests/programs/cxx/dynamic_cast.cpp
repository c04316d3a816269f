// dynamic_cast, typeid and a cast that fails, in a thread whose function has a name that is much longer than a column.
// $ heddle check dynamic_cast.cpp => verified, 1 executions
// $ heddle check dynamic_cast.cpp -- -DWRONG => error assertion here
#include <pthread.h>

#include <cassert>
#include <typeinfo>

struct Base {
  virtual ~Base() = default;
};
struct Left : Base {
  int value = 1;
};
struct Right : Base {};

static void* a_thread_function_with_a_name_that_says_what_it_does_in_many_words_as_people_write_in_tests(void* arg) {
  Base* base = static_cast<Base*>(arg);
  assert(dynamic_cast<Left*>(base) != nullptr && dynamic_cast<Right*>(base) == nullptr);
  assert(typeid(*base) == typeid(Left));
  bool thrown = false;
  try {
    (void)dynamic_cast<Right&>(*base);
  } catch (const std::bad_cast&) {
    thrown = true;
  }
  assert(thrown);
#ifdef WRONG
  assert(false);  // here
#endif
  return nullptr;
}

int main() {
  Left left;
  pthread_t a, b;
  pthread_create(&a, nullptr, a_thread_function_with_a_name_that_says_what_it_does_in_many_words_as_people_write_in_tests,
                 &left);
  pthread_create(&b, nullptr, a_thread_function_with_a_name_that_says_what_it_does_in_many_words_as_people_write_in_tests,
                 &left);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  return 0;
}
