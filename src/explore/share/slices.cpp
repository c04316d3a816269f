#include "explore/share/slices.hpp"

#include <time.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "core/assert.hpp"
#include "core/stop.hpp"

namespace heddle {
namespace {

// Milliseconds between two reports. The first ones come soon: a process that dies again and again still gets on.
constexpr int64_t kFirst = 50;
constexpr int64_t kSlice = 1000;
// Of these, the oldest ones, others get a share.
constexpr std::size_t kShared = 64;

// Cheap enough to be asked before each choice.
int64_t milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

}  // namespace

bool is_cut_off(const Result& result) {
  return std::ranges::any_of(result.limits, [](const LimitHit& h) {
    return h.limit == Limit::time || h.limit == Limit::memory || h.limit == Limit::interrupted;
  });
}

bool is_plain(const Result& result) {
  const auto ends = [](const LimitHit& hit) { return hit.limit == Limit::steps; };  // wherever it is met first
  return result.findings.empty() && std::ranges::none_of(result.broken, &Broken::ends) &&
         std::ranges::none_of(result.limits, ends);
}

void Slices::run() {
  while (!in_trouble_ && !stopped_) {
    const std::optional<Work> work = queue_.claim();
    if (!work) return;
    explore(*work);
    // What it has learnt is not heard, and cannot all be forgotten: a new copy takes its place.
    if (lost_ && machine_.settings() != settings_) return;
  }
}

void Slices::explore(const Work& work) {
  token_ = work.token;
  number_ = 0;
  version_ = work.version;
  settings_ = work.settings;
  pending_ = bundle_of(work.bundle);
  done_ = reported_ = {};
  told_.clear();
  lost_ = false;
  last_ = milliseconds();
  interval_ = kFirst;
  next_ = last_ + interval_;
  if (machine_.settings() != settings_) machine_.set_settings(settings_);
  while (!pending_.empty()) {
    report_if_due();
    if (is_over()) return;
    const std::string item = std::move(pending_.back());
    pending_.pop_back();
    const std::optional<Result> result = explored(item);
    if (is_over()) return;
    if (is_broken(*result, Assumption::suppressed) || !machine_.suppressed().empty()) return tell_trouble(kSuppressed);
    if (!is_plain(*result)) return tell_trouble("");
    add(done_, part_of(*result));
  }
  report(done_, {}, {});
}

// Between two items.
void Slices::report_if_due() {
  try {
    if (wants_all()) look({}, {});
  } catch (const Stopped&) {
  }
}

std::optional<Result> Slices::explored(const std::string& item) {
  Request mine = request_;
  mine.sharing = this;
  mine.work = item;
  mine.time_limit = 0;  // the process that began the exploration looks at the clock
  try {
    return explore_once_(mine);
  } catch (const std::exception& e) {
    tell_trouble(e.what());
    return std::nullopt;
  }
}

bool Slices::wants_all() {
  const int64_t now = milliseconds();
  if (now >= next_ || wishes_.stop.load(std::memory_order_relaxed)) [[unlikely]]
    return true;
  return wishes_.hungry.load(std::memory_order_relaxed) != 0 && now - last_ >= worth_;
}

std::vector<bool> Slices::look(const Result& so_far, std::vector<std::string> rest) {
  if (!is_plain(so_far)) {
    tell_trouble("");
    throw Stopped();
  }
  Bundle all = pending_;
  all.insert(all.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  std::vector<bool> taken(all.size());
  const std::vector<std::string> given = deal(all, taken);
  Bundle mine;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!taken[i]) mine.push_back(all[i]);
  }
  Part now = done_;
  add(now, part_of(so_far));
  if (!all.empty() && !report(now, mine, given)) throw Stopped();
  if (wishes_.stop && !all.empty()) {
    stopped_ = true;
    throw Stopped();
  }
  // Of the items that have not begun, some may be given away.
  const std::size_t waiting = pending_.size();
  for (std::size_t i = waiting; i-- > 0;) {
    if (taken[i]) pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  taken.erase(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(waiting));
  return taken;
}

// Each of the hungry ones gets a bundle, and as much stays: by turns, because the older an item is the more there is to
// do in it.
std::vector<std::string> Slices::deal(const Bundle& all, std::vector<bool>& taken) const {
  const std::size_t dealt = std::min(all.size(), kShared);
  const std::size_t hungry = std::min<std::size_t>(wishes_.hungry, dealt == 0 ? 0 : dealt - 1);
  if (hungry == 0 || wishes_.stop) return {};
  std::vector<Bundle> bundles(hungry);
  for (std::size_t i = 0; i < dealt; ++i) {
    if (i % (hungry + 1) == hungry) continue;
    bundles[i % (hungry + 1)].push_back(all[i]);
    taken[i] = true;
  }
  HEDDLE_ASSERT(std::ranges::none_of(bundles, &Bundle::empty));
  HEDDLE_ASSERT(std::ranges::count(taken, false) > 0);  // something stays
  std::vector<std::string> given;
  for (const Bundle& bundle : bundles) given.push_back(bytes_of(bundle));
  return given;
}

bool Slices::report(const Part& now, const Bundle& rest, const std::vector<std::string>& given) {
  std::string learnt = machine_.settings();
  if (learnt == settings_) learnt.clear();
  const Report report{.token = token_,
                      .number = ++number_,
                      .part = difference(now, reported_),
                      .rest = rest.empty() ? "" : bytes_of(rest),
                      .given = given,
                      .told = std::exchange(told_, {}),
                      .learnt = learnt,
                      .version = version_};
  lost_ = !queue_.report(report);
  if (lost_) return false;
  reported_ = now;
  if (!learnt.empty()) {
    settings_ = std::move(learnt);
    ++version_;
  }
  last_ = milliseconds();
  interval_ = std::min(kSlice, 2 * interval_);
  next_ = last_ + interval_;
  return true;
}

void Slices::tell_trouble(const std::string& message) {
  in_trouble_ = true;
  queue_.tell_trouble(token_, message);
}

}  // namespace heddle
