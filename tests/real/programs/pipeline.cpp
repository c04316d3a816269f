// Three stages that hand their results on with futures. The last one that takes the result before it is there
// would have to wait.
// $ heddle check pipeline.cpp -- -std=c++20 => verified
// $ heddle check --model sc pipeline.cpp -- -std=c++20 => verified
// $ heddle check --model tso pipeline.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc pipeline.cpp -- -std=c++20 => verified
// $ heddle check pipeline.cpp -- -std=c++20 -DBUG => error exception, "No associated state"
// $ heddle check --model sc pipeline.cpp -- -std=c++20 -DBUG => error exception, "No associated state"
#include <cassert>
#include <future>
#include <string>
#include <thread>
#include <utility>

int main() {
  std::promise<int> input;
  std::promise<std::string> text;
  auto number = input.get_future();
  auto result = text.get_future();
  std::thread parse([&input] { input.set_value(6); });
  auto doubled = std::async(std::launch::async, [number = std::move(number)]() mutable { return 2 * number.get(); });
  std::thread print([&] { text.set_value(std::to_string(doubled.get())); });
#ifdef BUG
  (void)number.get();
#endif
  assert(result.get() == "12");
  parse.join();
  print.join();
}
