#include "explore/rcmc/fingerprint.hpp"

#include <algorithm>
#include <vector>

namespace heddle {
namespace {

uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

void add(Fingerprint& f, uint64_t x) {
  f.low = mix(f.low ^ x);
  f.high = mix(f.high * 0x9e3779b97f4a7c15u + x);
}

}  // namespace

Fingerprint fingerprint(const Graph& g, const ThreadPaths& paths, bool with_co) {
  std::vector<std::pair<ThreadPath, ThreadId>> threads;
  for (std::size_t t = 0; t < g.thread_count(); ++t) {
    if (!g.thread(ThreadId(t)).empty()) threads.emplace_back(paths.path(ThreadId(t)), ThreadId(t));
  }
  std::ranges::sort(threads);
  Fingerprint f;
  const auto add_name = [&](EventId e) {
    add(f, e == kInit ? 0 : static_cast<uint64_t>(paths.path(g[e].thread)));
    add(f, e == kInit ? 0 : g[e].po);
  };
  for (const auto& [path, t] : threads) {
    add(f, static_cast<uint64_t>(path));
    add(f, g.thread(t).size());
    for (const EventId id : g.thread(t)) {
      const Event& e = g[id];
      if (e.is_read()) add_name(e.rf);
      if (e.is_write() && with_co) add(f, e.co);
      if (e.kind == EventKind::choice) add(f, e.value.lo);
    }
  }
  return f;
}

}  // namespace heddle
