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
//
// The machine is made of rooms, one for each matter. A room is a header and a source file (`access` has three) with a
// state object and reset(); what it changes during an execution it keeps on the undo log. A room includes only rooms
// that stand before it; rooms.txt says the same to a program.
//
//   options, host    what the user asks for; which side allocates
//   fibre, region    switching stacks; where memory lies
//   undo             going back to an earlier moment
//   threads, epoch   the threads and which one runs; the names of their accesses in time
//   heap             blocks in arenas; kept_thread: a thread as undo keeps it
//   names            names for addresses
//   suppress         races that are no errors
//   rows, shadow     reads that are not ordered; what is known of each byte, races
//   lifetime         the ends of blocks
//   access           the program's accesses, atomic and plain
//   hazards          hazard pointers
//   helping          operations that others may help with
//   symmetry         threads that can be exchanged
//   exits            the ends of threads and of the process
//   rest             what main does when it alone is left
//   output           what the program prints
//   exceptions       uncaught exceptions
//   sandbox, crash   what the program may not do; signals
//   fingerprint      what an execution has come to, as text
//   room             rooms of layers above
//   native           this: the machine; settings: what it has learnt, as bytes
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "image/image.hpp"
#include "machine/machine.hpp"
#include "native/exits.hpp"
#include "native/hazards.hpp"
#include "native/helping.hpp"
#include "native/options.hpp"
#include "native/output.hpp"
#include "native/room.hpp"
#include "native/symmetry.hpp"

namespace heddle {

class NativeMachine final : public Machine {
 public:
  explicit NativeMachine(Image image, NativeOptions options = {});
  ~NativeMachine() override;
  NativeMachine(const NativeMachine&) = delete;
  NativeMachine& operator=(const NativeMachine&) = delete;

  void restart() override;
  uint64_t restarts() const override { return restarts_; }
  std::size_t rewind(std::span<const Step> steps, std::size_t same) override;
  std::span<const ThreadId> threads() const override;
  const Action& pending(ThreadId) override;
  const Action& perform(ThreadId, Value result, Clock) override;
  void replay(ThreadId, std::span<const Step>) override;
  ThreadId replay_all(std::span<const Step> steps, std::span<const Stretch> stretches, std::size_t first,
                      bool to_error) override;
  bool knows_rest(ThreadId, const FinalValue& final_value) override;
  bool fails(ThreadId, Clock) override;
  Conditions& conditions() override { return rt.conditions; }
  Value base(Address, uint8_t size) const override;
  Error error(ThreadId) const override;
  std::string describe(Address) const override;
  std::string object(Address) const override;
  std::string block(Address) const override;
  ValueType type(Address, uint8_t size) const override;
  std::vector<Holder> holders(Address) const override;
  std::string name(ThreadId) const override;
  ThreadId parent(ThreadId) const override;
  ThreadPath path(ThreadId) const override;
  ThreadId thread_at(ThreadPath) override;
  std::string output() const override;
  Unusual unusual() override;
  uint64_t rules() const override;
  std::span<const GuardedUse> guarded_uses() override;
  std::span<const EndedLocal> ended_locals() const override;
  std::span<const LostMemory> losses() const override { return cell::state.losses; }
  std::span<const uint32_t> rounds_begun(ThreadId t) const override { return thread(t).begun; }
  std::span<const WaitRound> rounds_that_wait(ThreadId t) const override { return thread(t).waited; }
  uint32_t code(ThreadId t) const override { return threads::code(thread(t)); }
  bool uses_hazard_pointers() const override;
  bool reads_clocks() const override { return image_.uses.clocks; }
  bool looks() const override { return image_.looks && !image_.uses.clocks; }
  void record_sites(bool on) override;
  bool suppresses(SiteId site, SiteId other, Address a) override;
  std::vector<SuppressedRace> suppressed() const override;

  const Image& image() const { return image_; }
  std::string settings() const override;
  void set_settings(std::string_view settings) override;
  void assume(const Assumptions& asked) override;
  std::vector<Broken> broken() const override;
  void forget_losses() override { cell::state.lost.clear(); }
  const Ranges& lost() const override { return cell::state.lost; }
  Address common_place(Address a) const override { return heap::common_place(a); }
  std::vector<FollowedLoop> followed() const override;
  std::vector<LimitHit> left_out() const override { return rt.left_out; }
  bool is_left_behind(ThreadId) const override;

  // From the next restart on.
  void set_notices(std::vector<OtherNotice> notices) { rt.notices = std::move(notices); }

  // How often the machine was to go back, how often that took a restart, and how often something could not be kept.
  struct Returns {
    uint64_t all = 0;
    uint64_t restarts = 0;
    uint64_t forgotten = 0;
  };
  Returns returns() const { return {returns_.all, returns_.restarts, undo::state.forgotten}; }

 private:
  void start_anew();
  ThreadId replay_from(std::span<const Step> steps, std::span<const Stretch> stretches, std::size_t first,
                       bool to_error);
  ThreadId replay_twice(std::span<const Step> steps, std::span<const Stretch> stretches, std::size_t first,
                        bool to_error);
  void save_globals();
  void restore_globals();

  Image image_;
  uint64_t restarts_ = 0;
  Returns returns_;
  std::vector<std::byte> initial_;  // contents of image_.writable, one after the other
  std::size_t eager_ = 0;           // the first so many segments are restored whole
};

}  // namespace heddle
