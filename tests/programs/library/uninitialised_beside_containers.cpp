// A program that uses containers, strings and streams has its uninitialised memory watched all the same.
// $ heddle check uninitialised_beside_containers.cpp => error memory here
#include <cstdlib>
#include <list>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>

int main() {
  std::list<int> list{1, 2};
  list.reverse();
  std::map<int, std::string> map{{1, "one"}};
  std::unordered_map<std::string, int> table{{"one", 1}};
  std::ostringstream out;
  out << list.front() << map[1] << table["one"];
  if (out.str() != "2one1") return 0;
  auto* const p = static_cast<int*>(std::malloc(sizeof(int)));
  const int r = *p == 7;  // here
  std::free(p);
  return r;
}
