// C++ programs through the whole front end and the JIT.
#include <gtest/gtest.h>

#include "unit/frontend/double.hpp"

namespace heddle::testing {
namespace {

TEST(RunCxx, ContainersAndStrings) {
  EXPECT_EQ(run_text(R"(
    #include <algorithm>
    #include <deque>
    #include <functional>
    #include <map>
    #include <memory>
    #include <string>
    #include <unordered_map>
    #include <vector>
    std::map<int, std::string> m; std::vector<std::string> v; std::unordered_map<std::string, int> u;
    int main() {
      for (int i = 0; i < 20; i++) { m[i % 7] += std::to_string(i); v.push_back(std::string(40, 'a' + i)); u[v.back()] = i; }
      if (m.size() != 7 || m[3] != "31017") return 1;
      std::sort(v.begin(), v.end(), std::greater<std::string>());
      if (v[0][0] != 't' || u[v[0]] != 19) return 2;
      auto p = std::make_shared<std::deque<int>>(3, 4); p->push_front(1);
      std::function<int(int)> f = [p](int x) { return x + (int)p->size() + (int)v.size(); };
      return f(1) - 25;
    })",
                     ".cpp"),
            0);
}

TEST(RunCxx, ExceptionsAndVirtualFunctions) {
  EXPECT_EQ(run_text(R"(
    #include <stdexcept>
    #include <string>
    #include <map>
    struct shape { virtual ~shape() { ++gone; } virtual int area() const = 0; static int gone; }; int shape::gone;
    struct square : shape { int s; square(int s) : s(s) {} int area() const override { if (s < 0) throw std::runtime_error("neg"); return s * s; } };
    struct cube : square { using square::square; int area() const override { return 6 * square::area(); } };
    int log_; struct guard { ~guard() { log_ += 10; } };
    int try_it(int n) {
      guard g;
      try { guard h; square s(n); const shape& r = s; return r.area(); }
      catch (const std::exception& e) { log_++; if (std::string(e.what()) != "neg") return -1; throw 42; }
    }
    int main() {
      shape* c = new cube(2); if (c->area() != 24 || !dynamic_cast<square*>(c)) return 1; delete c;
      if (shape::gone != 1 || try_it(3) != 9 || log_ != 20) return 2;
      try { try_it(-1); return 3; } catch (int i) { if (i != 42) return 4; }
      if (log_ != 41) return 5;
      std::map<int, int> m; try { m.at(3); return 6; } catch (std::out_of_range&) {}
      try { throw std::string("x"); } catch (...) { return 0; }
    })",
                     ".cpp"),
            0);
}

TEST(RunCxx, ConstructorsAndThreadLocals) {
  EXPECT_EQ(run_text(R"(
    #include <string>
    #include <atomic>
    std::string order; struct n { n(const char* s) { order += s; } };
    n c("c"); __attribute__((init_priority(200))) std::string early = "e"; n d("d");
    thread_local std::string tl = "abc"; thread_local std::atomic<int> ti{4};
    int& counter() { static int* p = new int(5); return *p; }
    inline std::atomic<long> inl{7};
    int main() {
      tl += "d"; ti++; counter()++; inl += 1;
      return !(order == "cd" && tl == "abcd" && ti == 5 && counter() == 6 && early == "e" && inl == 8);
    })",
                     ".cpp"),
            0);
}

TEST(RunCxx, StaticLocalsAreLeftToTheMachine) {
  EXPECT_EQ(run_text(R"(
    struct s { int v; s() : v(4) {} }; s& get() { static s x; return x; }
    int main() { return get().v + get().v - 8; })",
                     ".cpp"),
            0);
  EXPECT_EQ(count("load"), 0u);
}

TEST(RunCxx, AtomicTypes) {
  EXPECT_EQ(run_text(R"(
    #include <atomic>
    #include <memory>
    struct pt { int x, y; bool operator==(const pt&) const = default; }; struct alignas(16) wide { long a, b; };
    std::atomic<pt> p; std::atomic<wide> w; std::atomic<double> d{1.5}; std::atomic<float> f{1}; std::atomic<int*> ip; int arr[4];
    std::atomic<bool> b; std::atomic<unsigned char> uc{255}; int plain; enum class e : short { one = 1, two }; std::atomic<e> en{e::one};
    int main() {
      p = pt{1, 2}; pt x = p; if (x.y != 2 || !p.compare_exchange_strong(x, pt{3, 4})) return 1;
      w.store({5, 6}); if (w.load().b != 6) return 2;
      d.fetch_add(2.0); f.fetch_sub(0.5f); if (d != 3.5 || f != 0.5f) return 3;
      ip = arr; ip += 2; ip++; if (ip != arr + 3) return 4;
      b.exchange(true); if (!b || ++uc != 0) return 5;
      std::atomic_ref<int> r(plain); r.fetch_add(3); if (plain != 3) return 6;
      if (en.exchange(e::two) != e::one) return 7;
      if (!p.is_lock_free() || !w.is_lock_free()) return 8;
      auto local = std::make_unique<std::atomic<int>>(3); (*local)--; return *local - 2;
    })",
                     ".cpp"),
            0);
  EXPECT_GE(count("load16"), 1u);
}

TEST(RunCxx, LambdasTemplatesAndCoroutines) {
  EXPECT_EQ(run_text(R"(
    #include <coroutine>
    #include <exception>
    #include <optional>
    #include <variant>
    struct gen {
      struct promise_type {
        int v; gen get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; } std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int x) { v = x; return {}; } void return_void() {} void unhandled_exception() { std::terminate(); }
      };
      std::coroutine_handle<promise_type> h; bool next() { h.resume(); return !h.done(); } int get() { return h.promise().v; }
    };
    gen count(int n) { for (int i = 1; i <= n; i++) co_yield i; }
    template <class... T> auto add(T... t) { return (t + ...); }
    int main() {
      auto g = count(4); int s = 0; while (g.next()) s += g.get(); g.h.destroy(); if (s != 10) return 1;
      std::optional<int> o = 4; std::variant<int, double> v = 2.0;
      auto l = [&]<class T>(T x) { return add(x, *o, (int)std::get<double>(v)); };
      return l(1) - 7;
    })",
                     ".cpp"),
            0);
}

}  // namespace
}  // namespace heddle::testing
