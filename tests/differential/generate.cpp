#include "differential/generate.hpp"

#include <algorithm>
#include <array>
#include <random>

#include "differential/shrink.hpp"

namespace heddle::differential {
namespace {

using Code = std::vector<Instruction>;

// What one step of generation appends.
enum Piece {
  kLoad,
  kStore,
  kRmw,
  kCas,
  kFence,
  kAwaitLoad,
  kAwaitRmw,
  kCritical,  // lock … unlock
  kTry,       // trylock … unlock
  kUnlock,    // by itself
  kChoose,
  kAssume,
  kCheck,
  kConfirm,  // a load, and a cas that assumes that nothing has changed since
  kRecheck,  // loads, and then loads and a cas that wait for what these have read
  kPieces
};

class Generator {
 public:
  Generator(uint64_t seed, const GenerateOptions& options) : random_(seed), options_(options) {}

  Script run() {
    choose_mixture();
    // Main and, mostly, at least two others.
    script_.threads.resize(!litmus_ && chance(16) ? 2 : 3 + below(options_.threads - 1));
    const unsigned locations = waiting_ || confirming_ ? 1 + below(2)
                               : litmus_ && chance(2)  ? 2
                                                       : 1 + below(options_.locations);
    static constexpr const char* kNames[] = {"x", "y", "z", "u", "v", "w"};
    for (unsigned l = 0; l < locations; ++l) script_.locations.push_back({kNames[l], chance(5) ? 1u : 0u, false});
    mutex_ = locations;
    script_.locations.push_back({"m", 0, true});
    barrier_ = mutex_ + 1;
    if (options_.meetings) {
      append_meetings();
    } else if (litmus_) {
      chance(2) ? append_cycle() : append_litmus();
    } else {
      append_anything();
    }
    if (options_.symmetric) {
      copy_threads();
      insert_lifetimes();
    } else {
      for (std::size_t t = script_.threads.size(); t-- > 1;) insert_lifetime(t);
    }
    remove_bad_joins();
    if (!litmus_ && (!options_.meetings || odd_)) {
      for (std::size_t t = options_.symmetric ? script_.threads.size() : 0; t < script_.threads.size(); ++t)
        insert_skips(script_.threads[t]);
    }
    if (accesses_to_mutex_ == 0 && !options_.meetings) script_.locations.pop_back();
    return std::move(script_);
  }

 private:
  unsigned below(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }
  bool chance(unsigned n) { return below(n) == 0; }
  template <std::size_t N>
  unsigned weighted(const std::array<unsigned, N>& weights) {
    return std::discrete_distribution<unsigned>(weights.begin(), weights.end())(random_);
  }

