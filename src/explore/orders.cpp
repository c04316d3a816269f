#include "explore/orders.hpp"

#include <algorithm>
#include <chrono>

namespace heddle {
namespace {

// The orders that a place can have, weakest first.
std::vector<Mode> orders_of(OrderPart part) {
  switch (part) {
    case OrderPart::load:
    case OrderPart::cas_failure: return {Mode::rlx, Mode::acq, Mode::sc};
    case OrderPart::store: return {Mode::rlx, Mode::rel, Mode::sc};
    default: return {Mode::rlx, Mode::acq, Mode::rel, Mode::acqrel, Mode::sc};
  }
}

bool is_weaker(Mode a, Mode b) {
  return a != b && (!is_acquire(a) || is_acquire(b)) && (!is_release(a) || is_release(b)) && (!is_sc(a) || is_sc(b)) &&
         (is_acquire(b) || is_release(b));
}

// Looks at the test with other orders.
class Trial {
 public:
  Trial(OrderedMachine& machine, Request request, double seconds)
      : machine_(machine), request_(request), end_(SteadyClock::now() + to_duration(seconds)), limited_(seconds > 0) {
    request_.keep_going = false;
    request_.jobs = 1;  // what a copy of the process learns of places would be lost
    request_.observer = nullptr;
  }
  ~Trial() { machine_.set({}); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  const Result& run(std::span<const OrderChange> changes) {
    machine_.set(changes);
    Request request = request_;
    if (limited_) {
      const double left = std::chrono::duration<double>(end_ - SteadyClock::now()).count();
      request.time_limit = std::max(left, 1e-3);
    }
    return result_ = explore(machine_, request);
  }
  bool has_time() const { return !limited_ || SteadyClock::now() < end_; }

 private:
  static SteadyClock::duration to_duration(double seconds) {
    return std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(seconds));
  }

  OrderedMachine& machine_;
  Request request_;
  const SteadyClock::time_point end_;
  const bool limited_;
  Result result_;
};

// Everything that could help at one place, the gentlest first.
std::vector<OrderChange> stronger_ones(const OrderPlace& place, std::size_t number) {
  std::vector<OrderChange> changes;
  for (const Mode mode : orders_of(place.part)) {
    if (is_weaker(place.mode, mode)) changes.push_back({.place = number, .mode = mode});
  }
  return changes;
}

class RemedySearch {
 public:
  RemedySearch(OrderedMachine& machine, const Request& request, double seconds)
      : machine_(machine), trial_(machine, request, seconds) {}

  Remedy run() {
    const Result& as_it_is = trial_.run({});
    if (as_it_is.findings.empty()) return {};
    error_ = as_it_is.findings[0].error;
    const std::vector<OrderChange> strongest = with_all([&](std::size_t i) { return strongest_of(i); });
    const bool orders_help = is_verified_;
    const bool in_spite_of_orders = is_same_error_;
    if (orders_help) {
      if (Remedy remedy = of_one_or_two(all_orders()); remedy.kind == Remedy::Kind::found) return remedy;
    }
    // A fence before an access does what no order of the access can do.
    const std::vector<OrderChange> fences = with_all([&](std::size_t i) { return fence_before(i); });
    const bool fences_help = is_verified_;
    if (!orders_help && !fences_help)
      return {in_spite_of_orders && is_same_error_ && !machine_.has_others() ? Remedy::Kind::none_helps
                                                                             : Remedy::Kind::unknown,
              {}};
    if (fences_help) {
      if (Remedy remedy = of_one_or_two(fences); remedy.kind == Remedy::Kind::found) return remedy;
    }
    return reduced(orders_help ? strongest : fences);
  }

 private:
  const std::vector<OrderPlace>& places() const { return machine_.places(); }

  bool verifies(std::span<const OrderChange> changes) {
    const Result& result = trial_.run(changes);
    is_same_error_ = !result.findings.empty() && result.findings[0].error.kind == error_.kind &&
                     result.findings[0].error.site == error_.site;
    return is_verified_ = goes_right(result);
  }

