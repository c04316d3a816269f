#include "core/finding_bytes.hpp"

#include <set>

#include "core/bytes.hpp"

namespace heddle {
namespace {

constexpr uint64_t kAny32 = uint64_t{1} << 32;
constexpr uint64_t kMostThreads = 1 << 16;

// Both directions have the same functions, so that pass() says once what a finding consists of.
class Writer {
 public:
  explicit Writer(const SiteTable& sites) : sites_(sites) {}

  template <typename Enum>
  void one_of(Enum& e, Enum) {
    out_.number(static_cast<uint64_t>(e));
  }
  template <typename Number>
  void number(Number& n, uint64_t = 0) {
    out_.number(n);
  }
  void step(int& n) { out_.number(static_cast<uint64_t>(n) + 1); }
  void flag(bool& f) { out_.number(f); }
  void text(std::string& t) { out_.text(t); }
  void value(Value& v) { out_.value(v); }
  void thread(ThreadId& t) { out_.number(t == kNoThread ? 0 : index(t) + 1); }
  void site(SiteId& s) {
    out_.number(index(s));
    for (SiteId outer = s; outer != kNoSite && named_.insert(outer).second;) outer = sites_[outer].caller;
  }
  template <class T, class Pass>
  void list(std::vector<T>& all, const Pass& pass) {
    out_.number(all.size());
    for (T& t : all) pass(t);
  }

  // The sites come first, each after its caller.
  std::string bytes() const {
    ByteWriter all;
    all.number(named_.size());
    for (const SiteId id : named_) {
      const Site& s = sites_[id];
      all.number(index(id));
      all.number(index(s.caller));
      all.text(s.file);
      all.number(s.line);
      all.number(s.column);
      all.text(s.function);
      all.number(s.is_volatile);
    }
    return all.bytes() + out_.bytes();
  }

 private:
  const SiteTable& sites_;
  std::set<SiteId> named_;  // a caller has a smaller number
  ByteWriter out_;
};

class Reader {
 public:
  Reader(std::string_view bytes, SiteTable& sites, std::map<SiteId, SiteId>& known) : in_(bytes), known_(known) {
    for (uint64_t n = in_.count(); n != 0; --n) {
      const SiteId id = any_site();
      Site s;
      site(s.caller);
      s.file = in_.text();
      number(s.line);
      number(s.column);
      s.function = in_.text();
      s.is_volatile = in_.flag();
      if (id != kNoSite && !known_.contains(id)) known_.emplace(id, sites.add(std::move(s)));
    }
  }

  template <typename Enum>
  void one_of(Enum& e, Enum last) {
    e = static_cast<Enum>(in_.number(static_cast<uint64_t>(last) + 1));
  }
  template <typename Number>
  void number(Number& n, uint64_t bound = 0) {
    n = static_cast<Number>(bound != 0 ? in_.number(bound) : sizeof n < 8 ? in_.number(kAny32) : in_.number());
  }
  void step(int& n) { n = static_cast<int>(in_.number(kAny32 / 2)) - 1; }
  void flag(bool& f) { f = in_.flag(); }
  void text(std::string& t) { t = in_.text(); }
  void value(Value& v) { v = in_.value(); }
  void thread(ThreadId& t) {
    const uint64_t n = in_.number(kMostThreads);
    t = n == 0 ? kNoThread : ThreadId(n - 1);
  }
  void site(SiteId& s) {
    const SiteId id = any_site();
    if (id == kNoSite) {
      s = kNoSite;
      return;
    }
    const auto it = known_.find(id);
    if (it == known_.end()) throw std::runtime_error("a site is missing");
    s = it->second;
  }
  template <class T, class Pass>
  void list(std::vector<T>& all, const Pass& pass) {
    all.resize(in_.count());
    for (T& t : all) pass(t);
  }

  void end() const { in_.end(); }

 private:
  SiteId any_site() { return SiteId(static_cast<uint32_t>(in_.number(kAny32))); }