  void choose_mixture() {
    static constexpr std::array<unsigned, kPieces> kUsual = {6, 6, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static constexpr std::array<unsigned, 4> kFactors = {0, 1, 1, 5};
    for (unsigned p = 0; p < kPieces; ++p) weights_[p] = kUsual[p] * kFactors[below(4)];
    weights_[kLoad] += 1;
    weights_[kStore] += 1;
    litmus_ = chance(3);
    if (litmus_) std::fill(weights_.begin() + kAwaitLoad, weights_.end(), 0);
    if (chance(2)) weights_[kCheck] = 0;  // a program with an error says less about all else
    if (options_.only_c) weights_[kUnlock] = weights_[kRecheck] = 0;
    static constexpr std::array<unsigned, 3> kModes = {0, 1, 4};
    do {
      for (unsigned& w : strength_) w = kModes[below(3)];
    } while (strength_[0] + strength_[1] + strength_[2] == 0);
    plain_ = options_.plain && chance(6);
    if (options_.awaits && chance(2)) choose_awaits();
    if (!options_.only_c && chance(options_.symmetric ? 3 : 5)) choose_confirmations();
  }

  // Threads that look at a location and change it if nothing has come between, others that write it, and some that
  // wait.
  void choose_confirmations() {
    confirming_ = true;
    litmus_ = plain_ = false;
    weights_ = {};
    static constexpr std::array<unsigned, 3> kWeights = {0, 2, 4};
    for (const Piece p : {kLoad, kRmw, kCritical, kAwaitLoad}) weights_[p] = kWeights[below(3)];
    weights_[kStore] = 4;
    weights_[kConfirm] = 5 * below(2);
    weights_[kRecheck] = 5;
    if (!options_.awaits) weights_[kAwaitLoad] = 0;
    if (chance(2)) weights_[kStore] = 1;  // its values come back
  }

  // Threads that count, and threads that wait for some count.
  void choose_awaits() {
    waiting_ = true;
    litmus_ = false;
    weights_ = {};
    static constexpr std::array<unsigned, 4> kWeights = {0, 1, 2, 4};
    for (const Piece p : {kLoad, kStore, kCas, kAwaitLoad, kAwaitRmw, kCritical, kTry, kChoose})
      weights_[p] = kWeights[below(3)];
    weights_[kRmw] = 4 + 4 * below(2);
    weights_[kAwaitLoad] += below(2);
    weights_[kAwaitRmw] += 1;
    weights_[kConfirm] = 2 * below(3);
  }

  // 0: relaxed, 1: acquire and release, 2: sc
  Mode mode(Mode middle, bool may_be_plain = false) {
    if (may_be_plain && plain_ && chance(3)) return Mode::na;
    static constexpr int kStrongest = 2;
    const unsigned s = weighted(strength_);
    return s == 0 ? Mode::rlx : s == kStrongest ? Mode::sc : middle;
  }
  Mode rmw_mode() {
    static constexpr Mode kMiddle[] = {Mode::acq, Mode::rel, Mode::acqrel};
    return mode(kMiddle[below(3)]);
  }
  Mode fence_mode() {
    static constexpr Mode kFences[] = {Mode::acq, Mode::rel, Mode::acqrel, Mode::sc};
    return strength_[2] > strength_[1] && chance(2) ? Mode::sc : kFences[below(4)];
  }
  RmwOp rmw_op() {
    static constexpr RmwOp kCommuting[] = {RmwOp::add, RmwOp::sub, RmwOp::add, RmwOp::bor, RmwOp::band, RmwOp::bxor};
    if (waiting_ && !chance(6)) return kCommuting[chance(2) ? below(3) : below(6)];
    static constexpr RmwOp kOps[] = {RmwOp::add,  RmwOp::add, RmwOp::xchg, RmwOp::xchg, RmwOp::bor, RmwOp::band,
                                     RmwOp::bxor, RmwOp::sub, RmwOp::umax, RmwOp::smin, RmwOp::nand};
    return kOps[below(options_.only_c ? 8 : 11)];
  }

  uint8_t location() { return static_cast<uint8_t>(below(mutex_)); }

  // The registers of a code that hold a result; r0 if none does.
  uint8_t used_register(const Code& code) {
    std::vector<uint8_t> regs;
    for (const Instruction& i : code) {
      if (has_result(i)) regs.push_back(i.reg);
    }
    return regs.empty() ? uint8_t{0} : regs[below(static_cast<unsigned>(regs.size()))];
  }
  ScriptValue value(const Code& code) {
    if (!chance(5)) return {-1, chance(2) ? 1 : 1 + below(3)};
    return {static_cast<int8_t>(used_register(code)), below(2)};
  }

  Instruction make(ScriptOp op) {
    Instruction i;
    i.op = op;
    if (has_result(op)) i.reg = static_cast<uint8_t>(below(4));
    if (uses_location(op)) ++accesses_;
    return i;
  }

  Instruction access(ScriptOp op, const Code& code) {
    Instruction i = make(op);
    i.location = location();
    switch (op) {
      case ScriptOp::load: i.mode = mode(Mode::acq, true); break;
      case ScriptOp::store:
        i.mode = mode(Mode::rel, true);
        i.operand = value(code);
        break;
      case ScriptOp::rmw:
        i.mode = rmw_mode();
        i.rmw = rmw_op();
        i.operand = value(code);
        i.unused = options_.awaits && !chance(3);
        break;
      default:
        i.mode = rmw_mode();
        i.fail_mode = mode(Mode::acq);
        i.constant = below(3);
        i.operand = value(code);
    }
    return i;
  }

  void make_await(Instruction& i) {
    i.await = i.op == ScriptOp::cas || chance(2) ? Await::equal : Await::not_equal;
    i.constant = i.await == Await::equal && !chance(3) ? 1 : below(waiting_ ? 5 : 3);
    if (i.mode == Mode::na) i.mode = Mode::acq;
    i.unused = false;
    i.assumed = chance(2);
  }

  Instruction mutex(ScriptOp op) {
    Instruction i = make(op);
    i.location = static_cast<uint8_t>(mutex_);
    ++accesses_to_mutex_;
    return i;
  }

  Instruction test(ScriptOp op, const Code& code) {
    Instruction i = make(op);
    i.reg = used_register(code);
    i.equal = chance(3);
    i.constant = below(3);
    return i;
  }

  // Pieces of code between meetings of all threads, of some of them, or of one with itself.
  void append_meetings() {
    const auto threads = static_cast<unsigned>(script_.threads.size()) - 1;
    odd_ = chance(3);
    const unsigned meetings = chance(3) ? 2 : 1;
    for (unsigned m = 0; m < meetings; ++m) {
      const uint64_t places = odd_ && chance(3) ? 1 + below(threads + 1) : threads;
      script_.locations.push_back({m == 0 ? "b" : "c", 0, false, places});
    }
    if (chance(2)) return append_meetings_to_cycle(meetings);
    const unsigned phases = 1 + below(2);
    const unsigned budget = 2 + below(options_.accesses);
    for (unsigned phase = 0; phase <= phases; ++phase) {
      for (unsigned n = 1 + below(budget / (phases + 1) + 2); n-- > 0;) {
        Code& code = script_.threads[chance(8) ? 0 : 1 + below(threads)];
        append(code, 1);
      }
      if (phase == phases) break;
      const uint8_t at = static_cast<uint8_t>(barrier_ + below(meetings));
      for (std::size_t t = 1; t < script_.threads.size(); ++t) {
        if (!odd_ || !chance(10)) append_meeting(script_.threads[t], at, phase);
      }
      if (odd_ && chance(6)) append_meeting(script_.threads[0], at, phase);
    }
  }

  // The threads of a litmus test meet on their way.
  void append_meetings_to_cycle(unsigned meetings) {
    chance(4) ? append_litmus() : append_cycle();
    const auto at = static_cast<uint8_t>(barrier_ + below(meetings));
    for (std::size_t t = 1; t < script_.threads.size(); ++t) {
      Code& code = script_.threads[t];
      Code meeting;
      append_meeting(meeting, at, 0);
      std::size_t place = below(static_cast<unsigned>(code.size()) + 1);
      for (const Instruction& i : meeting) {
        insert_instruction(code, place, i);
        const bool later = !is_access_of_script(i) && chance(3);
        place += 1 + (later ? below(static_cast<unsigned>(code.size() - place)) : 0);
      }
    }
  }

  static bool is_access_of_script(const Instruction& i) { return i.op < ScriptOp::mark; }

  // Registers from 8 on hold phases.
  void append_meeting(Code& code, uint8_t at, unsigned phase) {
    Instruction arrive = make(ScriptOp::arrive);
    arrive.reg = static_cast<uint8_t>(8 + phase);
    arrive.location = at;
    arrive.constant = odd_ && chance(12) ? 2 : 1;
    arrive.assumed = odd_ && chance(12);
    Instruction leave = make(ScriptOp::leave);
    leave.location = at;
    leave.operand = {static_cast<int8_t>(arrive.reg), 0};
    if (odd_ && chance(12)) leave.operand = {-1, phase};
    if (!odd_ || !chance(12)) code.push_back(arrive);
    if (chance(4)) append(code, 1);
    if (!chance(8)) code.push_back(leave);
  }

  // Two or three accesses in each thread.
  void append_litmus() {
    for (std::size_t t = 1; t < script_.threads.size(); ++t) {
      const unsigned goal = accesses_ + 1 + (chance(6) ? 0 : 1) + (chance(3) ? 1 : 0);
      while (accesses_ < goal) append(script_.threads[t]);
    }
  }

  // A critical cycle, as the generators of litmus tests build them (Alglave et al., "Fences in weak memory models"):
  // from the last access of each thread an rf, co or rb edge leads to the first access of the next one. What models
  // forbid or allow, they forbid or allow by such cycles.
  void append_cycle() {
    const std::size_t n = script_.threads.size() - 1;
    if (chance(2)) strength_ = {0, 1, 1};  // where release and acquire meet sc is where RC11 is subtle
    std::vector<uint8_t> first(n);
    for (uint8_t& l : first) l = location();
    enum Edge { kRf, kCo, kRb };
    std::vector<unsigned> edge(n);  // into the first access of each thread
    for (unsigned& e : edge) e = below(3);
    for (std::size_t t = 0; t < n; ++t) {
      const std::size_t next = (t + 1) % n;
      const bool enter_reads = edge[t] == kRf;
      const bool leave_reads = edge[next] == kRb;
      if (first[t] == first[next] && chance(3)) {
        append_cycle_access(t, first[t], enter_reads || leave_reads, !enter_reads || !leave_reads);
        continue;
      }
      append_cycle_access(t, first[t], enter_reads, !enter_reads);
      append_cycle_fence(t);
      if (chance(4)) append_cycle_access(t, location(), chance(2), chance(2));
      append_cycle_access(t, first[next], leave_reads, !leave_reads);
    }
  }

  void append_cycle_access(std::size_t thread, uint8_t location, bool reads, bool writes) {
    Code& code = script_.threads[thread + 1];
    const bool both = (reads && writes) || chance(10);
    code.push_back(access(both ? ScriptOp::rmw : reads ? ScriptOp::load : ScriptOp::store, code));
    code.back().location = location;
  }

  void append_cycle_fence(std::size_t thread) {
    if (!chance(4)) return;
    script_.threads[thread + 1].push_back(make(ScriptOp::fence));
    script_.threads[thread + 1].back().mode = fence_mode();
  }

  void append_anything() {
    const unsigned budget = 2 + std::max(below(options_.accesses - 1), below(options_.accesses - 1));
    while (accesses_ < budget && pieces_ < 3 * budget) {
      // Main runs alone much of the time: few of the accesses go there.
      const std::size_t t = chance(8) ? 0 : 1 + below(static_cast<unsigned>(script_.threads.size()) - 1);
      append(script_.threads[t]);
    }
  }

  void append(Code& code, unsigned depth = 0) {
    ++pieces_;
    const unsigned piece = weighted(weights_);
    if (depth > 0 && piece >= kCritical) return append_access(code);
    switch (piece) {
      case kLoad: code.push_back(access(ScriptOp::load, code)); break;
      case kStore: code.push_back(access(ScriptOp::store, code)); break;
      case kRmw: code.push_back(access(ScriptOp::rmw, code)); break;
      case kCas: code.push_back(access(ScriptOp::cas, code)); break;
      case kFence:
        code.push_back(make(ScriptOp::fence));
        code.back().mode = fence_mode();
        break;
      case kAwaitLoad:
        code.push_back(access(ScriptOp::load, code));
        make_await(code.back());
        break;
      case kAwaitRmw:
        code.push_back(access(chance(2) ? ScriptOp::rmw : ScriptOp::cas, code));
        make_await(code.back());
        break;
      case kCritical: append_critical(code); break;
      case kTry: append_try(code); break;
      case kUnlock: code.push_back(mutex(ScriptOp::unlock)); break;
      case kChoose:
        code.push_back(make(ScriptOp::choose));
        code.back().constant = 2 + below(2);
        break;
      case kAssume: code.push_back(test(ScriptOp::assume, code)); break;
      case kConfirm: append_confirmation(code); break;
      case kRecheck: append_recheck(code); break;
      default: code.push_back(test(ScriptOp::check, code));
    }
  }

  void append_access(Code& code) { code.push_back(access(chance(2) ? ScriptOp::load : ScriptOp::store, code)); }

  void append_critical(Code& code) {
    code.push_back(mutex(ScriptOp::lock));
    for (unsigned n = below(3); n-- > 0;) append(code, 1);
    if (options_.only_c || !chance(6)) code.push_back(mutex(ScriptOp::unlock));
  }

  // As a queue of Michael and Scott does: what was read is read again, and replaced only if it is the same.
  void append_recheck(Code& code) {
    std::vector<Instruction> looks;
    for (unsigned n = 1 + below(2); n-- > 0;) {
      looks.push_back(access(ScriptOp::load, code));
      if (looks.back().mode == Mode::na) looks.back().mode = Mode::acq;
      looks.back().reg = static_cast<uint8_t>(looks.size() - 1);
      code.push_back(looks.back());
    }
    if (chance(2)) code.push_back(access(ScriptOp::load, code));
    if (chance(8)) append_access(code);
    for (unsigned n = 1 + below(2); n-- > 0;) {
      const Instruction& look = looks[below(static_cast<unsigned>(looks.size()))];
      Instruction again = access(n == 0 && !chance(3) ? ScriptOp::cas : ScriptOp::load, code);
      make_await(again);
      again.await = Await::equal;
      again.assumed = !chance(5);
      again.location = look.location;
      again.constant = 0;
      again.second_reg = static_cast<int8_t>(look.reg);
      if (again.op == ScriptOp::cas && !chance(4)) again.operand = {-1, 10 + pieces_};
      if (again.op == ScriptOp::load) again.reg = 3;
      code.push_back(again);
    }
  }

  // Mostly at once, and mostly with a value that nobody else writes.
  void append_confirmation(Code& code) {
    code.push_back(access(ScriptOp::load, code));
    if (code.back().mode == Mode::na) code.back().mode = Mode::acq;
    if (options_.awaits && chance(4)) make_await(code.back());
    const Instruction first = code.back();
    if (!confirming_ && chance(4)) code.push_back(chance(3) ? make(ScriptOp::fence) : access(ScriptOp::load, code));
    if (code.back().op == ScriptOp::fence) code.back().mode = fence_mode();
    Instruction cas = access(ScriptOp::cas, code);
    make_await(cas);
    cas.assumed = confirming_ || !chance(6);
    if (confirming_) cas.mode = first.mode == Mode::rlx ? rmw_mode() : first.mode == Mode::sc ? Mode::sc : Mode::acqrel;
    cas.location = first.location;
    cas.constant = 0;
    cas.second_reg = static_cast<int8_t>(first.reg);
    if (!chance(3)) cas.operand = {-1, 10 + pieces_};
    code.push_back(cas);
  }

  void append_try(Code& code) {
    code.push_back(mutex(ScriptOp::trylock));
    const std::size_t branch = code.size();
    code.push_back(make(ScriptOp::skip));
    code[branch].reg = code[branch - 1].reg;
    code[branch].equal = false;
    for (unsigned n = below(2); n-- > 0;) append(code, 1);
    code.push_back(mutex(ScriptOp::unlock));
    code[branch].length = static_cast<uint8_t>(code.size() - branch - 1);
  }

  // Has some thread create t and, mostly, join it. In C, main's return would end the threads that nobody joins.
  void insert_lifetime(std::size_t t) {
    const bool together = options_.meetings && !odd_;
    const std::size_t parent = chance(5) && !together ? below(static_cast<unsigned>(t)) : 0;
    Code& code = script_.threads[parent];
    Instruction create = make(ScriptOp::create);
    create.thread = static_cast<uint8_t>(t);
    const unsigned size = static_cast<unsigned>(code.size());
    const bool outermost = together || (options_.only_c && has_branch(code));
    const std::size_t at = outermost || chance(2) ? 0 : below(size + 1);
    insert_instruction(code, at, create);
    if (!options_.only_c && chance(5)) return;
    Instruction join = create;
    join.op = ScriptOp::join;
    const bool last = outermost || chance(2);
    insert_instruction(code, last ? size + 1 : at + 1 + below(size + 1 - static_cast<unsigned>(at)), join);
  }

  // Gives some threads the code of the one before; at least one of them.
  void copy_threads() {
    auto& threads = script_.threads;
    if (!litmus_) {
      for (std::size_t t = 1; t < threads.size(); ++t) insert_skips(threads[t]);
    }
    if (threads.size() < 3) threads.push_back({});
    for (std::size_t t = 2; t < threads.size(); ++t) {
      if (chance(2)) threads[t] = threads[t - 1];
    }
    const std::size_t t = 2 + below(static_cast<unsigned>(threads.size()) - 2);
    threads[t] = threads[t - 1];
  }

  // Main creates all threads in a row, and mostly joins all in a row.
  void insert_lifetimes() {
    Code& code = script_.threads[0];
    const std::size_t at = chance(2) ? 0 : below(static_cast<unsigned>(code.size()) + 1);
    const std::size_t rest = code.size() - at;
    const auto n = script_.threads.size() - 1;
    for (std::size_t t = n; t >= 1; --t) insert_instruction(code, at, lifetime(ScriptOp::create, t));
    if (chance(5)) return;
    const std::size_t end = at + n + (chance(2) ? rest : below(static_cast<unsigned>(rest) + 1));
    for (std::size_t t = n; t >= 1; --t) insert_instruction(code, end, lifetime(ScriptOp::join, t));
  }

  Instruction lifetime(ScriptOp op, std::size_t t) {
    Instruction i = make(op);
    i.thread = static_cast<uint8_t>(t);
    return i;
  }

  static bool has_branch(const Code& code) {
    return std::any_of(code.begin(), code.end(), [](const Instruction& i) { return i.op == ScriptOp::skip; });
  }

  // A branch may lead around a create to its join: then nobody joins.
  void remove_bad_joins() {
    for (Code& code : script_.threads) {
      for (std::size_t pc = code.size(); pc-- > 0 && !problem(script_).empty();) {
        if (code[pc].op == ScriptOp::join) erase_instruction(code, pc);
      }
    }
  }

  void insert_skips(Code& code) {
    for (unsigned n = below(3); n-- > 0 && code.size() >= 2;) {
      const std::size_t at = below(static_cast<unsigned>(code.size()));
      const Code before(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at));
      Instruction skip = test(ScriptOp::skip, before);
      skip.length = static_cast<uint8_t>(1 + below(std::min(3u, static_cast<unsigned>(code.size() - at))));
      const Code old = code;
      insert_instruction(code, at, skip);
      if (!problem(script_).empty() || (options_.only_c && leads_out_of_critical(code, at))) code = old;
    }
  }

