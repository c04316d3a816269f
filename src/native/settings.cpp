// What the native machine assumes, and has learnt of the program: as bytes for other processes, and as a hash of all
// that an item of work depends on.
#include <algorithm>
#include <utility>

#include "core/bytes.hpp"
#include "core/hash.hpp"
#include "native/native.hpp"
#include "native/suppress.hpp"

namespace heddle {
namespace {

// Settings of each place, mostly the same: how many of them, and which, again and again.
template <typename List>
void write_runs(ByteWriter& out, const List& list) {
  out.number(list.size());
  for (std::size_t i = 0; i < list.size();) {
    std::size_t end = i + 1;
    while (end < list.size() && list[end] == list[i]) ++end;
    out.number(end - i);
    out.number(static_cast<uint64_t>(list[i]));
    i = end;
  }
}
template <typename List>
void read_runs(ByteReader& in, std::size_t most, uint64_t bound, List& list) {
  list.clear();
  const uint64_t size = in.number(most + 1);
  while (list.size() < size) {
    const uint64_t run = in.number(size - list.size() + 1);
    if (run == 0) throw std::runtime_error("a number is out of range");
    list.insert(list.end(), run, static_cast<typename List::value_type>(in.number(bound)));
  }
}

// Whether rounds are left out that take back what they have added: there must be some. Time that passes in one is a
// change, where clocks are read.
bool assumes_undone() { return !rt.follows_undone && rt.image->uses.undone_rounds && !rt.image->uses.clocks; }

// Likewise, of any kind.
bool assumes_taken_back(const Assumptions& asked) { return asked.taken_back && !rt.image->uses.clocks; }

// What an exploration has met. Another one begins.
void forget_what_was_met(const Assumptions& assumed) {
  suppress::state.met.clear();
  rt.left_out.clear();
  rt.taken_back = assumed.taken_back;
  rt.kept_places.assign(assumed.kept.begin(), assumed.kept.end());
  const bool losses = assumed.left_out == LeftOut::ordered || assumed.left_out == LeftOut::watched;
  rt.watches_rounds = losses || !assumed.taken.empty();
  rt.watches_waits = assumed.left_out == LeftOut::watched;
  rt.shows_rounds = assumed.left_out == LeftOut::shown;
  cell::note_losses(assumed.looks != Looks::open, losses);
}

template <class List>
void write_addresses(ByteWriter& out, const List& list) {
  out.number(list.size());
  for (const Address a : list) out.number(a);
}
template <class List>
void read_addresses(ByteReader& in, List& list) {
  list.resize(in.count());
  for (Address& a : list) a = in.number();
}

}  // namespace

uint64_t NativeMachine::rules() const {
  const NativeOptions& o = rt.options;
  Hash hash;
  hash.add(o.races_ignore)
      .add(o.spurious_cas)
      .add(o.timeouts)
      .add(o.spurious_wakeups)
      .add(o.nondet_bound)
      .add(o.step_limit)
      .add(o.spin_limit);
  hash.add(o.symmetry).add(o.find_twins).add(o.helping);
  for (const Suppression& s : o.suppressions) hash.add(s.pattern);
  hash.add(image_.sites.size()).add(address(image_.main));
  for (const Image::Global& g : image_.globals) hash.add(g.name).add(g.address).add(g.size);
  for (const Image::Function& f : image_.functions) hash.add(f.name).add(f.address);
  hash.add(std::string_view(reinterpret_cast<const char*>(initial_.data()), initial_.size()));
  return hash.value();
}

std::string NativeMachine::settings() const {
  ByteWriter out;
  for (const bool on : {rt.shows_all, rt.options.find_twins, rt.follows_first_tries, rt.follows_undone, rt.shows_some,
                        rt.own, rt.arrivals, assumed_.rounds.ends})
    out.number(on);
  write_runs(out, rt.rounds);
  write_runs(out, rt.spins);
  write_runs(out, rt.shown);
  out.number(static_cast<uint64_t>(rt.passing));
  out.number(static_cast<uint64_t>(assumed_.looks));
  out.number(static_cast<uint64_t>(assumed_.left_out));
  out.number(assumed_.taken_back);
  write_addresses(out, assumed_.rewritten);
  write_addresses(out, assumed_.taken);
  write_addresses(out, assumed_.met);
  out.number(assumed_.kept.size());
  for (const RestingPlace& p : assumed_.kept) {
    out.number(p.place);
    out.number(p.rest);
  }
  write_addresses(out, rt.passed);
  write_addresses(out, rt.tried);
  // In the order of their numbers, on which some addresses and values depend (parking.hpp).
  out.number(rt.known_threads);
  for (std::size_t t = 1; t < rt.known_threads; ++t) out.number(static_cast<uint64_t>(path(ThreadId(t))));
  return out.bytes();
}
void NativeMachine::set_settings(std::string_view settings) {
  ByteReader in(settings);
  Assumptions assumed;
  for (bool* on : {&rt.shows_all, &rt.options.find_twins, &rt.follows_first_tries, &rt.follows_undone, &rt.shows_some,
                   &rt.own, &rt.arrivals, &assumed.rounds.ends})
    *on = in.flag();
  const std::size_t places = image_.sites.size();
  read_runs(in, places, uint64_t{1} << 32, rt.rounds);
  read_runs(in, places, static_cast<uint64_t>(Spinning::mixed) + 1, rt.spins);
  read_runs(in, places, 2, rt.shown);
  const bool all = rt.rounds.size() == places && rt.spins.size() == places;
  const std::size_t shown = suppress::any() ? places : 0;
  rt.passing = static_cast<Passing>(in.number(static_cast<uint64_t>(Passing::seen) + 1));
  assumed.looks = static_cast<Looks>(in.number(static_cast<uint64_t>(Looks::open) + 1));
  assumed.left_out = static_cast<LeftOut>(in.number(static_cast<uint64_t>(LeftOut::shown) + 1));
  assumed.taken_back = in.flag();
  read_addresses(in, assumed.rewritten);
  read_addresses(in, assumed.taken);
  read_addresses(in, assumed.met);
  assumed.kept.resize(in.count());
  for (RestingPlace& p : assumed.kept) {
    p.place = in.number();
    p.rest = static_cast<uint32_t>(in.number(uint64_t{1} << 32));
  }
  read_addresses(in, rt.passed);
  read_addresses(in, rt.tried);
  const uint64_t threads = in.number(region::kMaxThreads + 1);
  for (std::size_t t = 1; t < threads; ++t) {
    if (thread_at(ThreadPath(in.number())) != ThreadId(t)) throw std::runtime_error("threads have other numbers here");
  }
  if (!all || rt.shown.size() != shown || !in.at_end())
    throw std::runtime_error("these are settings of another program");
  assumed.twins = rt.options.find_twins;
  assumed.plain = !rt.shows_all;
  assumed.spins = std::ranges::any_of(rt.spins, [](Spinning s) { return s != Spinning::followed; });
  assumed.passing = rt.passing;
  assumed.own = rt.own;
  assumed.arrivals = rt.arrivals;
  assumed.undone = assumes_undone();
  assumed.orders = !rt.follows_first_tries;
  assumed_ = assumed;
  rt.sees_passing = rt.sees_own = rt.sees_arrivals = false;
  forget_what_was_met(assumed_);
}

// Twins, plain accesses, spins and places of suppressed races that have turned out not to be as assumed stay dropped as
// long as the machine lives. Passing and rounds are what is asked.
void NativeMachine::assume(const Assumptions& asked) {
  const Assumptions before = std::exchange(assumed_, asked);
  rt.options.find_twins = assumed_.twins = asked.twins && before.twins && !reads_clocks();  // twins may see other times
  if (!looks()) assumed_.looks = Looks::open;
  if (!image_.uses.waiting_loops) assumed_.left_out = LeftOut::harmless;
  rt.shows_all = !(assumed_.plain = asked.plain && before.plain);
  rt.follows_first_tries = !(assumed_.orders = asked.orders && before.orders);
  rt.follows_undone = !asked.undone;
  assumed_.undone = assumes_undone();
  assumed_.taken_back = assumes_taken_back(asked);

  rt.rounds.assign(image_.sites.size(), asked.rounds.most);
  for (const auto& [site, most] : asked.rounds.at) rt.rounds[index(site)] = most;

  if (asked.spins != before.spins)
    rt.spins.assign(image_.sites.size(), asked.spins ? Spinning::unknown : Spinning::followed);
  std::ranges::replace(rt.spins, Spinning::mixed, Spinning::followed);

  HEDDLE_ASSERT(rt.spins.size() == image_.sites.size());
  HEDDLE_ASSERT(rt.shown.size() == (suppress::any() ? image_.sites.size() : 0));
  rt.shows_some = std::ranges::find(rt.shown, 1) != rt.shown.end();
  suppress::state.show_more = false;

  if (asked.passing < before.passing) {
    rt.passed.clear();
    rt.tried.clear();
  }
  rt.passing = asked.passing;
  rt.own = asked.own;
  rt.arrivals = assumed_.arrivals = asked.arrivals && !reads_clocks();  // a clock tells who has arrived before
  rt.sees_passing = rt.sees_own = rt.sees_arrivals = false;
  forget_what_was_met(assumed_);
}

std::vector<FollowedLoop> NativeMachine::followed() const {
  std::vector<FollowedLoop> all;
  for (std::size_t i = 0; i < rt.followed.size(); ++i) {
    if (rt.followed[i] != kNoSite) all.push_back({SiteId(i), rt.followed[i]});
  }
  return all;
}

std::vector<Broken> NativeMachine::broken() const {
  std::vector<Broken> all;
  if (std::ranges::find(rt.spins, Spinning::mixed) != rt.spins.end()) all.push_back({Assumption::spins});
  if (suppress::state.show_more) all.push_back({Assumption::suppressed});
  if (rt.sees_passing) all.push_back({Assumption::passing});
  if (rt.sees_own) all.push_back({Assumption::own});
  if (rt.sees_arrivals) all.push_back({Assumption::arrivals});
  return all;
}

}  // namespace heddle