  ByteReader in_;
  std::map<SiteId, SiteId>& known_;
};

template <class Archive>
void pass(Archive& x, std::optional<Value>& v) {
  bool there = v.has_value();
  x.flag(there);
  if (!there) return;
  if (!v) v.emplace();
  x.value(*v);
}

template <class Archive>
void pass(Archive& x, Action& a) {
  x.one_of(a.kind, ActionKind::done);
  for (Mode* m : {&a.mode, &a.fail_mode}) x.one_of(*m, Mode::sc);
  x.one_of(a.op, RmwOp::insert);
  x.one_of(a.await, Await::holds);  // its condition stays behind
  x.one_of(a.purpose, Purpose::other);
  x.one_of(a.reason, BlockReason::silent);
  for (bool* f : {&a.helping, &a.retire, &a.at_once, &a.assumed, &a.confirms, &a.rechecks, &a.last, &a.result_unused,
                  &a.compared, &a.undone, &a.guarded, &a.elects})
    x.flag(*f);
  x.number(a.size, 17);
  for (ThreadId* t : {&a.child, &a.twin}) x.thread(*t);
  x.site(a.site);
  for (uint32_t* n : {&a.bound, &a.round}) x.number(*n);
  for (uint64_t* n : {&a.addr, &a.own, &a.length}) x.number(*n);
  for (Value* v : {&a.operand, &a.expected}) x.value(*v);
}

template <class Archive>
void pass(Archive& x, ValueType& t) {
  x.one_of(t.kind, ValueType::Kind::enumeration);
  x.flag(t.is_unsigned);
  x.list(t.enumerators, [&](auto& e) {
    auto bits = static_cast<uint64_t>(e.first);
    x.number(bits);
    e.first = static_cast<int64_t>(bits);
    x.text(e.second);
  });
}

template <class Archive>
void pass(Archive& x, TraceStep& s) {
  x.thread(s.thread);
  pass(x, s.action);
  x.text(s.location);
  pass(x, s.read);
  pass(x, s.written);
  pass(x, s.type);
  x.step(s.rf);
  for (bool* f : {&s.blocked, &s.performed, &s.released, &s.acquired}) x.flag(*f);
  x.list(s.holders, [&](Holder& h) {
    x.thread(h.thread);
    x.site(h.site);
  });
  x.value(s.result);
  for (uint32_t* n : {&s.position, &s.co}) x.number(*n);
  x.list(s.hb, [&](uint32_t& n) { x.number(n); });
}

template <class Archive>
void pass(Archive& x, Finding& f) {
  Error& e = f.error;
  x.one_of(e.kind, ErrorKind::symmetry);
  x.text(e.message);
  for (ThreadId* t : {&e.thread, &e.other_thread}) x.thread(*t);
  for (SiteId* s : {&e.site, &e.other_site}) x.site(*s);
  x.one_of(e.clash, Clash::twice);
  x.number(e.other_after);
  x.list(f.trace.threads, [&](TraceThread& t) {
    x.thread(t.id);
    x.thread(t.parent);
    x.text(t.name);
  });
  x.list(f.trace.steps, [&](TraceStep& s) { pass(x, s); });
  std::vector<std::pair<Address, std::string>> objects(f.trace.objects.begin(), f.trace.objects.end());
  x.list(objects, [&](auto& o) {
    x.number(o.first);
    x.text(o.second);
  });
  f.trace.objects = {objects.begin(), objects.end()};
  x.text(f.trace.output);
  x.text(f.trace.settings);
}

// What a report takes for granted.
void check(const Trace& trace) {
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    if (trace.steps[i].thread == kNoThread || trace.steps[i].rf >= static_cast<int>(i))
      throw std::runtime_error("a step is wrong");
  }
}

}  // namespace

std::string finding_bytes(const Finding& finding, const SiteTable& sites) {
  Writer out(sites);
  Finding copy = finding;
  pass(out, copy);
  return out.bytes();
}

void ReadFindings::add(std::string_view bytes) {
  Reader in(bytes, sites, known_);
  Finding finding;
  pass(in, finding);
  in.end();
  check(finding.trace);
  findings.push_back(std::move(finding));
}

}  // namespace heddle
