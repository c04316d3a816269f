#include "explore/share/work_queue.hpp"

#include <algorithm>
#include <tuple>

#include "core/add_once.hpp"
#include "core/assert.hpp"
#include "core/bytes.hpp"

namespace heddle {
namespace {

enum class Mark : uint8_t { broken, limit, note, promise, followed };

constexpr uint64_t kAnySite = uint64_t{1} << 32;

std::string mark(Mark kind, uint64_t a, uint64_t b = 0, uint64_t c = 0, std::string_view text = {}) {
  ByteWriter out;
  out.number(static_cast<uint64_t>(kind));
  for (const uint64_t n : {a, b, c}) out.number(n);
  out.text(text);
  return out.bytes();
}

void add_mark(Result& result, const std::string& bytes) {
  ByteReader in(bytes);
  const auto kind = static_cast<Mark>(in.number(static_cast<uint64_t>(Mark::followed) + 1));
  const uint64_t a = in.number();
  const auto b = static_cast<uint32_t>(in.number(kAnySite));
  const auto c = static_cast<uint32_t>(in.number(kAnySite));
  std::string text = in.text();
  switch (kind) {
    case Mark::broken:
      if (a >= kAssumptions) throw std::runtime_error("there is no such assumption");
      result.broken.push_back({static_cast<Assumption>(a), SiteId(b), std::move(text), c != 0});
      break;
    case Mark::limit:
      if (a > static_cast<uint64_t>(kLastLimit)) throw std::runtime_error("there is no such limit");
      result.limits.push_back({static_cast<Limit>(a), SiteId(b), c});
      break;
    case Mark::note: result.notes.push_back(std::move(text)); break;
    case Mark::promise:
      result.promises.push_back({static_cast<Promise::What>(b / 2 % Promise::kWhats), b % 2 != 0, a, c,
                                 static_cast<uint32_t>(b / 2 / Promise::kWhats)});
      break;
    case Mark::followed: add_followed(result.followed, {SiteId(b), SiteId(c)}); break;
  }
}

std::string bytes_of(const Unusual& u) {
  ByteWriter out;
  out.number(u.threads);
  out.number(u.unjoined.size());
  for (const std::string& name : u.unjoined) out.text(name);
  out.number(u.leaked_blocks);
  out.number(u.leaked_bytes);
  out.number(index(u.leaked_at));
  return out.bytes();
}

Unusual unusual_of(const std::string& bytes) {
  ByteReader in(bytes);
  Unusual u;
  u.threads = in.number();
  u.unjoined.resize(in.count());
  for (std::string& name : u.unjoined) name = in.text();
  u.leaked_blocks = in.number();
  u.leaked_bytes = in.number();
  u.leaked_at = SiteId(static_cast<uint32_t>(in.number(kAnySite)));
  return u;
}

}  // namespace

Part part_of(const Result& result) {
  Part part{result.executions, result.blocked, result.duplicates, result.events, {}, {}};
  for (const Broken& b : result.broken)
    part.marks.push_back(mark(Mark::broken, static_cast<uint64_t>(b.what), index(b.site), b.ends, b.why));
  for (const LimitHit& hit : result.limits)
    part.marks.push_back(mark(Mark::limit, static_cast<uint64_t>(hit.limit), index(hit.site), hit.tried));
  for (const Promise& p : result.promises)
    part.marks.push_back(mark(Mark::promise, p.start,
                              2 * (p.code * Promise::kWhats + static_cast<uint64_t>(p.what)) + (p.broken ? 1 : 0),
                              std::min(p.length, kAnySite - 1)));
  for (const FollowedLoop& f : result.followed)
    part.marks.push_back(mark(Mark::followed, 0, index(f.loop), index(f.change)));
  for (const std::string& note : result.notes) part.marks.push_back(mark(Mark::note, 0, 0, 0, note));
  if (result.unusual) part.unusual = bytes_of(*result.unusual);
  return part;
}

void add(Part& all, const Part& part) {
  all.executions += part.executions;
  all.blocked += part.blocked;
  all.duplicates += part.duplicates;
  all.events += part.events;
  for (const std::string& m : part.marks) add_once(all.marks, m);
  if (all.unusual.empty()) all.unusual = part.unusual;
}

Part difference(const Part& now, const Part& before) {
  HEDDLE_ASSERT(now.executions >= before.executions && now.blocked >= before.blocked);
  HEDDLE_ASSERT(now.duplicates >= before.duplicates && now.events >= before.events);
  Part part = now;
  part.executions -= before.executions;
  part.blocked -= before.blocked;
  part.duplicates -= before.duplicates;
  part.events -= before.events;
  std::erase_if(part.marks,
                [&](const std::string& m) { return std::ranges::find(before.marks, m) != before.marks.end(); });
  if (!before.unusual.empty()) part.unusual.clear();
  return part;
}

Result result_of(const Part& part, std::vector<Finding> findings) {
  Result result;
  result.executions = part.executions;
  result.blocked = part.blocked;
  result.duplicates = part.duplicates;
  result.events = part.events;
  for (const std::string& m : part.marks) add_mark(result, m);
  if (!part.unusual.empty()) result.unusual = unusual_of(part.unusual);
  std::ranges::sort(result.broken, {}, [](const Broken& b) { return std::tuple(b.what, b.site, b.why); });
  std::ranges::sort(result.limits, {}, [](const LimitHit& h) { return std::pair(h.limit, h.site); });
  settle_assumptions(result.limits, result.executions);
  if (!result.limits.empty()) result.verdict = Verdict::incomplete;
  if (!findings.empty()) result.verdict = Verdict::error;
  result.findings = std::move(findings);
  return result;
}

std::string bytes_of(const Bundle& bundle) {
  ByteWriter out;
  out.number(bundle.size());
  for (const std::string& item : bundle) out.text(item);
  return out.bytes();
}

Bundle bundle_of(std::string_view bytes) {
  ByteReader in(bytes);
  Bundle bundle(in.count());
  for (std::string& item : bundle) item = in.text();
  in.end();
  return bundle;
}

}  // namespace heddle
