#include "native/suppress.hpp"

#include <algorithm>

#include "native/names.hpp"

namespace heddle::suppress {

State state;

namespace {

int first_match(const auto& matches) {
  const auto& all = rt.options.suppressions;
  const auto it = std::ranges::find_if(all, matches);
  return it == all.end() ? -1 : static_cast<int>(it - all.begin());
}

}  // namespace

void begin() {
  end();
  if (any()) rt.shown.assign(rt.image->sites.size(), 0);
}

void end() {
  state = {};
  rt.shows_some = false;
  rt.shown.clear();
}

int suppression(const Race& race) {
  if (!any()) return -1;
  HostScope scope;
  const auto [a, b] = std::minmax(race.site, race.other);
  const auto [site, new_site] = state.by_site.try_emplace({a, b}, -1);
  const SiteTable& sites = rt.image->sites;
  if (new_site)
    site->second = first_match([&](const Suppression& s) { return s.matches(sites, a) || s.matches(sites, b); });
  if (site->second >= 0) return site->second;
  const auto by_name = [&] {
    const std::string variable = names::variable(race.address);
    return first_match([&](const Suppression& s) { return s.matches(variable); });
  };
  if (!region::in_image(race.address)) return by_name();  // in another execution something else may be there
  const auto [place, is_new] = state.by_address.try_emplace({a, b, race.address}, -1);
  if (is_new) place->second = by_name();
  return place->second;
}

void note(const Race& race, int suppression) {
  HEDDLE_ASSERT(suppression >= 0 && static_cast<std::size_t>(suppression) < rt.options.suppressions.size());
  if (rt.made_up) return;
  HostScope scope;
  const auto [a, b] = std::minmax(race.site, race.other);
  const auto same = [&](const SuppressedRace& r) { return r.site == a && r.other_site == b; };
  auto it = std::ranges::find_if(state.met, same);
  if (it == state.met.end()) {
    state.met.push_back({a, b, names::describe(race.address), rt.options.suppressions[suppression], 0});
    it = state.met.end() - 1;
  }
  ++it->count;
}

bool show(const Race& race) {
  bool all = true;
  for (const SiteId site : {race.site, race.other}) {
    HEDDLE_ASSERT(index(site) < rt.shown.size());
    uint8_t& shown = rt.shown[index(site)];
    all = all && shown != 0;
    shown = 1;
  }
  if (!all) state.show_more = true;
  return all;
}

}  // namespace heddle::suppress