  std::optional<OrderChange> strongest_of(std::size_t i) const {
    const auto stronger = stronger_ones(places()[i], i);
    return stronger.empty() ? std::nullopt : std::optional(stronger.back());
  }
  std::optional<OrderChange> fence_before(std::size_t i) const {
    const OrderPart part = places()[i].part;
    if (part != OrderPart::load && part != OrderPart::store) return std::nullopt;
    return OrderChange{.place = i, .fence_before = true};
  }
  std::vector<OrderChange> all_orders() const {
    std::vector<OrderChange> all;
    for (std::size_t i = 0; i < places().size(); ++i) {
      for (const OrderChange& c : stronger_ones(places()[i], i)) all.push_back(c);
    }
    std::ranges::stable_sort(all, {}, [](const OrderChange& c) { return is_sc(c.mode); });
    return all;
  }

  // The change at all places. As the test gets further than before, there may be more of them.
  template <class Change>
  std::vector<OrderChange> with_all(const Change& change) {
    for (;;) {
      const std::size_t known = places().size();
      std::vector<OrderChange> all;
      for (std::size_t i = 0; i < known; ++i) {
        if (const std::optional<OrderChange> c = change(i)) all.push_back(*c);
      }
      verifies(all);
      if (places().size() == known) return all;
    }
  }

  Remedy of_one_or_two(const std::vector<OrderChange>& changes) {
    for (const OrderChange& c : changes) {
      if (!trial_.has_time()) return {};
      if (verifies({&c, 1})) return {Remedy::Kind::found, {c}};
    }
    for (std::size_t i = 0; i < changes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (changes[i].place == changes[j].place) continue;
        if (!trial_.has_time()) return {};
        const OrderChange pair[] = {changes[j], changes[i]};
        if (verifies(pair)) return {Remedy::Kind::found, {pair[0], pair[1]}};
      }
    }
    return {};
  }

  // Takes back what is not needed, then weakens what is.
  Remedy reduced(std::vector<OrderChange> all) {
    for (std::size_t i = 0; i < all.size();) {
      if (!trial_.has_time()) return {};
      std::vector<OrderChange> fewer = all;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (verifies(fewer)) {
        all = std::move(fewer);
      } else {
        ++i;
      }
    }
    for (OrderChange& c : all) {
      if (c.fence_before) continue;
      const Mode strongest = c.mode;
      for (const OrderChange& gentler : stronger_ones(places()[c.place], c.place)) {
        if (!trial_.has_time()) return {};
        c.mode = gentler.mode;
        if (c.mode == strongest || verifies(all)) break;
      }
    }
    return {Remedy::Kind::found, std::move(all)};
  }

  const OrderedMachine& machine_;
  Trial trial_;
  bool is_verified_ = false;  // of the last trial
  bool is_same_error_ = false;
  Error error_;  // of the test as it is
};

}  // namespace

std::vector<OrderNeed> find_needs(OrderedMachine& machine, const Request& request) {
  const std::vector<OrderPlace> places = machine.places();
  Trial trial(machine, request, 0);
  std::vector<OrderNeed> needs;
  for (std::size_t i = 0; i < places.size(); ++i) {
    OrderNeed need{.place = i, .enough = places[i].mode, .bug = {}};
    for (const Mode mode : orders_of(places[i].part)) {
      if (!is_weaker(mode, places[i].mode)) continue;
      const OrderChange change{.place = i, .mode = mode};
      const Result& result = trial.run({&change, 1});
      if (!result.findings.empty()) {
        need.bug = result.findings[0].error;
      } else if (goes_right(result)) {
        need.enough = mode;
        break;
      } else {
        need.known = false;
      }
    }
    needs.push_back(std::move(need));
  }
  return needs;
}

Remedy find_remedy(OrderedMachine& machine, const Request& request, double seconds) {
  return RemedySearch(machine, request, seconds).run();
}

}  // namespace heddle