  // A branch may not leave out one half of a lock and unlock, or of a create and join.
  static bool leads_out_of_critical(const Code& code, std::size_t at) {
    return std::any_of(code.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                       code.begin() + static_cast<std::ptrdiff_t>(at + 1 + code[at].length), [](const Instruction& i) {
                         return i.op == ScriptOp::lock || i.op == ScriptOp::unlock || i.op == ScriptOp::trylock ||
                                i.op == ScriptOp::skip || i.op == ScriptOp::create || i.op == ScriptOp::join;
                       });
  }

  std::mt19937_64 random_;
  GenerateOptions options_;
  Script script_;
  std::array<unsigned, kPieces> weights_{};
  std::array<unsigned, 3> strength_{};
  bool confirming_ = false;
  bool waiting_ = false;  // few locations, rmws that commute, awaits
  bool litmus_ = false;   // few accesses, no control flow: the shapes of the classical litmus tests
  bool plain_ = false;
  unsigned mutex_ = 0;
  unsigned barrier_ = 0;
  bool odd_ = false;  // some threads do not meet as the others do
  unsigned accesses_ = 0;
  unsigned accesses_to_mutex_ = 0;
  unsigned pieces_ = 0;
};

}  // namespace

Script generate(uint64_t seed, const GenerateOptions& options) { return Generator(seed, options).run(); }

}  // namespace heddle::differential
