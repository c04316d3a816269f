// A deadlock: a transfer locks the account that pays, then the one that is paid. Two transfers in opposite directions
// each hold what the other one waits for. With -DRIGHT both mutexes are locked by std::scoped_lock, which cannot
// deadlock.
//
// $ heddle check lock_order.cpp => error deadlock here
// $ heddle check lock_order.cpp -- -DRIGHT => verified
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int money = 100;
};

Account alice, bob;

void transfer(Account& from, Account& to, int amount) {
#ifdef RIGHT
  std::scoped_lock both(from.mutex, to.mutex);
#else
  std::lock_guard first(from.mutex);
  std::lock_guard second(to.mutex);  // here
#endif
  from.money -= amount;
  to.money += amount;
}

int main() {
  std::thread rent([] { transfer(alice, bob, 30); });
  std::thread refund([] { transfer(bob, alice, 10); });
  rent.join();
  refund.join();
  assert(alice.money == 80 && bob.money == 120);
}
