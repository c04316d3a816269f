// The work-stealing deque of xenium, after Chase and Lev: every item must be handed out once. A pop changes the top by
// a relaxed compare-exchange, so a thief that sees the new top may still see the old bottom, and takes what is gone.
// On x86 the order is there anyway.
// needs: xenium/chase_work_stealing_deque.hpp
// $ heddle check --model sc xenium_deque.cpp -- -std=c++17 => verified
// $ heddle check --model tso xenium_deque.cpp -- -std=c++17 => verified
// $ heddle check xenium_deque.cpp -- -std=c++17 => error assertion here
// $ heddle check --model sc xenium_deque.cpp -- -std=c++17 -DBUG => error assertion here
#include <atomic>
#include <cassert>
#include <thread>
#include <xenium/chase_work_stealing_deque.hpp>

using Item = std::atomic<int>;

xenium::chase_work_stealing_deque<Item, xenium::policy::capacity<2>> items;
Item taken[2];

void take(Item& item) {
  const int before = item.fetch_add(1, std::memory_order_relaxed);
  assert(before == 0);  // here
}

int main() {
  items.try_push(&taken[0]);
  items.try_push(&taken[1]);
  std::thread thief([] {
    Item* item;
#ifdef BUG
    if (items.try_pop(item)) take(*item);  // only the owner may pop
#else
    if (items.try_steal(item)) take(*item);
#endif
  });
  Item* item;
  while (items.try_pop(item)) take(*item);
  thief.join();
  assert(taken[0] == 1 && taken[1] == 1);
}
