// A cache that forgets what was not used for longest, behind a shared_mutex. To look something up changes the
// order: a lock for reading is not enough.
// $ heddle check lru_cache.cpp -- -std=c++20 => verified
// $ heddle check --model sc lru_cache.cpp -- -std=c++20 => verified
// $ heddle check --model tso lru_cache.cpp -- -std=c++20 => verified
// $ heddle check --algorithm await --model sc lru_cache.cpp -- -std=c++20 => verified
// $ heddle check lru_cache.cpp -- -std=c++20 -DBUG => error race
// $ heddle check --model sc lru_cache.cpp -- -std=c++20 -DBUG => error race
#include <cassert>
#include <list>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>

class Cache {
 public:
  std::optional<std::string> get(int key) {
#ifdef BUG
    std::shared_lock lock(m);
#else
    std::unique_lock lock(m);
#endif
    const auto it = places.find(key);
    if (it == places.end()) return std::nullopt;
    order.splice(order.begin(), order, it->second);
    return it->second->second;
  }
  void put(int key, std::string value) {
    std::unique_lock lock(m);
    order.emplace_front(key, std::move(value));
    places[key] = order.begin();
    if (order.size() > 2) {
      places.erase(order.back().first);
      order.pop_back();
    }
  }
  std::size_t size() const {
    std::shared_lock lock(m);
    return order.size();
  }

 private:
  mutable std::shared_mutex m;
  std::list<std::pair<int, std::string>> order;
  std::unordered_map<int, std::list<std::pair<int, std::string>>::iterator> places;
};

int main() {
  Cache cache;
  cache.put(1, "one");
  cache.put(2, "two");
  std::thread reader([&] {
    const auto found = cache.get(1);
    assert(!found || *found == "one");
  });
  std::thread other([&] { assert(cache.get(2) == "two" || cache.size() == 2); });
  cache.put(3, "three");
  reader.join();
  other.join();
  assert(cache.size() == 2);
}
