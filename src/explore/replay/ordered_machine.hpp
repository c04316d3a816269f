// A machine whose program asks for other memory orders than its source has.
//
// Each place of the user's source that has an order is known by a number, in the order in which the explorations have
// met them. set() changes the orders of some, and puts fences before others, from the next restart on. The program
// itself stays as it is: orders are the explorer's business, and a fence that is not there is performed here.
#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>

#include "machine/machine.hpp"

namespace heddle {

enum class OrderPart : uint8_t { load, store, rmw, cas, cas_failure, fence };

// "load", "compare-exchange", "failed compare-exchange"
std::string_view name(OrderPart part);

struct OrderPlace {
  SiteId site;  // of the user's own code
  OrderPart part;
  Mode mode;             // as the source has it
  std::string variable;  // one that it accesses; nothing for a fence
};

struct OrderChange {
  std::size_t place;
  Mode mode = Mode::na;       // what it has instead; rlx: a fence is left out
  bool fence_before = false;  // a seq_cst fence instead of another mode
  bool operator==(const OrderChange&) const = default;
};

class OrderedMachine final : public Machine {
 public:
  // The sites are those of the machine.
  OrderedMachine(Machine& machine, const SiteTable& sites) : machine_(machine), sites_(sites) {}

  const std::vector<OrderPlace>& places() const { return places_; }
  void set(std::span<const OrderChange> changes);
  // Whether there are weaker orders that are not the user's: of a library in the system's headers.
  bool has_others() const { return has_others_; }

  void restart() override;
  uint64_t restarts() const override { return machine_.restarts(); }
  std::size_t rewind(std::span<const Step> steps, std::size_t same) override;
  std::span<const ThreadId> threads() const override { return machine_.threads(); }
  const Action& pending(ThreadId t) override;
  const Action& perform(ThreadId t, Value result, Clock clock) override;
  void replay(ThreadId t, std::span<const Step> steps) override;
  ThreadId replay_all(std::span<const Step> steps, std::span<const Stretch> stretches, std::size_t first,
                      bool to_error) override;
  bool fails(ThreadId t, Clock clock) override { return !at_fence(t) && machine_.fails(t, clock); }

  bool knows_rest(ThreadId t, const FinalValue& final_value) override { return machine_.knows_rest(t, final_value); }

  // All else as it is.
  ThreadPath path(ThreadId t) const override { return machine_.path(t); }
  ThreadId thread_at(ThreadPath p) override { return machine_.thread_at(p); }
  Conditions& conditions() override { return machine_.conditions(); }
  Value base(Address a, uint8_t size) const override { return machine_.base(a, size); }
  Error error(ThreadId t) const override { return machine_.error(t); }
  std::string describe(Address a) const override { return machine_.describe(a); }
  std::string object(Address a) const override { return machine_.object(a); }
  std::string block(Address a) const override { return machine_.block(a); }
  ValueType type(Address a, uint8_t size) const override { return machine_.type(a, size); }
  std::vector<Holder> holders(Address a) const override { return machine_.holders(a); }
  std::string name(ThreadId t) const override { return machine_.name(t); }
  ThreadId parent(ThreadId t) const override { return machine_.parent(t); }
  Unusual unusual() override { return machine_.unusual(); }
  std::string output() const override { return machine_.output(); }
  bool is_left_behind(ThreadId t) const override { return machine_.is_left_behind(t); }
  std::span<const GuardedUse> guarded_uses() override { return machine_.guarded_uses(); }
  std::span<const EndedLocal> ended_locals() const override { return machine_.ended_locals(); }
  std::span<const LostMemory> losses() const override { return machine_.losses(); }
  std::span<const uint32_t> rounds_begun(ThreadId t) const override { return machine_.rounds_begun(t); }
  std::span<const WaitRound> rounds_that_wait(ThreadId t) const override { return machine_.rounds_that_wait(t); }
  uint32_t code(ThreadId t) const override { return machine_.code(t); }
  bool uses_hazard_pointers() const override { return machine_.uses_hazard_pointers(); }
  bool reads_clocks() const override { return machine_.reads_clocks(); }
  bool looks() const override { return machine_.looks(); }
  void forget_losses() override { machine_.forget_losses(); }
  const Ranges& lost() const override { return machine_.lost(); }
  void record_sites(bool on) override { machine_.record_sites(on); }
  uint64_t rules() const override { return machine_.rules(); }
  // Orders are not those of the source.
  void assume(const Assumptions& asked) override {
    assumed_ = asked;
    assumed_.orders = false;
    machine_.assume(assumed_);
    assumed_ = machine_.assumed();
  }
  std::vector<Broken> broken() const override { return machine_.broken(); }
  std::vector<FollowedLoop> followed() const override { return machine_.followed(); }
  std::vector<LimitHit> left_out() const override { return machine_.left_out(); }
  bool suppresses(SiteId a, SiteId b, Address at) override { return machine_.suppresses(a, b, at); }
  std::vector<SuppressedRace> suppressed() const override { return machine_.suppressed(); }

 private:
  struct Slot {
    Action action;            // as the explorer sees it
    bool fence_done = false;  // the one before the pending action
  };
  // A place by what it is in the source.
  using Key = std::tuple<std::string, unsigned, unsigned, OrderPart>;

  bool at_fence(ThreadId t);
  void change(Action& a);
  // The number of the place; -1 if it is not the user's own.
  int place_of(const Action& a, OrderPart part, Mode mode);
  bool is_users(SiteId site) const;

  Machine& machine_;
  const SiteTable& sites_;
  std::vector<OrderPlace> places_;
  std::map<Key, int> by_source_;
  std::unordered_map<uint64_t, int> by_site_;  // and by part
  std::vector<Mode> mode_;                     // of each place; na: its own
  std::vector<bool> fence_;                    // before each place
  bool any_fence_ = false;
  bool has_others_ = false;
  std::unordered_map<ThreadId, Slot> slots_;
};

}  // namespace heddle
