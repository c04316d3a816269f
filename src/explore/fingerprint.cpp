#include "explore/fingerprint.hpp"

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

uint64_t name_of(const Graph& g, EventId e) {
  return e == kInit ? 0 : (static_cast<uint64_t>(index(g[e].thread)) << 32) | g[e].po;
}

}  // namespace

Fingerprint fingerprint(const Graph& g, bool with_co) {
  Fingerprint f;
  for (std::size_t t = 0; t < g.thread_count(); ++t) {
    const auto thread = g.thread(ThreadId(t));
    if (thread.empty()) continue;  // an earlier graph may have had more threads
    add(f, (static_cast<uint64_t>(t) << 32) | thread.size());
    for (const EventId id : thread) {
      const Event& e = g[id];
      if (e.is_read()) add(f, name_of(g, e.rf));
      if (e.is_write() && with_co) add(f, e.co);
      if (e.kind == EventKind::choice) add(f, e.value.lo);
    }
  }
  return f;
}

}  // namespace heddle
