// The native machine: runs a compiled, instrumented program, each thread as a fibre on the caller's OS thread.
//
// The program's memory lies at fixed addresses (region.hpp), so only one NativeMachine can exist at a time. It belongs
// to the OS thread that made it.
//
// What is an action. Until main creates the first thread, nothing that main does can be noticed: accesses, atomic or
// not, mutex operations and frees are simply done, and what they leave in memory is the base value of a location. From
// then on atomic accesses, mutex operations and frees are actions. Actions on memory never touch the bytes themselves,
// so that base() stays true; plain accesses are done on the bytes after a race check (shadow.hpp), except where they
// meet a location that actions use (plain.cpp).
//
// A replay may stop early: when a race or a misuse of memory shows in another order than before, the thread stops with
// an `error` pending although steps are left. A program that behaves differently under the same results is refused
// with a UserError, and so are overlapping atomic accesses of different sizes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "machine/image.hpp"
#include "machine/machine.hpp"

namespace heddle {

struct Thread;

struct NativeOptions {
  bool races_ignore = false;          // plain accesses to shared memory are actions
  bool spurious_cas = false;          // a weak compare-and-swap may fail although the values are equal
  unsigned nondet_bound = 0;          // __VERIFIER_nondet_*: any of 0 .. bound-1; 0 refuses them
  uint64_t step_limit = 1'000'000;    // actions of one thread in one execution
  uint64_t spin_limit = 100'000'000;  // loop iterations of one thread between two actions
  bool symmetry = false;              // tell which threads are twins (twins.hpp)
  bool find_twins = true;             // with symmetry: also those that are not declared
  bool helping = false;               // heed heddle_helped and heddle_helping (helping.hpp)
};

class NativeMachine final : public Machine {
 public:
  explicit NativeMachine(Image image, NativeOptions options = {});
  ~NativeMachine() override;
  NativeMachine(const NativeMachine&) = delete;
  NativeMachine& operator=(const NativeMachine&) = delete;

  void restart() override;
  std::span<const ThreadId> threads() const override;
  const Action& pending(ThreadId) override;
  const Action& perform(ThreadId, Value result, Clock) override;
  void replay(ThreadId, std::span<const Step>) override;
  bool fails(ThreadId, Clock) override;
  Value base(Address, uint8_t size) const override;
  Error error(ThreadId) const override;
  std::string describe(Address) const override;
  std::string name(ThreadId) const override;
  ThreadId parent(ThreadId) const override;
  ThreadPath path(ThreadId) const override;
  ThreadId thread_at(ThreadPath) override;
  std::string output() const override;
  std::span<const GuardedUse> guarded_uses() override;
  void record_sites(bool on) override;

  const Image& image() const { return image_; }
  // From now on only declared twins count.
  void find_no_twins() override;
  // From now on plain accesses to shared memory are actions, and it is not for the machine to find their races.
  bool shows_plain_accesses() const override;
  void show_plain_accesses() override;
  // The size of the scalar that begins at an address, as far as the types of globals tell; else 0.
  unsigned scalar_size(Address) const;

 private:
  void run(Thread& t);
  void start(Thread& t);
  void save_globals();
  void restore_globals();

  Image image_;
  std::vector<std::byte> initial_;  // contents of image_.writable, one after the other
  std::size_t eager_ = 0;           // the first so many segments are restored whole
};

}  // namespace heddle
