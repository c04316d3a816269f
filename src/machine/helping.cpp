#include "machine/helping.hpp"

#include <utility>

#include "machine/models.hpp"

namespace heddle {
namespace helping {
namespace {

struct Access {
  Address address;
  unsigned size;
  Mode mode = Mode::na;  // of a read
};

// The body that is being run dry. No other thread runs meanwhile.
struct Body {
  HostVector<Access> reads;
  bool has_cas = false;
  Access cas{};
  Value expected;
  Value desired;
  Value desired_again;
  AtomicOrder order{};
  // The second time, with other values read.
  bool again = false;
  std::size_t reads_again = 0;
  bool cas_again = false;
};
Body body;

void require_visible(Address a) {
  if (in_null_page(a)) fail_null(a, false);
  if (!cell::covered(a)) fail(ErrorKind::annotation, "a helping operation uses memory that other threads cannot see");
}

void require_same(bool same) {
  if (same) return;
  fail(ErrorKind::annotation,
       "what an operation that others may help with reads, compares and does must not depend on the values that it "
       "reads, but for the new value of its cas");
}

// Whether the body is to be run dry, which begins now.
bool begin() {
  if (rt.dry) fail(ErrorKind::annotation, "operations that others may help with cannot contain each other");
  if (!rt.options.helping || !rt.concurrent) return false;
  body.reads.clear();
  body.has_cas = body.again = body.cas_again = false;
  body.reads_again = 0;
  rt.dry = true;
  rt.concurrent = false;
  return true;
}

void again() {
  if (!body.has_cas) fail(ErrorKind::annotation, "an operation that others may help with must end with a cas");
  body.again = true;
}

void mark(bool helping) {
  require_same(body.cas_again && body.reads_again == body.reads.size());
  rt.dry = false;
  rt.concurrent = true;
  Thread& t = *rt.current;
  take(t, ActionKind::help, body.cas.address, [&](Action& x) {
    x.helping = helping;
    x.size = static_cast<uint8_t>(body.cas.size);
    x.mode = body.order.mode;
    x.fail_mode = body.order.fail_mode;
    x.expected = body.expected;
    x.operand = body.desired;
    if (body.cas.size <= 8) x.operand.hi = body.desired_again.lo;  // to be compared with that of others
    HostScope scope;
    t.help_reads.clear();
    for (const Access& r : body.reads) t.help_reads.push_back({r.address, r.mode, guards(t, r.address)});
    x.reads = t.help_reads;
  });
}

void helped_end() {
  const Address due = body.cas.address;
  mark(false);
  rt.current->cas_due = due;
}

// Those who helped may have read something else, and done the cas.
void helped_done() {
  Thread& t = *rt.current;
  const Address due = std::exchange(t.cas_due, 0);
  if (due == 0 || (t.next[-1].kind == ActionKind::cas && t.next[-1].addr == due)) return;
  fail(ErrorKind::annotation, "an operation that others may help with must do its cas whatever it reads");
}

// What it would have accessed must be there, and not race: Lemma D.5 relies on the marker for that.
void helping_end() {
  const HostVector<Access> reads = body.reads;  // other threads run meanwhile
  const Access cas = body.cas;
  mark(true);
  for (const Access& r : reads) cell::touch(*rt.current, r.address, r.size, cell::Use::load);
  cell::touch(*rt.current, cas.address, cas.size, cell::Use::update);
}

}  // namespace

Value dry_load(Address a, unsigned size, Mode mode) {
  require_visible(a);
  if (body.again ? body.cas_again : body.has_cas) dry_other("reads after its cas");
  const Value base = rt.machine->base(a, static_cast<uint8_t>(size));
  if (!body.again) {
    HostScope scope;
    body.reads.push_back({a, size, mode});
    return base;
  }
  const std::size_t i = body.reads_again++;
  require_same(i < body.reads.size() && body.reads[i].address == a && body.reads[i].size == size);
  return apply(RmwOp::bxor, base, {0x55, 0}, static_cast<uint8_t>(size));
}

Value dry_cas(Address a, unsigned size, Value expected, Value desired, AtomicOrder order) {
  require_visible(a);
  if (body.again ? body.cas_again : body.has_cas) dry_other("has more than one cas");
  if (body.again) {
    require_same(body.cas.address == a && body.cas.size == size && body.expected == expected);
    body.cas_again = true;
    body.desired_again = desired;
    return expected;
  }
  body.has_cas = true;
  body.cas = {a, size};
  body.expected = expected;
  body.desired = desired;
  body.order = order;
  return expected;
}

void dry_other(const char* what) {
  HostScope scope;
  fail(ErrorKind::annotation,
       std::string("an operation that others may help with ") + what + "; it may only read and then do one cas");
}

}  // namespace helping

std::span<const models::Entry> models::helping_functions() {
  static const Entry table[] = {
      entry("heddle_help_begin", helping::begin),        entry("heddle_help_again", helping::again),
      entry("heddle_helped_end", helping::helped_end),   entry("heddle_helped_done", helping::helped_done),
      entry("heddle_helping_end", helping::helping_end),
  };
  return table;
}

}  // namespace heddle
