// Mutexes of all kinds, once, guards of static variables, atomic sections.
#include <pthread.h>

#include <cerrno>

#include "unit/native/world.hpp"

namespace heddle::test {
namespace {

void* mutex() { return &globals().mutexes[0]; }
int call(const char* name, void* m = mutex()) { return library<int(void*)>(name)(m); }

void* locked_increment(void*) {
  call("pthread_mutex_lock");
  write(globals().a, read(globals().a) + 1);
  call("pthread_mutex_unlock");
  return nullptr;
}

TEST(Mutex, ActionsOfLockAndUnlock) {
  World w([] {
    spawn(locked_increment);
    return 0;
  });
  w.run(kMain);
  const Action lock = w.pending(T1);
  EXPECT_EQ(lock.kind, ActionKind::cas);
  EXPECT_EQ(lock.await, Await::equal);
  EXPECT_EQ(lock.expected, Value{});
  EXPECT_EQ(lock.operand, (Value{1, 0}));  // held, by whomever
  EXPECT_EQ(lock.mode, Mode::acq);
  EXPECT_EQ(lock.purpose, Purpose::mutex_lock);
  EXPECT_EQ(lock.addr, reinterpret_cast<Address>(mutex()));
  EXPECT_EQ(lock.size, 4);
  w.step(T1);
  const Action unlock = w.pending(T1);
  EXPECT_EQ(unlock.kind, ActionKind::store);
  EXPECT_EQ(unlock.operand, Value{});
  EXPECT_EQ(unlock.mode, Mode::rel);
  EXPECT_EQ(unlock.purpose, Purpose::mutex_unlock);
}

TEST(Mutex, Excludes) {
  World w([] {
    const auto x = spawn(locked_increment);
    const auto y = spawn(locked_increment);
    join(x);
    join(y);
    EXPECT_EQ(read(globals().a), 2);
    return 0;
  });
  w.run_round_robin();
  EXPECT_FALSE(w.failed()) << w.error().message;
  EXPECT_EQ(w.pending(kMain).kind, ActionKind::done);
}

TEST(Mutex, HeldFromBeforeTheFirstThread) {
  World w([] {
    call("pthread_mutex_lock");
    spawn(locked_increment);
    write(globals().a, 5);
    call("pthread_mutex_unlock");
    return 0;
  });
  w.step(kMain);
  EXPECT_FALSE(w.enabled(T1));
  w.run_all();
  EXPECT_FALSE(w.failed());
  EXPECT_EQ(w.pending(T1).kind, ActionKind::done);
}

TEST(Mutex, RelockOfANormalOneWaitsForEver) {
  const Main alone = [] {
    call("pthread_mutex_lock");
    call("pthread_mutex_lock");
    return 0;
  };
  World w(alone);
  EXPECT_EQ(w.pending(kMain).kind, ActionKind::cas);
  EXPECT_EQ(w.pending(kMain).purpose, Purpose::mutex_lock);
  EXPECT_FALSE(w.enabled(kMain));
}

TEST(Mutex, Misuse) {
  const auto error = [](Main main) {
    World w(main);
    w.run_all();
    return w.error();
  };
  Error e = error([] {
    call("pthread_mutex_unlock");
    return 0;
  });
  EXPECT_EQ(e.kind, ErrorKind::mutex);
  EXPECT_TRUE(e.message.ends_with(", which this thread does not hold")) << e.message;
  e = error([] {
    call("pthread_mutex_lock");
    spawn([](void*) -> void* {
      call("pthread_mutex_unlock");
      return nullptr;
    });
    return 0;
  });
  EXPECT_EQ(e.kind, ErrorKind::mutex);
  EXPECT_EQ(e.thread, T1);
  EXPECT_TRUE(e.message.ends_with(", which this thread does not hold: main does")) << e.message;
  EXPECT_EQ(e.other_thread, kMain);
  e = error([] {
    call("pthread_mutex_lock");
    call("pthread_mutex_destroy");
    return 0;
  });
  EXPECT_TRUE(e.message.ends_with(" is destroyed while it is held")) << e.message;
  e = error([] {
    call("pthread_mutex_destroy");
    call("pthread_mutex_lock");
    return 0;
  });
  EXPECT_EQ(e.kind, ErrorKind::mutex);
}

TEST(Mutex, Recursive) {
  World w([] {
    int32_t* const attribute = &globals().c;
    library<int(int*)>("pthread_mutexattr_init")(attribute);
    EXPECT_EQ((library<int(int*, int)>("pthread_mutexattr_settype")(attribute, PTHREAD_MUTEX_RECURSIVE)), 0);
    library<int(void*, int*)>("pthread_mutex_init")(mutex(), attribute);
    spawn(locked_increment);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(call("pthread_mutex_lock"), 0);
    EXPECT_EQ(call("pthread_mutex_trylock"), 0);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(call("pthread_mutex_unlock"), 0);
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
  // create, lock, unlock, exit; lock, unlock, exit
  EXPECT_EQ(w.events.size(), 7u);
}

TEST(Mutex, ErrorCheck) {
  World w([] {
    globals().mutexes[0].words[4] = PTHREAD_MUTEX_ERRORCHECK;  // as a static initialiser does
    EXPECT_EQ(call("pthread_mutex_unlock"), EPERM);
    EXPECT_EQ(call("pthread_mutex_lock"), 0);
    EXPECT_EQ(call("pthread_mutex_lock"), EDEADLK);
    EXPECT_EQ(call("pthread_mutex_trylock"), EBUSY);
    EXPECT_EQ(call("pthread_mutex_unlock"), 0);
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
}

TEST(Mutex, TryLock) {
  static int result;
  World w([] {
    spawn([](void*) -> void* {
      result = call("pthread_mutex_trylock");
      return nullptr;
    });
    call("pthread_mutex_lock");
    call("pthread_mutex_unlock");
    return 0;
  });
  w.step(kMain);
  EXPECT_EQ(w.pending(T1).await, Await::none);
  EXPECT_EQ(w.pending(T1).fail_mode, Mode::rlx);
  EXPECT_EQ(w.pending(T1).purpose, Purpose::mutex_trylock);
  w.step(kMain);
  w.run(T1);
  EXPECT_EQ(result, EBUSY);
  w.restart();
  w.run_all();
  EXPECT_EQ(result, 0);
}

TEST(Mutex, C11) {
  World w([] {
    auto* const init = library<int(void*, int)>("mtx_init");
    EXPECT_EQ(init(mutex(), 1), 0);
    EXPECT_EQ(call("mtx_lock"), 0);
    EXPECT_EQ(call("mtx_lock"), 0);
    EXPECT_EQ(call("mtx_unlock"), 0);
    EXPECT_EQ(call("mtx_unlock"), 0);
    EXPECT_EQ(init(&globals().mutexes[1], 0), 0);
    EXPECT_EQ(call("mtx_lock", &globals().mutexes[1]), 0);
    EXPECT_EQ(call("mtx_trylock", &globals().mutexes[1]), 1);
    EXPECT_EQ(call("mtx_unlock", &globals().mutexes[1]), 0);
    library<void(void*)>("mtx_destroy")(&globals().mutexes[1]);
    return 0;
  });
  w.run_all();
  EXPECT_FALSE(w.failed());
}

TEST(Once, RunsOnce) {
  static int runs;
  static auto* const once = library<int(int32_t*, void (*)())>("pthread_once");
  World w([] {
    runs = 0;
    const ThreadFunction f = [](void*) -> void* {
      once(&globals().c, [] {
        ++runs;
        write(globals().a, 1);
      });
      EXPECT_EQ(read(globals().a), 1);
      return nullptr;
    };
    spawn(f);
    spawn(f);
    spawn(f);
    return 0;
  });
  w.run_round_robin();
  EXPECT_FALSE(w.failed());
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(w.pending(T3).kind, ActionKind::done);
}

TEST(Once, GuardOfAStaticVariable) {
  static auto* const acquire = library<int(void*)>("__cxa_guard_acquire");
  static auto* const release = library<void(void*)>("__cxa_guard_release");
  static auto* const abort = library<void(void*)>("__cxa_guard_abort");
  static int runs;
  World w([] {
    runs = 0;
    const ThreadFunction f = [](void*) -> void* {
      void* const guard = globals().wide;
      if (__heddle_load(guard, 1, acq(), 0) != 1 && acquire(guard) != 0) {
        if (++runs == 1) {
          abort(guard);  // an initialiser that threw
          return nullptr;
        }
        release(guard);
      }
      return nullptr;
    };
    spawn(f);
    spawn(f);
    spawn(f);
    return 0;
  });
  w.run_round_robin();
  EXPECT_FALSE(w.failed());
  EXPECT_EQ(runs, 2);
}

TEST(Mutex, AtomicSections) {
  static auto* const begin = library<void()>("__VERIFIER_atomic_begin");
  static auto* const end = library<void()>("__VERIFIER_atomic_end");
  World w([] {
    begin();
    end();
    const ThreadFunction f = [](void*) -> void* {
      begin();
      begin();
      write(globals().a, read(globals().a) + 1);
      end();
      end();
      return nullptr;
    };
    spawn(f);
    spawn(f);
    return 0;
  });
  for (int round = 0; round < 3; ++round) {
    w.restart();
    w.run_round_robin();
    EXPECT_FALSE(w.failed());
    EXPECT_EQ(w.events.size(), 9u);
    EXPECT_EQ(w.machine.describe(w.events[2].action.addr), "__VERIFIER_atomic");
  }
}

}  // namespace
}  // namespace heddle::test
