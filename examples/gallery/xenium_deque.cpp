// The work-stealing deque of the library xenium, as it is installed. The owner's pop of the last item moves `top` by a
// relaxed compare-exchange and then `bottom` by a relaxed store. A thief that sees the new `top` may still see the old
// `bottom`, thinks that there is an item left, and takes one that is gone. On x86 (--model tso) this cannot happen.
//
// needs: xenium/chase_work_stealing_deque.hpp
// $ heddle check xenium_deque.cpp => error assertion here
// $ heddle check --model tso xenium_deque.cpp => verified
#include <atomic>
#include <cassert>
#include <thread>
#include <xenium/chase_work_stealing_deque.hpp>

using Item = std::atomic<int>;  // how often it was handed out

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
    if (items.try_steal(item)) take(*item);
  });
  Item* item;
  while (items.try_pop(item)) take(*item);
  thief.join();
  assert(taken[0] == 1 && taken[1] == 1);
}
